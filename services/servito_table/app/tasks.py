"""Work that outlives the call that began it: a commit whose caller went away, a hand that goes on by itself.

Nothing here knows tables. Whoever stops the process drains these first.
"""

from __future__ import annotations

import asyncio
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


class Tasks:
    """The running tasks of one process."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Await `work`; if the caller is cancelled meanwhile, it runs to its end all the same."""
        return await asyncio.shield(self._start(work, copy_context()))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let `work` run by itself, outside of the call: its deadline and its caller do not hold there."""
        self._start(work, Context())

    async def drain(self) -> None:
        """Until nothing runs any more."""
        while self._running:
            await asyncio.wait(self._running)

    def _start(self, work: Coroutine[Any, Any, T], context: Context) -> asyncio.Task[T]:
        task = asyncio.create_task(work, context=context)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task
