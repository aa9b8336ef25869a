"""Stopping on request: SIGTERM or SIGINT, then everything ends in order and in bounded time.

Order: health says NOT_SERVING; the parts that asked to be told (streams that should end with a last word)
are told; the server takes no new call and lets running ones finish; connections close. The second signal
cuts the waiting short.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

import structlog

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Farewell = Callable[[], Awaitable[None]]


class Drain:
    """The wish to stop, and who wants to know of it."""

    def __init__(self) -> None:
        self._requests = 0
        self._requested = asyncio.Event()
        self._hurried = asyncio.Event()
        self._farewells: list[Farewell] = []

    def watch_signals(self) -> None:
        """Let SIGTERM and SIGINT request the drain; to be called inside the running loop."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.request)

    def request(self) -> None:
        """Begin to stop; called again: stop without waiting."""
        (self._hurried if self._requested.is_set() else self._requested).set()

    @property
    def requested(self) -> bool:
        """Whether the service is stopping."""
        return self._requested.is_set()

    def on_drain(self, farewell: Farewell) -> None:
        """Have `farewell` called once when the drain begins."""
        self._farewells.append(farewell)

    async def wait(self) -> None:
        """Until the drain is requested."""
        await self._requested.wait()

    async def say_farewell(self, seconds: float) -> None:
        """Tell all who asked, together, for `seconds` at most; what fails is logged and holds nobody up."""
        tasks = {asyncio.ensure_future(farewell()) for farewell in self._farewells}
        if not tasks:
            return
        done, late = await asyncio.wait(tasks, timeout=seconds)
        for task in late:
            task.cancel()
        failed = [task.exception() for task in done if task.exception()]
        if late or failed:
            _log.warning("farewell_incomplete", late=len(late), failed=[type(e).__name__ for e in failed])

    async def unless_hurried(self, work: Awaitable[None]) -> bool:
        """Await `work`, or leave it as soon as the second signal comes; whether it was finished."""
        task = asyncio.ensure_future(work)
        hurry = asyncio.ensure_future(self._hurried.wait())
        await asyncio.wait({task, hurry}, return_when=asyncio.FIRST_COMPLETED)
        hurry.cancel()
        if task.done():
            task.result()
            return True
        task.cancel()
        return False
