"""Channels: every replica gets its share, and only what may be repeated is repeated."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from grpc import aio

from servito_platform.caller import development_tokens
from servito_platform.errors import RpcError
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_server import listen, new_server
from servito_platform.metrics import new_registry
from tests.platform.echo import SERVICE, EchoClient


@asynccontextmanager
async def answering(unary: Callable[[bytes, Any], Awaitable[bytes]]) -> AsyncIterator[str]:
    """The address of a server whose Unary is this function."""
    server = new_server(new_registry(), development_tokens)
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Unary": grpc.unary_unary_rpc_method_handler(unary)
    }
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, handlers)])
    address = listen(server, "127.0.0.1:0")
    await server.start()
    yield address
    await server.stop(0)


class Stumbling:
    """Says UNAVAILABLE the first two times."""

    def __init__(self) -> None:
        self.calls = 0

    async def unary(self, request: bytes, _context: object) -> bytes:
        """Counts, stumbles, then answers."""
        self.calls += 1
        if self.calls <= 2:
            raise RpcError(grpc.StatusCode.UNAVAILABLE, "STUMBLED", "try again")
        return request


async def test_what_may_be_repeated_is_repeated() -> None:
    """A service named as repeatable is asked again after UNAVAILABLE, without its caller noticing."""
    stumbling = Stumbling()
    async with (
        answering(stumbling.unary) as address,
        open_channel(address, timeout=5, repeatable=[SERVICE]) as channel,
    ):
        assert await EchoClient(channel).unary(b"x") == b"x"
    assert stumbling.calls == 3


async def test_nothing_else_is_repeated() -> None:
    """A service that is not named gets each call once: a repeat could do it twice (PITFALLS G6)."""
    stumbling = Stumbling()
    async with answering(stumbling.unary) as address, open_channel(address, timeout=5) as channel:
        with pytest.raises(aio.AioRpcError) as caught:
            await EchoClient(channel).unary(b"x")
    assert RpcError.from_call(caught.value).reason == "STUMBLED"
    assert stumbling.calls == 1


async def test_calls_go_round_all_replicas() -> None:
    """Of two servers behind one name each gets half, and one alone gets all when the other ends (G5)."""

    async def first(_request: bytes, _context: object) -> bytes:
        return b"first"

    async def second(_request: bytes, _context: object) -> bytes:
        return b"second"

    async with answering(first) as one:
        async with answering(second) as two, open_channel(f"ipv4:{one},{two}", timeout=5) as channel:
            client = EchoClient(channel)
            heard: set[bytes] = set()
            async with asyncio.timeout(20):
                while len(heard) < 2:  # until both connections stand
                    heard.add(await client.unary(b""))
            counts = Counter([await client.unary(b"") for _ in range(100)])
            assert counts == {b"first": 50, b"second": 50}
        async with open_channel(f"ipv4:{one},{two}", timeout=5) as channel:
            assert {await EchoClient(channel).unary(b"") for _ in range(20)} == {b"first"}
