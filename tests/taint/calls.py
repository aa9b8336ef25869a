"""Calls without a connection: what stands for gRPC between a handler and who called it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.rpc import status_pb2
from grpc import aio


@dataclass
class Call:
    """A servicer's context; `written` is called with every message of a stream, `caller` None sends no
    token.
    """

    caller: str | None
    written: Callable[[bytes], None] = lambda _message: None
    status: status_pb2.Status | None = None
    trailers: tuple[tuple[str, str | bytes], ...] = ()
    _code: grpc.StatusCode | None = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """As of aio.ServicerContext."""
        return () if self.caller is None else (("authorization", f"Bearer dev:{self.caller}"),)

    def time_remaining(self) -> float | None:
        """As of aio.ServicerContext."""
        return None

    def code(self) -> grpc.StatusCode | None:
        """As of aio.ServicerContext."""
        return self._code

    def set_trailing_metadata(self, trailers: tuple[tuple[str, str | bytes], ...]) -> None:
        """As of aio.ServicerContext."""
        self.trailers = trailers

    async def write(self, message: bytes) -> None:
        """As of aio.ServicerContext."""
        self.written(message)

    async def abort_with_status(self, status: Any) -> None:
        """As of aio.ServicerContext."""
        self._code, self.trailers = status.code, (*self.trailers, *status.trailing_metadata)
        self.status = status_pb2.Status.FromString(dict(status.trailing_metadata)["grpc-status-details-bin"])
        raise aio.AbortError


@dataclass
class Unary:
    """A method with one request and one answer."""

    handler: Any

    async def ask(self, request: bytes, call: Call) -> bytes:
        """The answer; b"" if the call is refused, and then the call says why."""
        try:
            answer = await self.handler.unary_unary(self.handler.request_deserializer(request), call)
        except aio.AbortError:
            return b""
        message: bytes = self.handler.response_serializer(answer)
        return message


@dataclass
class Streaming:
    """A stream, until it is `closed`."""

    handler: Any
    call: Call
    requests: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    _task: asyncio.Task[None] | None = None

    def watch(self, request: bytes) -> None:
        """Begin with one request."""
        self._begin(self.handler.unary_stream(self.handler.request_deserializer(request), self.call))

    def play(self, join: bytes) -> None:
        """Begin with the first of many."""
        self.requests.put_nowait(join)
        self._begin(self.handler.stream_stream(self._asked(), self.call))

    def _begin(self, running: Any) -> None:
        self._task = asyncio.create_task(self._run(running))

    async def _run(self, running: Any) -> None:
        try:
            await running
        except aio.AbortError:
            return

    async def _asked(self) -> AsyncIterator[Any]:
        while True:
            yield self.handler.request_deserializer(await self.requests.get())

    async def close(self) -> None:
        """As if the client had gone."""
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
