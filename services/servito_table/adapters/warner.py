"""When the seats to act of the watched tables are warned that their clocks run out soon.

Only timers of this process: a warning is no commit, and whoever watches elsewhere is warned there. A table
has one timer at most. It is not moved with every commit: when it fires too early it is set again, so that
quick play costs a comparison.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_platform.clock import Clock
    from servito_table.app.commits import Known


def warning_due(known: Known) -> int:
    """When the seat to act is to be warned, in server ms; 0 for never: nobody is to act, or for so short a
    time that it would be warned at once.
    """
    hand, before = known.state.running, known.state.config.warn_ms
    if hand is None or hand.to_act is None or known.deadline - known.started <= before:
        return 0
    return known.deadline - before


@dataclass(slots=True)
class _Alarm:
    timer: asyncio.TimerHandle
    at: int


class Warner:
    """Calls `ring` with the id of a table when its seat to act is to be warned; `known` knows the watched
    ones.
    """

    def __init__(
        self, clock: Clock, known: Callable[[str], Known | None], ring: Callable[[str], None]
    ) -> None:
        self._clock = clock
        self._known = known
        self._ring = ring
        self._alarms: dict[str, _Alarm] = {}
        self._warned: dict[str, int] = {}
        """The deadline that was warned of last, of tables that are watched."""

    def look(self, known: Known) -> None:
        """A watched table is so now."""
        table_id = known.state.id
        alarm = self._alarms.get(table_id)
        if alarm is not None and alarm.at <= known.deadline - known.state.config.warn_ms:
            return  # it looks again when it fires
        due = warning_due(known)
        if not due or self._warned.get(table_id) == known.deadline:
            return
        if alarm is not None:
            alarm.timer.cancel()
        seconds = max(0, due - self._clock.now_ms()) / 1000
        timer = asyncio.get_running_loop().call_later(seconds, self._fired, table_id)
        self._alarms[table_id] = _Alarm(timer, due)

    def forget(self, table_id: str) -> None:
        """Nobody watches the table any more."""
        self._warned.pop(table_id, None)
        alarm = self._alarms.pop(table_id, None)
        if alarm is not None:
            alarm.timer.cancel()

    def _fired(self, table_id: str) -> None:
        del self._alarms[table_id]
        known = self._known(table_id)
        if known is None:
            return
        due = warning_due(known)
        if due and due <= self._clock.now_ms():
            self._warned[table_id] = known.deadline
            self._ring(table_id)
        else:
            self.look(known)
