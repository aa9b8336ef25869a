"""Ctrl-C, SIGTERM and SIGHUP: what runs is cancelled once and gets the time to put everything away.

Changes with `servito_local.until_stopped`, which does the same for a system that only has to be there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import uvloop

from servito_local.until_stopped import stopping

Result = TypeVar("Result")

INTERRUPTED: Final = 130
"""Exit code after any of them."""


def run_interruptible(work: Coroutine[Any, Any, Result]) -> Result | None:
    """The result of `work` in an event loop of its own; None when a signal ended it."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_run(work))


async def _run(work: Coroutine[Any, Any, Result]) -> Result | None:
    loop, signals = asyncio.get_running_loop(), stopping()
    task = asyncio.create_task(work)
    stopped = False

    def stop() -> None:
        """A second Ctrl-C must not cut off the putting away that the first one began."""
        nonlocal stopped
        if not stopped:
            stopped = True
            task.cancel()

    for number in signals:
        loop.add_signal_handler(number, stop)
    await asyncio.wait([task])
    for number in signals:
        loop.remove_signal_handler(number)
    return None if task.cancelled() else task.result()
