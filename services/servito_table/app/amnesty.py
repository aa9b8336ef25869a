"""The amnesty after an outage: clocks that ran while nobody could act get their time again.

Pure. Whether a clock ran through an outage is the commit's to know (commit.lua): it is the only one that sees
deadline, outage and time in one step. The answer to an expired turn is then not its end but this command,
which keeps the turn and begins its clock anew, as a time bank does. Waits of the service itself (cards, the
next hand) are ended at once: they are nobody's time. So are those beside the turn, which are long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito_table.app.acting_events import ClockRestored
from servito_table.app.commands import RestoreClock
from servito_table.app.moment import check_turn
from servito_table.app.refusals import NotDue
from servito_table.app.waits import wait_of

if TYPE_CHECKING:
    from servito_table.app.commits import Commit, Spared
    from servito_table.app.state import TableState

LEAST_MS: Final = 5_000
"""What a player has after an outage at the least, if his clock is as long: he has to find his way back."""


def restoring(refused: Commit, spared: Spared) -> RestoreClock:
    """What is to be done instead of a turn's end: its clock goes on from where the outage stopped it."""
    if refused.before is None:
        raise ValueError("a table that is created has no turn")
    ms = max(spared.left_ms, min(spared.whole_ms, LEAST_MS))
    return RestoreClock(refused.before.state.turn, ms)


def restored(state: TableState, command: RestoreClock) -> tuple[ClockRestored, ...]:
    """Refused: STALE_TURN; NotDue where no seat is to act."""
    check_turn(state, command.turn)
    seat = wait_of(state).seat
    if seat is None:
        raise NotDue
    return (ClockRestored(seat, command.ms),)
