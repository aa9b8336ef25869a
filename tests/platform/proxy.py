"""A TCP proxy in front of a server that swallows answers when told: what a network may do at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Proxy:
    """While `drop_answers` is above zero, an answer is swallowed and its connection cut.

    While `open` is not set, requests wait. From a request on that has `fatal` in it, no answer gets through.
    On a connection with a request that has `marked` in it no answer to that or later ones does; it is cut,
    unless `silent`. Others are as ever, so whoever sends again gets through to the server.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self.drop_answers = 0
        self.port = 0
        self.open = asyncio.Event()
        self.open.set()
        self.fatal: bytes | None = None
        self.marked: bytes | None = None
        self.passes: int | None = None
        """So many requests pass, then `open` is cleared, and `closed` set."""
        self.closed = asyncio.Event()
        self.silent = False
        self.struck = asyncio.Event()
        """The fatal request has passed."""
        self._waiting = 0
        self._closing = False
        self._connections: set[asyncio.Task[None]] = set()

    def waits(self) -> bool:
        """Whether a request waits for the way to open."""
        return not self.open.is_set() and self._waiting > 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a connection."""
        task = asyncio.create_task(self._serve(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def close(self) -> None:
        """Wait until every connection has ended; the clients are closed already. What still waits for the way
        to open is lost.
        """
        self._closing = True
        self.open.set()
        await asyncio.gather(*self._connections)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:  # the server is down, as its client now learns
            writer.close()
            return
        doomed = asyncio.Event()
        forward = asyncio.create_task(self._copy(reader, upstream_writer, doomed, drop=False))
        back = asyncio.create_task(self._copy(upstream_reader, writer, doomed, drop=True))
        await asyncio.wait({forward, back}, return_when=asyncio.FIRST_COMPLETED)
        for task in (forward, back):
            task.cancel()
        for end in (writer, upstream_writer):
            end.close()
            with suppress(ConnectionError):
                await end.wait_closed()

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        doomed: asyncio.Event,
        *,
        drop: bool,
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if drop and self.drop_answers:
                    self.drop_answers -= 1
                    return
                if drop and (self.struck.is_set() or doomed.is_set()):
                    if doomed.is_set() and not self.silent:
                        return
                    continue
                if not drop:
                    self._waiting += 1
                    try:
                        await self.open.wait()
                    finally:
                        self._waiting -= 1
                    if self._closing:
                        return
                    self._count()
                    if self.fatal is not None and self.fatal in data:
                        self.struck.set()
                    if self.marked is not None and self.marked in data:
                        doomed.set()
                writer.write(data)
                await writer.drain()

    def _count(self) -> None:
        if self.passes is not None:
            self.passes -= 1
            if self.passes <= 0:
                self.open.clear()
                self.closed.set()


@asynccontextmanager
async def proxy_to(port: int) -> AsyncIterator[Proxy]:
    """A running proxy on a free port of loopback."""
    proxy = Proxy(port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await server.wait_closed()
        await proxy.close()
