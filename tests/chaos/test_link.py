"""The way between two parts does what it says to it, over real connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.chaos.link import Link, Way, link_to
from tests.local.parts import until

SHORT = 0.2


class Echo:
    """A server that sends back what it gets, and notes it."""

    def __init__(self) -> None:
        self.got = b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while data := await reader.read(100):
                self.got += data
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.close()


class Client:
    """A connection over the way to an echo."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def says(self, data: bytes) -> None:
        """Send that."""
        self.writer.write(data)

    async def hears(self, size: int = 1, within: float = 20) -> bytes:
        """What comes back: so many bytes, in so many seconds."""
        return await asyncio.wait_for(self.reader.readexactly(size), within)

    async def is_reset(self) -> None:
        """Nothing comes back any more, and the client is told so."""
        with pytest.raises(ConnectionResetError):
            await self.hears()


@asynccontextmanager
async def connected(link: Link) -> AsyncIterator[Client]:
    """A new connection."""
    client = Client(*await asyncio.open_connection("127.0.0.1", link.port))
    try:
        yield client
    finally:
        client.writer.close()


@asynccontextmanager
async def echo_behind_a_link() -> AsyncIterator[tuple[Echo, Link, Client]]:
    """An echo, the way to it, and somebody who is connected over that."""
    echo = Echo()
    server = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
    async with (
        server,
        link_to(server.sockets[0].getsockname()[1]) as link,
        connected(link) as client,
    ):
        yield echo, link, client


async def test_an_open_way_hands_everything_on() -> None:
    """Both ways, also what is larger than a buffer."""
    async with echo_behind_a_link() as (_, _, client):
        client.says(b"x" * 300_000)
        assert await client.hears(300_000) == b"x" * 300_000


async def test_a_reset_is_a_reset() -> None:
    """The client is told at once, and may come again."""
    async with echo_behind_a_link() as (_, link, client):
        client.says(b"a")
        assert await client.hears() == b"a"
        link.reset()
        await client.is_reset()
        async with connected(link) as again:
            again.says(b"b")
            assert await again.hears() == b"b"


async def test_what_is_held_comes_late_and_whole() -> None:
    """Nothing is lost, and the connection lives on."""
    async with echo_behind_a_link() as (echo, link, client):
        link.become(Way.HELD)
        client.says(b"late")
        await asyncio.sleep(SHORT)
        assert echo.got == b""
        link.become(Way.OPEN)
        assert await client.hears(4) == b"late"


async def test_a_mute_way_carries_requests_and_loses_answers() -> None:
    """The server does what it was asked; its client never learns of it on that connection."""
    async with echo_behind_a_link() as (echo, link, client):
        link.become(Way.MUTE)
        client.says(b"done")
        await until(lambda: echo.got == b"done", 20)
        await asyncio.sleep(SHORT)
        link.become(Way.OPEN)
        await client.is_reset()


async def test_a_black_hole_swallows_both_ways() -> None:
    """Nothing arrives, nobody is told, until the way is open again and the connection is reset."""
    async with echo_behind_a_link() as (echo, link, client):
        link.become(Way.HOLE)
        client.says(b"lost")
        with pytest.raises(TimeoutError):
            await client.hears(within=SHORT)
        assert echo.got == b""
        link.become(Way.OPEN)
        await client.is_reset()
