"""Who is dealt in and who is not: sitting out by wish, being away, coming back, and who sat out for too long.

Pure decisions, state and wish to events. Sitting out concerns the hands to come: the running one is played
on. A seat whose turns expire again and again is away: it sits out by itself, and its clock in the running
hand is short (`waits`), until its player acts or sits in. A seat that cannot or does not want to be dealt in
is idle; after a time that the table sets it stands by itself, so that no seat is taken for ever. That time
runs until the seat is dealt in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.deals import is_short
from servito_table.app.commands import SitIn, SitOut
from servito_table.app.events import Stood
from servito_table.app.house_rules import left
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seat_events import Absence, SatIn, SatOut, SeatPresent
from servito_table.app.seating import departure, standing

if TYPE_CHECKING:
    from servito_table.app.commands import EndIdle
    from servito_table.app.events import TableEvent
    from servito_table.app.state import Seated, TableState


def presence(state: TableState, wish: SitOut | SitIn) -> tuple[TableEvent, ...]:
    """The player sits out or in. Refused: NOT_SEATED, NOTHING_TO_CHANGE."""
    own = standing(state, wish.player)
    if isinstance(wish, SitIn):
        if own.sitting_out is None:
            raise TableRefused(TableReason.NOTHING_TO_CHANGE, "your seat does not sit out")
        return (SatIn(own.seat),)
    if own.sitting_out is Absence.ASKED:
        raise TableRefused(TableReason.NOTHING_TO_CHANGE, "your seat sits out already")
    return (SatOut(own.seat, Absence.ASKED),)


def back(state: TableState, player: str) -> tuple[TableEvent, ...]:
    """What it means that the player acts by himself, or says beforehand how he does: expired turns count no
    more, and who was away is there again. Who sits out because he asked for it still does.
    """
    own = state.seat_of(player)
    if own is None or not own.missed:
        return ()
    return (SatIn(own.seat) if own.sitting_out is Absence.AWAY else SeatPresent(own.seat),)


def gone(state: TableState, seat: int) -> tuple[TableEvent, ...]:
    """What it means that a turn of `seat` has just expired: after too many in a row it is away."""
    for own in state.seats:
        if own.seat == seat and own.sitting_out is None and own.missed >= state.config.away_after:
            return (SatOut(seat, Absence.AWAY),)
    return ()


def is_idle(state: TableState, own: Seated) -> bool:
    """Whether the seat is not in a hand and would not be dealt into another: it sits out or is short."""
    broke = own.stack <= 0 or (state.rules.ante_short != "all_in" and is_short(state.rules, own.stack))
    return (broke or own.sitting_out is not None) and state.in_hand(own.seat) is None


def removed(state: TableState, command: EndIdle) -> tuple[TableEvent, ...]:
    """The seat stands and is cashed out; nothing happens where its player is back and only waits for a hand.
    Refused: STALE_TURN if it is not taken or was dealt in.
    """
    own = next((own for own in state.seats if own.seat == command.seat), None)
    if own is None or state.in_hand(own.seat) is not None:
        raise TableRefused(TableReason.STALE_TURN, f"seat {command.seat} is not idle any more")
    if not is_idle(state, own):
        return ()
    return (*left(state), departure(own, Stood.REMOVED))
