"""Many fuzzed requests against one rpc of a running service, with many in flight.

Here: which requests (the cases of the contract altered, messages from nothing, raw bytes), who sends them,
and the bookkeeping of what comes back. A stream is one request and its first message; `Play` besides acts on
the stream, and each act has to be answered.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import message_factory
from grpc import aio

from servito.calls.v1 import calls_pb2
from servito.table.v1 import table_pb2 as pb
from tests.contract.fuzz.generator import Fuzzer
from tests.contract.fuzz.outcome import Outcomes
from tests.contract.registry import Asked, registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.contract.promises import Rpc
    from tests.contract.stage import Stage

SECONDS: Final = 10.0
"""Deadline of every call: nothing that is answered in order takes a tenth of it."""
SLOW_SECONDS: Final = {"CountDraws": 60.0, "CountOpeners": 120.0}
"""Documented to take long, one at a time."""
IN_FLIGHT: Final = 48
ROUND: Final = 250
"""Requests from one set of cases; then there are new ones, because hands go on."""
ACTS: Final = 12
"""Acts on one stream of Play."""
_STRANGERS: Final = (
    None, "Bearer dev:ann", "Bearer dev:service:timers", "Bearer dev:service:table", "Bearer dev:service:x",
    "Bearer dev:", "Basic x", "", "Bearer dev:" + "x" * 2_000, "Bearer dev:../..",
)  # fmt: skip


class Siege:
    """See the module."""

    def __init__(self, stage: Stage, rpc: Rpc, seed: int) -> None:
        self.outcomes = Outcomes(rpc)
        self.tables: set[str] = set()
        """Where hands ran."""
        self._stage = stage
        self._rpc = rpc
        self._fuzzer = Fuzzer(seed)
        self._request = rpc.method.input_type
        self._response = message_factory.GetMessageClass(rpc.method.output_type)
        self._seconds = SLOW_SECONDS.get(rpc.name, SECONDS)
        self._cases: list[Asked] = []
        channel: Any = stage.channel(rpc.service)
        if rpc.method.client_streaming:
            self._call: Any = channel.stream_stream(rpc.path)
        elif rpc.method.server_streaming:
            self._call = channel.unary_stream(rpc.path)
        else:
            self._call = channel.unary_unary(rpc.path)

    async def run(self, requests: int) -> None:
        """Send so many."""
        while requests > 0:
            await self._renew()
            left = min(ROUND, requests)
            requests -= left
            each = ACTS + 1 if self._rpc.name == "Play" else 1
            turns = iter(range(0, left, each))
            await asyncio.gather(*(self._send_some(turns) for _ in range(IN_FLIGHT)))

    async def _renew(self) -> None:
        """New cases, and what the services say about them."""
        rpc = "Act" if self._rpc.name == "Play" else self._rpc.name
        cases = [registry().successes[rpc]] * 4
        for (name, reason), more in registry().refusals.items():
            if name == rpc and reason not in ("TOO_LATE", "INTERNAL", "UNAVAILABLE"):
                cases += more
        self._cases = await asyncio.gather(*(case(self._stage) for case in cases))
        for asked in self._cases:
            self._fuzzer.pool.learn(asked.request)
            table_id = getattr(asked.request, "table_id", "")
            if table_id and await self._stage.state.exists(self._stage.keys.table(table_id)):
                self.tables.add(table_id)
                seated = (table_id, asked.player) in self._stage.sat
                view = await self._stage.view(table_id, asked.player if seated else None)
                self._fuzzer.pool.learn(view)

    async def _send_some(self, turns: Any) -> None:
        send = {"Play": self._play, "Carry": self._carry}.get(self._rpc.name, self._ask)
        for _ in turns:
            await send()

    async def _ask(self) -> None:
        data, metadata = self._drawn()
        call = self._call(data, metadata=metadata, timeout=self._seconds)
        try:
            answer = await (call.read() if self._rpc.method.server_streaming else call)
        except aio.AioRpcError as error:
            self.outcomes.failed(error, data)
            return
        call.cancel()
        self.outcomes.answered()
        if self._fuzzer.chance(0.2):
            self._fuzzer.pool.learn(self._response.FromString(answer))

    def _drawn(self) -> tuple[bytes, Any]:
        """A request and who sends it."""
        fuzzer, asked = self._fuzzer, self._fuzzer.choice(self._cases)
        message = type(asked.request).FromString(asked.request.SerializeToString())
        if fuzzer.chance(0.15):
            data = fuzzer.raw(message)
        else:
            altered = fuzzer.altered(message) if fuzzer.chance(0.5) else fuzzer.made(self._request)
            data = fuzzer.encoded(altered)
        return data, self._from(asked)

    def _from(self, asked: Asked) -> Any:
        if self._fuzzer.chance(0.85):
            return asked.metadata
        token = self._fuzzer.choice(_STRANGERS)
        return () if token is None else (("authorization", token),)

    async def _play(self) -> None:
        """One stream: a join that is mostly good, and acts that are mostly bad."""
        asked = self._fuzzer.choice(self._cases)
        join = pb.PlayRequest(join=pb.WatchRequest(table_id=asked.request.table_id))
        first = join.SerializeToString() if self._fuzzer.chance(0.8) else self._drawn_play()
        acts = [self._drawn_play(asked.request) for _ in range(ACTS)]
        joined, over = asyncio.Event(), asyncio.Event()
        call = self._call(_all(first, joined, acts, over), metadata=self._from(asked), timeout=self._seconds)
        try:
            async with asyncio.timeout(self._seconds / 2):
                await self._answers(call, joined, acts)
        except aio.AioRpcError as error:
            self.outcomes.failed(error, first)
        except TimeoutError:
            self.outcomes.silent(first)
        joined.set()
        over.set()
        await asyncio.sleep(0)  # what still waits to be sent comes to its end before the call does
        call.cancel()

    async def _answers(self, call: Any, joined: asyncio.Event, acts: list[bytes]) -> None:
        """Read until every act has its answer, in their order."""
        missing = iter(acts)
        left = len(acts)
        async for data in call:
            joined.set()
            for answer in pb.PlayResponse.FromString(data).answers:
                left -= 1
                if answer.HasField("refused"):
                    self.outcomes.refused_inside(answer.refused, next(missing))
                else:
                    next(missing)
                    self.outcomes.answered()
            if left == 0:
                return

    async def _carry(self) -> None:
        """A stream of calls that are mostly bad: each is answered by a response or a status of its own."""
        data, metadata = self._drawn()
        call = self._call(metadata=metadata, timeout=self._seconds)
        try:
            await call.write(data)
            await call.done_writing()
            async for answers in call:
                for answer in calls_pb2.CarryResponse.FromString(answers).answers:
                    self.outcomes.carried(answer.status, data)
        except aio.AioRpcError as error:
            self.outcomes.failed(error, data)

    def _drawn_play(self, act: Any = None) -> bytes:
        fuzzer = self._fuzzer
        if act is None or fuzzer.chance(0.2):
            return fuzzer.encoded(fuzzer.made(pb.PlayRequest.DESCRIPTOR))
        message = pb.PlayRequest(act=act)
        if fuzzer.chance(0.15):
            return fuzzer.raw(message)
        return fuzzer.encoded(fuzzer.altered(message))


async def _all(
    first: bytes, joined: asyncio.Event, acts: list[bytes], over: asyncio.Event
) -> AsyncIterator[bytes]:
    yield first
    await joined.wait()
    for data in acts:
        if not over.is_set():
            yield data
    await over.wait()
