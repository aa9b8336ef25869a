"""What tests ask a server besides its own methods.

Any, because the published types know blocking stubs only.
"""

from __future__ import annotations

from typing import Any

from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def health_of(channel: aio.Channel, name: str) -> int:
    """What the health service says of a name now."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    return int((await stub.Check(health_pb2.HealthCheckRequest(service=name))).status)


def watch_health(channel: aio.Channel, name: str) -> Any:
    """The stream of what it says from now on."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    return stub.Watch(health_pb2.HealthCheckRequest(service=name))


async def reflects(channel: aio.Channel) -> bool:
    """Whether the server describes its protocols."""
    call: Any = channel
    ask = call.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
    try:
        return await ask(iter([b""])).read() is not None
    except aio.AioRpcError as error:
        if error.code().name == "UNIMPLEMENTED":
            return False
        raise


async def read_to_end(stream: Any) -> None:
    """Take everything that still comes; raises what the server ended the stream with."""
    while await stream.read() != aio.EOF:
        pass
