"""The least that a table action can cost: one gRPC call whose handler makes one compare-and-set.

    python -m tests.bench.rates.ceiling_server SOCKET

State 2 KiB, event 200 B, answer 1 KiB; no game, no reading or writing of states. redis-py with hiredis and
without socket timeout, on uvloop; the server remembers versions, so an action is one round trip. `Act` is
unary, `Play` a stream per caller. It is a yardstick, not ours: change it only with its original.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from typing import Any, Final

import grpc
import redis.asyncio
import uvloop
from grpc import aio

SERVICE: Final = "bench.Table"
STATE: Final = os.urandom(2048)
EVENT: Final = os.urandom(200)
ANSWER: Final = b"r" * 1024
CONNECTIONS: Final = 256

Context = aio.ServicerContext[bytes, bytes]


class Table:
    """Every caller has a table of his own, named by the first eight bytes of his requests."""

    def __init__(self, client: redis.asyncio.Redis) -> None:
        self._client = client
        self._versions: dict[bytes, int] = {}

    async def act(self, request: bytes, context: Context) -> bytes:
        """Commit and answer."""
        table = request[:8]
        version = self._versions.get(table, 0)
        done, _ = await self._client.execute_command(
            "FCALL", "cas", 2, b"t" + table, b"e" + table, str(version), str(version + 1), STATE, EVENT
        )
        if done != 1:
            await context.abort(grpc.StatusCode.ABORTED, "lost the race")
        self._versions[table] = version + 1
        return ANSWER

    async def play(self, requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        """The same for each message of a stream."""
        async for request in requests:
            yield await self.act(request, context)


async def serve(socket: str) -> None:
    """Serve until killed; prints the port first."""
    pool: Any = redis.asyncio.ConnectionPool(
        connection_class=redis.asyncio.UnixDomainSocketConnection,
        path=socket,
        max_connections=CONNECTIONS,
        protocol=2,
        socket_timeout=None,
    )
    table = Table(redis.asyncio.Redis(connection_pool=pool))
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Act": grpc.unary_unary_rpc_method_handler(table.act),
        "Play": grpc.stream_stream_rpc_method_handler(table.play),
    }
    server = aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1]))
