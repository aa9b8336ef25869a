"""The serving end of `calls.proto`: methods of this process, asked over one stream that carries many calls.

Here: `Carried`, which is added to a server beside the service whose methods it carries. Every call goes
through the same layers as one that comes by itself (caller, errors, metrics), and is counted like it. Changes
with carrier.py, the asking end.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

import grpc
import structlog
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2
from grpc import aio

from servito.calls.v1 import calls_pb2 as pb
from servito_platform.grpc_reading import is_readable, lenient, not_readable, only_readable
from servito_platform.log_context import enter
from servito_platform.trace_context import METADATA

if TYPE_CHECKING:
    from google.protobuf.descriptor import ServiceDescriptor

    from servito_platform.ages import Ages
    from servito_platform.grpc_handlers import Behaviour, Context, Layers

SERVICE: Final = pb.DESCRIPTOR.services_by_name["CallsService"].full_name
MOST_RUNNING: Final = 1_024
"""Calls of one stream that are carried out, or whose answers are not sent, at the same time; the next ones
are not begun meanwhile, so that nobody who asks and does not read fills the memory.
"""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_Metadata = Sequence[tuple[str, str | bytes]]
_Method = tuple["Behaviour", Callable[[bytes], Any]]


class Carried:
    """The methods that may be asked so, and the streams over which they are."""

    def __init__(self, layers: Layers, ages: Ages) -> None:
        """`ages` end the streams in time; their clients come back, perhaps to another replica."""
        self._layers = layers
        self._ages = ages
        self._methods: dict[str, _Method] = {}
        self._streams: set[_Stream] = set()

    def add(self, service: ServiceDescriptor, servicer: object, messages: object) -> None:
        """Carry the unary methods of `service` as `servicer` has them; `messages` is the module of its
        messages.
        """
        for method in service.methods:
            request: type[Message] = getattr(messages, method.input_type.name)
            self.add_method(
                f"/{service.full_name}/{method.name}", getattr(servicer, method.name), request.FromString
            )

    def add_method(self, path: str, behaviour: Behaviour, read: Callable[[bytes], Message]) -> None:
        """Carry one unary method."""
        self._methods[path] = self._layers.around(path, "unary", only_readable(behaviour)), lenient(read)

    def serve_on(self, server: aio.Server) -> None:
        """Register the stream."""
        carry: Any = grpc.stream_stream_rpc_method_handler(
            self._carry, lenient(pb.CarryRequest.FromString), pb.CarryResponse.SerializeToString
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Carry": carry}),))

    async def farewell(self) -> None:
        """Read nothing more, answer what has begun, and end every stream."""
        for stream in self._streams:
            stream.end()

    async def _carry(self, requests: AsyncIterator[pb.CarryRequest], context: Context) -> None:
        stream = _Stream(cast("_Metadata", context.invocation_metadata() or ()), self._answered)
        self._streams.add(stream)
        reader = asyncio.create_task(stream.read(requests))
        try:
            with self._ages.limit(stream.end):
                while (answers := await stream.next()) is not None:
                    await context.write(pb.CarryResponse(answers=answers))
        finally:
            reader.cancel()
            self._streams.discard(stream)
        if stream.unreadable:
            raise not_readable()

    async def _answered(self, call: pb.Call, metadata: _Metadata) -> pb.Answer:
        enter(message=call)
        if call.traceparent:
            metadata = (*metadata, (METADATA, call.traceparent))
        context = _CallContext(metadata, call.timeout_ms / 1000)
        method = self._methods.get(call.method)
        if method is None:
            status = status_pb2.Status(code=code_pb2.UNIMPLEMENTED, message="no such method is carried")
            return pb.Answer(id=call.id, status=status.SerializeToString())
        behaviour, read = method
        try:
            response = await behaviour(read(call.request), cast("Context", context))
        except aio.AbortError:
            return pb.Answer(id=call.id, status=context.status.SerializeToString())
        return pb.Answer(id=call.id, response=response.SerializeToString())


class _Stream:
    """What one stream asked, and the answers that are not sent yet."""

    def __init__(self, metadata: _Metadata, answer: Callable[[pb.Call, _Metadata], Any]) -> None:
        self._metadata = metadata
        self._answer = answer
        self._running: set[asyncio.Task[pb.Answer]] = set()
        self._answers: list[pb.Answer] = []
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._ending = False
        self.unreadable = False
        """Bytes came that are no message."""

    async def read(self, requests: AsyncIterator[pb.CarryRequest]) -> None:
        """Begin what is asked, until there is nothing more to come."""
        try:
            async for request in requests:
                self.unreadable = not is_readable(request)
                for call in () if self.unreadable else request.calls:
                    while len(self._running) + len(self._answers) >= MOST_RUNNING:
                        self._room.clear()
                        await self._room.wait()
                    self._begin(call)
                if self._ending or self.unreadable:
                    break
        finally:
            self.end()

    async def next(self) -> list[pb.Answer] | None:
        """Wait for answers and take all that are there; None when there will be no more."""
        while not self._answers:
            if self._ending and not self._running:
                return None
            self._news.clear()
            await self._news.wait()
        answers, self._answers = self._answers, []
        self._room.set()
        return answers

    def end(self) -> None:
        """There is nothing more to come."""
        self._ending = True
        self._news.set()

    def _begin(self, call: pb.Call) -> None:
        task = asyncio.create_task(self._answer(call, self._metadata))
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[pb.Answer]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            error = task.exception()
            if error is None:
                self._answers.append(task.result())
            else:
                _log.error("carried_call_failed", exc_info=error)
        self._news.set()


class _CallContext:
    """The part of a gRPC context that the layers and the handlers of unary methods use."""

    def __init__(self, metadata: _Metadata, seconds: float) -> None:
        self._metadata = metadata
        self._until = monotonic() + seconds
        self.status = status_pb2.Status()

    def invocation_metadata(self) -> _Metadata:
        """That of the stream, and the place of the call in a trace."""
        return self._metadata

    def time_remaining(self) -> float:
        """Seconds until nobody waits any more."""
        return max(0.0, self._until - monotonic())

    def code(self) -> grpc.StatusCode | None:
        """What the call was aborted with."""
        return _CODES[self.status.code] if self.status.code != code_pb2.OK else None

    async def abort_with_status(self, status: Any) -> NoReturn:
        """End the call; the details of `status` are an encoded google.rpc.Status, as grpc_status makes it."""
        self.status = status_pb2.Status.FromString(dict(status.trailing_metadata)["grpc-status-details-bin"])
        raise aio.AbortError


_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
