"""A small gRPC service of bytes, for the tests of the plumbing: one method for each kind of call.

`python -m tests.platform.echo` runs it as a process through run_service, as the real services run.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from grpc import aio
from prometheus_client import CollectorRegistry

from servito_platform.caller import require_caller
from servito_platform.errors import RpcError
from servito_platform.grpc_deadline import remaining
from servito_platform.process import Service, run_service
from servito_platform.settings import ServiceSettings

SERVICE = "servito.test.v1.Echo"
REFUSED = "x is 7, allowed are 1 to 5"


class Echo:
    """Says back what it is told; some words make it do something else."""

    def __init__(self) -> None:
        self.stream_closed = asyncio.Event()
        self.last_word = asyncio.Event()
        self.fault = b""

    async def unary(self, request: bytes, context: Any) -> bytes:
        """`who`: the caller; `peer`: his address; `slow`: after a second; `never`: not at all; `left`:
        milliseconds left; `refuse`, `crash`: fail; `hold`, `block`: this process will not end by itself.
        """
        match request:
            case b"hold" | b"block":
                self.fault = request
            case b"who":
                return require_caller().encode()
            case b"peer":
                return str(context.peer()).encode()
            case b"slow":
                await asyncio.sleep(1)
            case b"never":
                await asyncio.Event().wait()
            case b"left":
                left = remaining()
                return b"none" if left is None else str(round(left * 1000)).encode()
            case b"refuse":
                raise RpcError(
                    grpc.StatusCode.FAILED_PRECONDITION,
                    "X_OUT_OF_RANGE",
                    REFUSED,
                    metadata={"max": "5"},
                    retry_after=0.5,
                )
            case b"crash":
                secret = "Ah Kd"
                raise LookupError(f"no {secret}")
        return request

    async def server_stream(self, request: bytes, _context: Any) -> AsyncIterator[bytes]:
        """Says it back for ever, or until the drain; `refuse` after one message."""
        try:
            yield request
            if request == b"refuse":
                raise RpcError(grpc.StatusCode.NOT_FOUND, "NO_MORE", "there is no more")
            if request == b"big":
                while True:
                    yield bytes(100_000)
            await self.last_word.wait()
            yield b"resume at 17"
        finally:
            self.stream_closed.set()

    async def client_stream(self, requests: AsyncIterator[bytes], _context: Any) -> bytes:
        """All together."""
        return b"".join([request async for request in requests])

    async def bidi_stream(self, requests: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        """One for one."""
        async for request in requests:
            yield await self.unary(request, context)

    async def say_last_word(self) -> None:
        """End the server streams with a last message."""
        self.last_word.set()

    def add_to(self, server: aio.Server) -> None:
        """Register it."""
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Unary": grpc.unary_unary_rpc_method_handler(self.unary),
            "ServerStream": grpc.unary_stream_rpc_method_handler(self.server_stream),
            "ClientStream": grpc.stream_unary_rpc_method_handler(self.client_stream),
            "BidiStream": grpc.stream_stream_rpc_method_handler(self.bidi_stream),
        }
        server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, handlers)])


class EchoClient:
    """The four methods over a channel; requests and answers are bytes."""

    def __init__(self, channel: aio.Channel) -> None:
        # Any: the published types cannot say "bytes" for a method without serializers.
        call: Any = channel
        self.unary = call.unary_unary(f"/{SERVICE}/Unary")
        self.server_stream = call.unary_stream(f"/{SERVICE}/ServerStream")
        self.client_stream = call.stream_unary(f"/{SERVICE}/ClientStream")
        self.bidi_stream = call.stream_stream(f"/{SERVICE}/BidiStream")
        self.method: Any = call.unary_unary


@dataclass
class Running:
    """An Echo that serves in this process, and a client of it."""

    echo: Echo
    address: str
    client: EchoClient
    registry: CollectorRegistry

    def started(self, method: str, kind: str) -> float:
        """How many such calls began."""
        labels = {"grpc_service": SERVICE, "grpc_method": method, "grpc_type": kind}
        return self.registry.get_sample_value("grpc_server_started_total", labels) or 0

    def handled(self, method: str, kind: str, code: str) -> float:
        """How often such a call ended."""
        labels = {"grpc_service": SERVICE, "grpc_method": method, "grpc_type": kind, "grpc_code": code}
        return self.registry.get_sample_value("grpc_server_handled_total", labels) or 0

    def open_streams(self) -> float:
        """Server streams that are open now."""
        labels = {"grpc_service": SERVICE, "grpc_method": "ServerStream"}
        return self.registry.get_sample_value("grpc_server_open_streams", labels) or 0


@asynccontextmanager
async def assemble(service: Service[ServiceSettings]) -> AsyncIterator[None]:
    """The service with its name, its last word at the drain and no dependency."""
    echo = Echo()
    echo.add_to(service.server)
    service.serves(SERVICE)
    service.drain.on_drain(echo.say_last_word)
    yield
    if echo.fault == b"hold":
        await asyncio.Event().wait()
    while echo.fault == b"block":
        pass


if __name__ == "__main__":
    run_service("echo", ServiceSettings, assemble)
