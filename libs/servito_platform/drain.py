"""Stopping on request: SIGTERM or SIGINT, then everything ends in order and in bounded time.

Order: health says NOT_SERVING, and our own clients, who follow it, go elsewhere; the server takes no new
call, while the parts that asked to be told (streams that should end with a last word) are told and running
calls finish; connections close. The second signal cuts the waiting short. Whatever does not end in its time,
a last resort ends the process: a thread, because what hangs may be the event loop itself.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

_HURRY_SECONDS: Final = 1.0
"""What is left to a process that was told to stop a second time."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Farewell = Callable[[], Awaitable[None]]


class Drain:
    """The wish to stop, and who wants to know of it."""

    def __init__(self) -> None:
        self._requests = 0
        self._requested = asyncio.Event()
        self._hurried = asyncio.Event()
        self._farewells: list[Farewell] = []
        self._last_resort: LastResort | None = None

    def watch_signals(self, seconds: float) -> None:
        """Let SIGTERM and SIGINT request the drain, which lasts `seconds` at most; to be called inside the
        running loop.
        """
        self._last_resort = LastResort(seconds)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.request)

    def request(self) -> None:
        """Begin to stop; called again: stop without waiting for anybody."""
        again = self._requested.is_set()
        (self._hurried if again else self._requested).set()
        if self._last_resort is not None:
            self._last_resort.arm(hurry=again)

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

    async def unless_hurried(self, work: Awaitable[object]) -> bool:
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


class LastResort:
    """Ends the process `seconds` after it was armed, unless it has ended by itself; exit code `code`."""

    def __init__(self, seconds: float, code: int = 0) -> None:
        self._seconds = seconds
        self._code = code
        self._timer: threading.Timer | None = None

    def arm(self, *, hurry: bool = False) -> None:
        """Count from now; `hurry`: there is a second left."""
        seconds = min(self._seconds, _HURRY_SECONDS) if hurry else self._seconds
        if self._timer is not None:
            if not hurry:
                return
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self._end, (seconds,))
        self._timer.daemon = True  # who ends by himself does not wait for it
        self._timer.start()

    def _end(self, seconds: float) -> None:
        _log.warning("drain_cut_short", seconds=seconds)
        os._exit(self._code)
