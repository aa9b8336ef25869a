"""A way to one TCP port that a test can harm: what networks do, without a network.

Here: resets, black holes, lost answers, late delivery. Bytes are never changed or reordered, as TCP would not
either. Not here: when (schedule.py) and which ways there are (world.py).
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum
from typing import Final, cast

from servito_local.ports import HOST

_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""SO_LINGER: closing sends a reset."""


class Way(Enum):
    """What becomes of bytes."""

    OPEN = "open"
    HELD = "held"
    """They wait, both ways, and come late."""
    HOLE = "hole"
    """They are lost, both ways; the connections stay until the way is open again."""
    MUTE = "mute"
    """Requests arrive and are carried out; their answers are lost."""


class _End(asyncio.Protocol):
    """One half of a connection: what it reads goes to its `other` half."""

    def __init__(self, link: Link, *, answers: bool) -> None:
        self._link = link
        self._answers = answers
        self.other: _End | None = None
        self.transport: asyncio.Transport | None = None
        self.waiting = bytearray()
        self.lost = False
        """It has swallowed bytes, so its connection can never be used again."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        if self.other is None:
            self._link.connected(self)
        else:
            self.other.flush()

    def data_received(self, data: bytes) -> None:
        way = self._link.way
        if way is Way.HOLE or (way is Way.MUTE and self._answers):
            self.lost = True
            return
        self.waiting += data
        self.flush()

    def flush(self) -> None:
        """Hand over what waits, if it may pass."""
        there = self.other.transport if self.other else None
        if there is None or there.is_closing():
            return
        if self.waiting and self._link.way is not Way.HELD:
            there.write(bytes(self.waiting))
            self.waiting.clear()

    def connection_lost(self, _exc: Exception | None) -> None:
        self._link.ends.discard(self)
        if self.other and self.other.transport and self._link.way is not Way.HOLE:
            self.other.transport.close()

    def pause_writing(self) -> None:
        if self.other and self.other.transport:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other and self.other.transport and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def reset(self) -> None:
        """End the connection as a crash would."""
        if self.transport is not None and not self.transport.is_closing():
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            self.transport.abort()


class Link:
    """The way to `target`, a port of this machine; clients connect to `port`."""

    def __init__(self, target: int) -> None:
        self._target = target
        self.port = 0
        self.way = Way.OPEN
        self.ends: set[_End] = set()
        self._connecting: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _End(self, answers=False), HOST, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and end every connection."""
        if self._server is not None:
            self._server.close()
        for task in self._connecting:
            task.cancel()
        self.reset()

    def connected(self, end: _End) -> None:
        """A client came: connect it through."""
        self.ends.add(end)
        task = asyncio.create_task(self._connect(end))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    def become(self, way: Way) -> None:
        """From now on bytes fare so. Connections that have lost some are reset when the way is open again."""
        self.way = way
        if way is Way.OPEN:
            for end in list(self.ends):
                if end.lost or (end.other and end.other.lost):
                    end.reset()
                else:
                    end.flush()

    def reset(self) -> None:
        """Reset every connection; new ones may come."""
        for end in list(self.ends):
            end.reset()

    async def _connect(self, end: _End) -> None:
        there = _End(self, answers=True)
        there.other = end
        try:
            await asyncio.get_running_loop().create_connection(lambda: there, HOST, self._target)
        except OSError:  # nobody listens at the moment: the client is told as if he had asked there
            end.reset()
            return
        self.ends.add(there)
        end.other = there
        end.flush()
        if end.transport is None or end.transport.is_closing():
            there.reset()


@asynccontextmanager
async def link_to(port: int) -> AsyncIterator[Link]:
    """A way to `port` as long as the context lasts."""
    link = Link(port)
    await link.open()
    try:
        yield link
    finally:
        await link.close()
