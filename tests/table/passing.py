"""Time that passes when nothing else happens, and only then: what a test says of moments holds on any
machine.

A loop whose next timer is a second away does not wait for it, its clock is put on instead; and while a test,
or the machine, stands still, no time passes at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import asyncio

CLOCKS = ("servito_table.adapters.watcher.monotonic", "servito_table.adapters.hub.monotonic")
"""Who looks at a clock without asking the loop."""


class PassingTime:
    """The clock of a loop that serves no sockets of others."""

    def __init__(self, loop: asyncio.AbstractEventLoop, patch: pytest.MonkeyPatch) -> None:
        self._now = loop.time()
        selector: Any = loop._selector  # type: ignore[attr-defined]  # where a loop waits
        self._look = selector.select
        patch.setattr(loop, "time", self.now)
        patch.setattr(selector, "select", self._select)
        for clock in CLOCKS:
            patch.setattr(clock, self.now)

    def now(self) -> float:
        """Seconds."""
        return self._now

    def _select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return self._look(None)
        events = self._look(0)
        if not events:
            self._now += max(timeout, 0)
        return events
