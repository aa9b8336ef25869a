"""A process that was stopped, or waited for a busy machine: its clocks have gone on when it goes on."""

from __future__ import annotations

import asyncio


def stood_still(seconds: float) -> None:
    """For the running loop it is later by that at once, as if nothing had run meanwhile."""
    loop = asyncio.get_running_loop()
    clock = loop.time
    loop.time = lambda: clock() + seconds  # type: ignore[method-assign]  # only this test's own loop
