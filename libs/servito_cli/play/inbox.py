"""One queue for all that happens in a session, and the work that goes on beside it.

Whoever works it off is the only one who touches what the entries change, so nothing there needs a lock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any


class Inbox:
    """Entries are calls without arguments; `start` begins work that may put more of them in."""

    def __init__(self) -> None:
        self._entries: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

    def put(self, entry: Callable[[], None]) -> None:
        """Calls `entry` when its turn comes."""
        self._entries.put_nowait(entry)

    async def work_off(self, seconds: float) -> None:
        """Waits so long for an entry, and calls all that are there. Raises what a started work failed by."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                (await self._entries.get())()
        while not self._entries.empty():
            self._entries.get_nowait()()
        if self._failure is not None:
            raise self._failure

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begins `work`, which goes on beside the queue."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    @asynccontextmanager
    async def ending_work(self) -> AsyncIterator[None]:
        """Cancels what still goes on at the end."""
        try:
            yield
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            self.put(lambda: setattr(self, "_failure", failure))
