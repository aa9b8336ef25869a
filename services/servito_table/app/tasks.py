"""Work that outlives the call that began it: a commit whose caller went away, a hand that goes on by itself.

Nothing here knows tables. Whoever stops the process drains these first.
"""

from __future__ import annotations

import asyncio
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from servito_platform.log_context import apart

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Tasks:
    """The running tasks of one process. `answers`: exceptions that are answers to a caller, and no fault of
    ours.
    """

    def __init__(self, *answers: type[Exception]) -> None:
        self._answers = answers
        self._running: set[asyncio.Task[Any]] = set()

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Await `work`; if the caller is cancelled meanwhile, it runs to its end all the same."""
        task = self._start(work, copy_context())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._ended_unheard)
            raise

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Let `work` run by itself, outside of the call: its deadline and caller do not hold there. Only what
        it logs still belongs to what the call's lines do.
        """
        self._start(work, apart()).add_done_callback(self._ended_unheard)

    async def drain(self) -> None:
        """Until nothing runs any more."""
        while self._running:
            await asyncio.wait(self._running)

    def _start(self, work: Coroutine[Any, Any, T], context: Context) -> asyncio.Task[T]:
        task = asyncio.create_task(work, context=context)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def _ended_unheard(self, task: asyncio.Task[Any]) -> None:
        """An answer that nobody waits for is dropped; a fault is told, since no call will tell it."""
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, self._answers):
            _log.error("task_failed_unheard", exc_info=error)
