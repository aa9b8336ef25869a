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


@asynccontextmanager
async def echo_behind_a_link() -> AsyncIterator[tuple[Echo, Link]]:
    """An echo, and the way to it."""
    echo = Echo()
    server = await asyncio.start_server(echo.serve, "127.0.0.1", 0)
    async with server, link_to(server.sockets[0].getsockname()[1]) as link:
        yield echo, link


async def test_an_open_way_hands_everything_on() -> None:
    """Both ways, also what is larger than a buffer."""
    async with echo_behind_a_link() as (_, link):
        reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
        writer.write(b"x" * 300_000)
        assert await asyncio.wait_for(reader.readexactly(300_000), 20) == b"x" * 300_000
        writer.close()


async def test_a_reset_is_a_reset() -> None:
    """The client is told at once, and may come again."""
    async with echo_behind_a_link() as (_, link):
        reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
        writer.write(b"a")
        assert await asyncio.wait_for(reader.readexactly(1), 20) == b"a"
        link.reset()
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(reader.readexactly(1), 20)
        writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
        writer.write(b"b")
        assert await asyncio.wait_for(reader.readexactly(1), 20) == b"b"
        writer.close()


async def test_what_is_held_comes_late_and_whole() -> None:
    """Nothing is lost, and the connection lives on."""
    async with echo_behind_a_link() as (echo, link):
        reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
        link.become(Way.HELD)
        writer.write(b"late")
        await asyncio.sleep(SHORT)
        assert echo.got == b""
        link.become(Way.OPEN)
        assert await asyncio.wait_for(reader.readexactly(4), 20) == b"late"
        writer.close()


async def test_a_mute_way_carries_requests_and_loses_answers() -> None:
    """The server does what it was asked; its client never learns of it on that connection."""
    async with echo_behind_a_link() as (echo, link):
        reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
        link.become(Way.MUTE)
        writer.write(b"done")
        await until(lambda: echo.got == b"done", 20)
        await asyncio.sleep(SHORT)
        link.become(Way.OPEN)
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(reader.readexactly(4), 20)
        writer.close()


async def test_a_black_hole_swallows_both_ways() -> None:
    """Nothing arrives, nobody is told, until the way is open again and the connection is reset."""
    async with echo_behind_a_link() as (echo, link):
        reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
        link.become(Way.HOLE)
        writer.write(b"lost")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.readexactly(1), SHORT)
        assert echo.got == b""
        link.become(Way.OPEN)
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(reader.readexactly(1), 20)
        writer.close()
