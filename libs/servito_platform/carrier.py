"""The asking end of `calls.proto`: unary calls to another service over one long stream.

Here: `Carrier`, to be used in place of a stub whose methods may all be repeated. Theory: questions leave in
the order in which they are asked: at once after a silence, else together a little later, because a message
wakes up half a dozen threads on its way there and back; answers are matched by number. When the stream
breaks, what is not answered is asked again on a new one, until its time is over. A stream on which a question
went unanswered to its end is given up: the next one, by round robin, may lead to a replica that answers.
Changes with carrying.py, the serving end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Self, TypeVar

import grpc
import structlog
from google.protobuf.message import Message
from google.rpc import status_pb2
from grpc import aio

from servito.calls.v1 import calls_pb2 as pb
from servito_platform.errors import RpcError
from servito_platform.grpc_deadline import remaining
from servito_platform.log_context import current_ids, current_trace
from servito_platform.own_token import Metadata

PATH: Final = "/servito.calls.v1.CallsService/Carry"
TOGETHER_SECONDS: Final = 0.015
"""Between two messages: what is asked meanwhile leaves with the second."""
_MARGIN: Final = 0.05
"""Seconds of a caller's time that are left for the answer to him."""
_AGAIN: Final = (0.05, 0.1, 0.2)
"""Pauses before what was UNAVAILABLE is asked again."""
_PAUSES: Final = (0.0, 0.1, 0.2, 0.5)
"""Before a new stream, by how many have broken without an answer and without having lived for a while."""
_A_WHILE: Final = 0.5
_BELONGS: Final = ("request_id", "hand_id")

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
Response = TypeVar("Response", bound=Message)


@dataclass(slots=True)
class _Asked:
    """A question, and who waits for its answer."""

    call: pb.Call
    answer: asyncio.Future[bytes]


class Carrier:
    """See the module. `timeout`: seconds for an answer; `metadata` says who asks, and is asked with every
    write: when it says something else, a new stream begins. Use it in `async with`.
    """

    def __init__(
        self, channel: aio.Channel, *, timeout: float, metadata: Callable[[], Metadata] = tuple
    ) -> None:
        self._open: Any = channel.stream_stream(
            PATH, pb.CarryRequest.SerializeToString, pb.CarryResponse.FromString
        )
        self._timeout = timeout
        self._metadata = metadata
        self._numbers = count(1)
        self._unanswered: dict[int, _Asked] = {}
        self._out: list[pb.Call] = []
        self._news = asyncio.Event()
        self._sent_at = 0.0
        self._stream: aio.StreamStreamCall[pb.CarryRequest, pb.CarryResponse] | None = None
        self._answered = 0
        self._task: asyncio.Task[None] | None = None

    def method(self, path: str, response: type[Response]) -> Callable[[Message], Awaitable[Response]]:
        """A method by its full name, as "/servito.dealer.v1.DealerService/Deal": from request to response.

        It raises RpcError: what the service refused with; DEADLINE_EXCEEDED when no answer came in time.
        """

        async def ask(request: Message) -> Response:
            return response.FromString(await self._repeated(path, request.SerializeToString()))

        return ask

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give the stream back; who still waits is told that it was UNAVAILABLE."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for asked in self._unanswered.values():
            if not asked.answer.done():
                asked.answer.set_exception(RpcError(grpc.StatusCode.UNAVAILABLE, "", "closed"))

    async def _repeated(self, path: str, request: bytes) -> bytes:
        left = remaining()
        seconds = self._timeout if left is None else min(self._timeout, max(left - _MARGIN, 0.0))
        until = asyncio.get_running_loop().time() + seconds
        for pause in _AGAIN:
            try:
                return await self._ask(path, request, until)
            except RpcError as error:
                if error.code is not grpc.StatusCode.UNAVAILABLE:
                    raise
            await asyncio.sleep(pause)
        return await self._ask(path, request, until)

    async def _ask(self, path: str, request: bytes, until: float) -> bytes:
        loop = asyncio.get_running_loop()
        number = next(self._numbers)
        timeout_ms = max(0, round(1000 * (until - loop.time())))
        call = pb.Call(id=number, method=path, request=request, timeout_ms=timeout_ms, **_belongs())
        asked = _Asked(call, loop.create_future())
        self._unanswered[number] = asked
        if not self._out:
            self._send_soon(loop)
        self._out.append(asked.call)
        if self._task is None:
            self._task = loop.create_task(self._run(), context=Context())
        timer = loop.call_at(until, self._late, asked.answer, self._answered)
        try:
            return await asked.answer
        finally:
            timer.cancel()
            del self._unanswered[number]

    def _send_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        due = self._sent_at + TOGETHER_SECONDS
        if due > loop.time():
            loop.call_at(due, self._news.set)
        else:
            self._news.set()

    def _late(self, answer: asyncio.Future[bytes], answered_before: int) -> None:
        if not answer.done():
            answer.set_exception(RpcError(grpc.StatusCode.DEADLINE_EXCEEDED, "", "no answer in time"))
            if self._stream is not None and self._answered == answered_before:
                self._stream.cancel()

    async def _run(self) -> None:
        """One stream after the other."""
        broken, clock = 0, asyncio.get_running_loop().time
        while True:
            before, began = self._answered, clock()
            await self._talk()
            broken = 0 if self._answered > before or clock() - began > _A_WHILE else broken + 1
            await asyncio.sleep(_PAUSES[min(broken, len(_PAUSES) - 1)])

    async def _talk(self) -> None:
        """One stream from its beginning to its end."""
        self._out = [asked.call for asked in self._unanswered.values()]
        if self._out:
            self._news.set()
        shown = self._metadata()
        stream = self._stream = self._open(metadata=shown, wait_for_ready=True)
        writer = asyncio.create_task(self._write(stream, shown))
        try:
            async for response in stream:
                for answer in response.answers:
                    self._take(answer)
        except aio.AioRpcError as error:
            _log.warning("carrier_broken", code=error.code().name, details=error.details())
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None and task.cancelling():
                raise  # we are closed; otherwise the stream was given up
        finally:
            stream.cancel()
            writer.cancel()

    async def _write(
        self, stream: aio.StreamStreamCall[pb.CarryRequest, pb.CarryResponse], shown: Metadata
    ) -> None:
        loop = asyncio.get_running_loop()
        # When the stream is over, who reads it says why.
        with suppress(aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._news.wait()
                self._news.clear()
                if self._metadata() != shown:
                    stream.cancel()  # what is unanswered is asked on the next one
                    return
                calls, self._out = self._out, []
                if calls:
                    self._sent_at = loop.time()
                    await stream.write(pb.CarryRequest(calls=calls))

    def _take(self, answer: pb.Answer) -> None:
        self._answered += 1
        asked = self._unanswered.get(answer.id)
        if asked is None or asked.answer.done():
            return
        if answer.HasField("status"):
            status = status_pb2.Status.FromString(answer.status)
            asked.answer.set_exception(RpcError.from_status(status))
        else:
            asked.answer.set_result(answer.response)


def _belongs() -> dict[str, str]:
    """What a question belongs to, for the log and the trace of who answers it."""
    ids, trace = current_ids(), current_trace()
    belongs = {name: text for name, text in ids.items() if name in _BELONGS}
    if trace is not None:
        belongs["traceparent"] = trace.traceparent
    return belongs
