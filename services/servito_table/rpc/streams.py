"""Watch and Play: streams that follow a table, and acts that come in over one of them.

A stream has one writer, which sends what waits for it as one message, and Play one reader besides, which
carries one act out after the other. Nothing that goes wrong with an act ends the stream; whatever ends it,
its place among those who watch is given back.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import structlog

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.refusal_pb2 import RefusalReason
from servito_platform.log_context import enter, leave
from servito_table.app.commits import Place
from servito_table.app.refusals import Stopping
from servito_table.rpc.reading import act_of, malformed, readable, table_id_of
from servito_table.rpc.refusing import player_of_call, viewer_of_call

if TYPE_CHECKING:
    from servito_platform.ages import Ages
    from servito_platform.grpc_handlers import Context
    from servito_table.app.play import Play
    from servito_table.app.ports import Stream, Streams
    from servito_table.rpc.refusing import Refusals

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

JOIN_SECONDS: Final = 10.0
"""How long a stream may stand open before it says what it is for."""


class StreamServicer:
    """The two streams of `table.proto`. What is written is encoded already."""

    def __init__(self, play: Play, streams: Streams, refusals: Refusals, ages: Ages) -> None:
        self._play = play
        self._ages = ages
        self._streams = streams
        self._refusals = refusals
        self._joining: set[asyncio.Timeout] = set()
        self._stopping = False
        self._log = _log.bind()
        """As `_log`, which looks for its configuration with every line, the unwritten ones too."""

    async def farewell(self) -> None:
        """Wait no longer for streams that do not say what they are for."""
        self._stopping = True
        for waiting in self._joining:
            waiting.reschedule(0)

    async def Watch(self, request: pb.WatchRequest | None, context: Context) -> None:
        """See the proto."""
        stream = await self._joined(request, viewer_of_call())
        try:
            await self._write_all(stream, context)
        finally:
            self._streams.leave(stream)

    async def Play(self, requests: AsyncIterator[pb.PlayRequest | None], context: Context) -> None:
        """See the proto."""
        try:
            async with self._waiting():
                sent = await anext(requests)
        except TimeoutError:
            if self._stopping:
                raise Stopping from None
            raise malformed(f"join did not arrive within {JOIN_SECONDS:.0f} s") from None
        except StopAsyncIteration:
            raise malformed("the stream was closed before its first message, which must be join") from None
        # Not before: the client of a call that ends while it still writes may learn nothing but that.
        player, first = player_of_call(), readable(sent)
        if not first.HasField("join"):
            raise malformed("the first message of the stream must be join")
        enter(message=first.join)
        stream = await self._joined(first.join, player)
        reader = asyncio.create_task(self._read_acts(requests, stream, player))
        try:
            await self._write_all(stream, context)
        finally:
            reader.cancel()
            self._streams.leave(stream)

    @asynccontextmanager
    async def _waiting(self) -> AsyncIterator[None]:
        """TimeoutError when it takes too long."""
        async with asyncio.timeout(JOIN_SECONDS) as waiting:
            self._joining.add(waiting)
            try:
                yield
            finally:
                self._joining.discard(waiting)

    async def _joined(self, request: pb.WatchRequest | None, player: str | None) -> Stream:
        asked = readable(request)
        after = Place(asked.after_version, asked.after_lineage) if asked.HasField("after_version") else None
        return await self._streams.join(table_id_of(asked.table_id), player, after)

    async def _write_all(self, stream: Stream, context: Context) -> None:
        with self._ages.limit(stream.end):
            while not stream.ended:
                await context.write(b"".join(await stream.next()))

    async def _read_acts(
        self, requests: AsyncIterator[pb.PlayRequest | None], stream: Stream, player: str
    ) -> None:
        try:
            async for request in requests:
                if stream.ending:
                    break  # what is not answered here is sent again elsewhere
                stream.expect_answer()
                entered = enter("", None if request is None else request.act, table_id=stream.table_id)
                try:
                    answer = await self._answered(request, stream, player)
                finally:
                    leave(entered)
                await stream.answer(answer)
        except Exception:  # noqa: BLE001 - it broke; without a reader it is of no use to the player
            _log.exception("play_reader_failed")
            stream.end()

    async def _answered(self, request: pb.PlayRequest | None, stream: Stream, player: str) -> bytes:
        """The answer to one message of a player."""
        answer = pb.ActAnswer()
        try:
            asked = readable(request)
            if not asked.HasField("act"):
                raise malformed("after join every message must be act")
            answer.request_id = asked.act.request_id
            if asked.act.table_id not in ("", stream.table_id):
                raise malformed(f"table_id must be left out or be that of join, {stream.table_id}")
            done = await self._play.run(stream.table_id, *act_of(asked.act, player))
            answer.accepted.version = done.version
            self._log.debug("act_accepted")
        except Exception as error:  # noqa: BLE001 - every act is answered; faults are logged there
            answer.refused.CopyFrom(self._refusals.as_message(error))
            self._log.debug("act_refused", reason=RefusalReason.Name(answer.refused.reason))
        return pb.PlayResponse(answers=[answer]).SerializeToString()
