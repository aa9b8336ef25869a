"""Connections and streams grow only so old: who comes later gets his share, and nobody sees an error."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from google.protobuf.wrappers_pb2 import BytesValue

from servito_platform.ages import Ages
from servito_platform.caller import development_tokens
from servito_platform.carrier import Carrier
from servito_platform.carrying import Carried
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_server import layered_server, listen, new_layers
from servito_platform.metrics import new_registry
from tests.platform.echo import SERVICE, Echo, EchoClient

PATH = f"/{SERVICE}/Unary"
AGES = Ages(connection_seconds=1.0)


async def unary(request: BytesValue, _context: Any) -> BytesValue:
    """Says it back."""
    return request


@asynccontextmanager
async def aging() -> AsyncIterator[str]:
    """The address of an Echo whose connections live for a second."""
    layers = new_layers(new_registry(), development_tokens)
    server, carried = layered_server(layers, AGES), Carried(layers, AGES)
    Echo().add_to(server)
    carried.add_method(PATH, unary, BytesValue.FromString)
    carried.serve_on(server)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    try:
        yield address
    finally:
        await server.stop(0)


async def test_calls_outlive_their_connections() -> None:
    """Calls go on over one connection after the other, none fails."""
    peers: set[bytes] = set()

    async def ask(client: EchoClient) -> None:
        async with asyncio.timeout(20):
            while len(peers) < 4:
                peers.add(await client.unary(b"peer"))

    async with (
        aging() as address,
        open_channel(address, timeout=5) as channel,
        asyncio.TaskGroup() as asking,
    ):
        for _ in range(8):
            asking.create_task(ask(EchoClient(channel)))


async def test_carried_calls_outlive_their_streams() -> None:
    """A carrier is led from stream to stream, also when nothing was asked over one, and no call fails."""
    async with (
        aging() as address,
        open_channel(address, timeout=5) as channel,
        Carrier(channel, timeout=5) as carrier,
    ):
        ask = carrier.method(PATH, BytesValue)
        opened: set[object] = set()  # held, or a later one may have the id of one before

        async def ask_often(times: int, pause: float) -> None:
            for number in range(times):
                request = BytesValue(value=b"%d" % number)
                assert await ask(request) == request
                opened.add(carrier._stream)
                await asyncio.sleep(pause)

        await asyncio.gather(*(ask_often(100, 0.03) for _ in range(4)))
        assert len(opened) >= 3
        await ask_often(3, 1.2)
