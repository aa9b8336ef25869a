"""A player's stream at a table: what happens comes out, actions go in, broken connections are mended in
between.

Here: the Play stream as one object. A task reads it; acts wait for their answers by request id; a stream
that breaks is opened again after the last version seen, and every unanswered act is sent again with its
request id. Not here: what to do (bots/), where the listener stands (updates.Cursor), how long to wait
(retries)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from grpc import StatusCode, aio

from servito.table.v1.table_pb2 import ActAnswer, ActRequest, PlayRequest, PlayResponse
from servito_client.connection import Connection
from servito_client.errors import TableError, Unanswered, refusal_in
from servito_client.messages import Action, Offer
from servito_client.retries import Backoff, repeated
from servito_client.spans import calling
from servito_client.updates import Cursor, Gap, Told

BACKLOG: Final = 256
"""Updates that may wait for the listener; one who falls further behind gets a snapshot instead."""


@dataclass(frozen=True, slots=True)
class _Unanswered:
    """An act that was sent, or waits for a stream to be sent on."""

    message: PlayRequest
    answer: asyncio.Future[ActAnswer]


class Seat:
    """Iterate it for `Snapshot` and `Update`; `act` on the offers in them. An async context manager.

    Iteration ends by `Refusal` (no such table, unknown caller) or `Unanswered` (no sign of life for as long
    as the policy allows), and without an error once the context is left."""

    def __init__(
        self, connection: Connection, table_id: str, after_version: int | None, after_lineage: int = 0
    ) -> None:
        self._connection = connection
        self._cursor = Cursor(table_id, after_version, after_lineage)
        self._told: asyncio.Queue[Told | None] = asyncio.Queue(BACKLOG)
        self._unanswered: dict[str, _Unanswered] = {}
        self._outbox: asyncio.Queue[PlayRequest | None] = asyncio.Queue()
        self._stream: aio.StreamStreamCall[PlayRequest, PlayResponse] | None = None
        self._task: asyncio.Task[None] | None = None
        self._over: BaseException | None = None
        self._left = False

    @property
    def table_id(self) -> str:
        """The table that it is a stream of."""
        return self._cursor.table_id

    @property
    def version(self) -> int | None:
        """The last version read from the stream; a later `play` or `watch` may go on after it."""
        return self._cursor.version

    @property
    def lineage(self) -> int:
        """Of that version: with it `play` and `watch` notice if the table has lost that meanwhile."""
        return self._cursor.lineage

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name=f"play {self.table_id}")
        self._task.add_done_callback(self._ran)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True
        self._end(Unanswered(StatusCode.CANCELLED, "the stream was left", retryable=False))
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def __aiter__(self) -> AsyncIterator[Told]:
        return self

    async def __anext__(self) -> Told:
        told = None if self._over and self._told.empty() else await self._told.get()
        if told is not None:
            return told
        if self._over is None or self._left:
            raise StopAsyncIteration
        raise self._over

    async def act(self, offer: Offer, action: Action) -> int:
        """Acts in the hand and on the turn of `offer`; the version in which it was applied.

        Waits through broken connections and sends the same request id again; `Refusal` when the table says
        no, `Unanswered` when no answer came within the policy."""
        request = ActRequest(
            request_id=self._connection.new_id(),
            hand_id=offer.hand_id,
            turn_id=offer.turn_id,
            action=action,
            lineage=offer.lineage,
        )
        tracer = self._connection.tracer
        if tracer is None:
            return await self._repeated(PlayRequest(act=request))
        with calling(tracer, request, "Play act", self.table_id) as traceparent:
            return await self._repeated(PlayRequest(act=request, traceparent=traceparent))

    async def _repeated(self, message: PlayRequest) -> int:
        return await repeated(lambda: self._ask(message), self._connection.policy, self._connection.effort)

    async def _ask(self, message: PlayRequest) -> int:
        if self._over is not None:
            raise self._over
        loop = asyncio.get_running_loop()
        act = _Unanswered(message, loop.create_future())
        self._unanswered[message.act.request_id] = act
        self._outbox.put_nowait(message)
        clock = loop.call_later(self._connection.policy.call_timeout, self._late, act)
        try:
            answer = await act.answer
        finally:
            clock.cancel()
            self._unanswered.pop(message.act.request_id, None)
        if answer.HasField("refused"):
            raise refusal_in(answer.refused)
        return answer.accepted.version

    async def _run(self) -> None:
        """Keeps a stream open until that is hopeless."""
        backoff = self._connection.backoff()
        while True:
            failure = await self._listen(backoff)
            try:
                await (backoff.led_on() if failure is None else backoff.pause(failure))
            except TableError as hopeless:
                return self._end(hopeless)
            if failure is not None:
                self._connection.effort.retries += len(self._unanswered)

    async def _listen(self, backoff: Backoff) -> TableError | None:
        """One stream from its beginning to its end; what broke it, None if the server led us on."""
        outbox: asyncio.Queue[PlayRequest | None] = asyncio.Queue()
        self._outbox = outbox
        outbox.put_nowait(PlayRequest(join=self._cursor.request()))
        for act in self._unanswered.values():
            outbox.put_nowait(act.message)
        shown = self._connection.metadata
        stream = self._connection.stub.Play(_each(outbox), metadata=(*shown, *self._connection.opening))
        self._stream = stream
        try:
            async for response in stream:
                backoff.alive()
                self._take(response)
                if response.HasField("goodbye"):
                    return None
        except aio.AioRpcError as broken:
            return self._connection.failure(broken, shown)
        except Gap as gap:
            return Unanswered(StatusCode.DATA_LOSS, str(gap))
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise
            return Unanswered(StatusCode.CANCELLED, "the stream did not answer")
        finally:
            stream.cancel()
            outbox.put_nowait(None)  # cancelling a call that is over does not end its writer
        return Unanswered(StatusCode.UNAVAILABLE, "the stream ended")

    def _take(self, response: PlayResponse) -> None:
        for answer in response.answers:
            act = self._unanswered.get(answer.request_id)
            if act is not None and not act.answer.done():
                act.answer.set_result(answer)
        try:
            for told in self._cursor.take(response):
                self._told.put_nowait(told)
        except asyncio.QueueFull:
            _clear(self._told)
            self._cursor.version = None
            raise Gap(f"more than {BACKLOG} updates waited to be read") from None

    def _late(self, act: _Unanswered) -> None:
        """Give the stream up that left an act without an answer."""
        if act.answer.done():
            return
        act.answer.set_exception(Unanswered(StatusCode.DEADLINE_EXCEEDED, "no answer to an act"))
        if self._stream is not None:
            self._stream.cancel()

    def _ran(self, task: asyncio.Task[None]) -> None:
        """A fault of the reading task must not leave anybody waiting."""
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._end(fault)

    def _end(self, error: BaseException) -> None:
        if self._over is None:
            self._over = error
        for act in self._unanswered.values():
            if not act.answer.done():
                act.answer.set_exception(error)
        if self._told.empty():
            self._told.put_nowait(None)


async def _each(outbox: asyncio.Queue[PlayRequest | None]) -> AsyncIterator[PlayRequest]:
    while (request := await outbox.get()) is not None:
        yield request


def _clear(queue: asyncio.Queue[Told | None]) -> None:
    while not queue.empty():
        queue.get_nowait()
