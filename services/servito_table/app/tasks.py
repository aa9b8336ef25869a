"""Work that outlives the call that began it: a commit whose caller went away, a hand that goes on by itself.

Nothing here knows tables. Whoever stops the process drains these first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from servito_platform.log_context import apart

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from contextvars import Context

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
        heard: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._start(self._tell(heard, work), None)
        try:
            return await heard
        except asyncio.CancelledError:
            if heard.done() and not heard.cancelled():
                self._unheard(heard.exception())  # it ended as the caller went away
            raise

    async def _tell(self, heard: asyncio.Future[T], work: Coroutine[Any, Any, T]) -> None:
        """What `asyncio.shield` does, without its callbacks: it is done with every act."""
        try:
            answer = await work
        except asyncio.CancelledError:
            heard.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets it
            if heard.done():
                self._unheard(error)
            else:
                heard.set_exception(error)
        else:
            if not heard.done():
                heard.set_result(answer)

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Let `work` run by itself, outside of the call: its deadline and caller do not hold there. Only what
        it logs still belongs to what the call's lines do.
        """
        self._start(work, apart()).add_done_callback(self._ended)

    async def drain(self) -> None:
        """Until nothing runs any more."""
        while self._running:
            await asyncio.wait(self._running)

    def _start(self, work: Coroutine[Any, Any, T], context: Context | None) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work, context=context)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._unheard(None if task.cancelled() else task.exception())

    def _unheard(self, error: BaseException | None) -> None:
        """An answer that nobody waits for is dropped; a fault is told, since no call will tell it."""
        if error is not None and not isinstance(error, self._answers):
            _log.error("task_failed_unheard", exc_info=error)
