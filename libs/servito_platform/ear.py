"""Messages of shard channels, handed to a callback as they come: at most once, so hints and never the truth.

Here: one connection that is subscribed to some channels, made anew when it breaks. While it was broken
messages were missed in silence; `missed` is called when it is back. A server that refuses a channel or ends a
subscription by itself counts as a break. Not here: what a message means; how a primary under Sentinel or a
Cluster is heard (sentinel_ear.py, cluster_ear.py; state.py makes the right one).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, Any, Final

import hiredis
import structlog

from servito_platform.lane import dial
from servito_platform.redis import StateUnavailable, pack

if TYPE_CHECKING:
    from servito_platform.redis import Argument

_AGAIN_SECONDS: Final = 0.5
_PING_SECONDS: Final = 5.0
"""A connection without a sign of life for two of these is taken for dead."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Ear:
    """See the module. `seconds`: how long connecting may take."""

    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._seconds = seconds
        self._channels: set[str] = set()
        self._wire: Wire | None = None

    def subscribe(self, channel: str) -> None:
        """Hear this channel, from now on or as soon as there is a connection."""
        self._channels.add(channel)
        if self._wire is not None:
            self._wire.say(("SSUBSCRIBE", channel))

    def unsubscribe(self, channel: str) -> None:
        """No longer hear it."""
        self._channels.discard(channel)
        if self._wire is not None:
            self._wire.say(("SUNSUBSCRIBE", channel))

    async def listen(self, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        """Keep the connection up, until cancelled. Neither callback may wait or raise."""
        try:
            while True:
                try:
                    await self._listen_once(heard, missed)
                except (TimeoutError, OSError, hiredis.ReplyError, StateUnavailable) as error:
                    _log.warning("ear_interrupted", error=type(error).__name__)
                await asyncio.sleep(_AGAIN_SECONDS)
        finally:
            await self._close()

    async def _listen_once(self, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        """One connection, from its beginning to its end."""
        url = await self._find()
        async with asyncio.timeout(self._seconds):
            wire = await dial(url, lambda: Wire(heard, self._channels), Wire.ask)
        try:
            for channel in self._channels:
                wire.say(("SSUBSCRIBE", channel))
            self._wire = wire
            missed()
            await self._until_over(wire)
        finally:
            self._wire = None
            wire.close()

    async def _find(self) -> str:
        """The address to connect to now."""
        return self._url

    async def _until_over(self, wire: Wire) -> None:
        """As long as the connection is worth keeping."""
        await wire.until_silent()

    async def _close(self) -> None:
        """At the end of listening: give back what `_find` needed."""


class Wire(asyncio.Protocol):
    """One connection while it lasts; `wanted`: the channels that it should hear, as they are now."""

    def __init__(self, heard: Callable[[bytes], None], wanted: Set[str]) -> None:
        self._heard = heard
        self._wanted = wanted
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._lost = asyncio.Event()
        self._alive = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol."""
        self._transport = transport  # type: ignore[assignment]  # a stream's transport is a Transport

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        self._alive = True
        self._reader.feed(data)
        while (message := self._reader.gets()) is not False:
            if self._answer is not None:
                self._settle(self._answer, message)
            elif isinstance(message, list) and message[0] == b"smessage":
                self._heard(message[2])
            elif self._goes_against_us(message):
                self._lost.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - why it was lost changes nothing
        """See asyncio.Protocol."""
        if self._answer is not None:
            self._settle(self._answer, StateUnavailable())
        self._lost.set()

    def ask(self, command: Sequence[Argument]) -> asyncio.Future[Any]:
        """Before any subscription: send a command and await its answer."""
        self._answer = self._loop.create_future()
        self.say(command)
        return self._answer

    def say(self, command: Sequence[Argument]) -> None:
        """Send a command whose answer means nothing to us."""
        if self._transport is not None:
            self._transport.write(pack(tuple(command)))

    async def until_silent(self) -> None:
        """Until the connection is lost, or gives no sign of life any more."""
        while self._alive and not self._lost.is_set():
            self._alive = False
            self.say(("PING",))
            try:
                async with asyncio.timeout(_PING_SECONDS):
                    await self._lost.wait()
            except TimeoutError:
                continue

    def close(self) -> None:
        """Give the connection back."""
        if self._transport is not None:
            self._transport.abort()

    def _goes_against_us(self, message: Any) -> bool:
        """A channel was refused, or a subscription ended that is wanted."""
        if isinstance(message, list):
            return bool(message[0] == b"sunsubscribe" and message[1].decode() in self._wanted)
        return isinstance(message, hiredis.ReplyError)

    def _settle(self, answer: asyncio.Future[Any], message: Any) -> None:
        self._answer = None
        if answer.done():
            return
        if isinstance(message, Exception):
            answer.set_exception(message)
        else:
            answer.set_result(message)
