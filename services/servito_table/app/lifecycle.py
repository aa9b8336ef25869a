"""A table's own course: paused, resumed, closed by its owner; held by maintenance.

Pure decisions, state and wish to events. A pause keeps the next hand from beginning and touches nothing else.
Closing waits for the hand that runs; with its end everybody is cashed out, and what is left in the middle of
earlier deals goes back to those whose it is (`stakes`), so that no chip stays behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.commands import CloseTable, Hold, PauseTable, RetireTable
from servito_table.app.events import (
    CarriedReturned,
    CarriedShare,
    Lapse,
    Pause,
    RulesLapsed,
    Stood,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
)
from servito_table.app.evolve import fold
from servito_table.app.refusals import NotDue, TableReason, TableRefused
from servito_table.app.seating import departure, departures
from servito_table.app.stakes import apportioned
from servito_table.app.status import Status, not_closed
from servito_table.app.top_up import topped_up
from servito_table.app.waiting_list import cleared

if TYPE_CHECKING:
    from servito_table.app.commands import Course
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState


def course(state: TableState, wish: Course) -> tuple[TableEvent, ...]:
    """What the owner's wish does. Refused: NOT_PERMITTED, TABLE_CLOSED, NOTHING_TO_CHANGE; NotDue for a table
    that is not to be retired, or not to be held or released.
    """
    if isinstance(wish, RetireTable):
        if state.seats or state.waiting or state.status in (Status.CLOSING, Status.CLOSED):
            raise NotDue
        return _closing(state)
    if isinstance(wish, Hold):
        if state.held is wish.on or state.status in (Status.CLOSING, Status.CLOSED):
            raise NotDue
        return ((TablePaused if wish.on else TableResumed)(Pause.MAINTENANCE),)
    if wish.player != state.owner:
        raise TableRefused(TableReason.NOT_PERMITTED, "only who created the table may do this")
    if isinstance(wish, CloseTable):
        if state.status in (Status.CLOSING, Status.CLOSED):
            raise TableRefused(TableReason.NOTHING_TO_CHANGE, f"the table is {state.status} already")
        return _closing(state)
    not_closed(state)
    paused = state.status is Status.PAUSED
    if isinstance(wish, PauseTable) == paused:
        raise TableRefused(TableReason.NOTHING_TO_CHANGE, f"the table is {state.status} already")
    return (TableResumed() if paused else TablePaused(),)


def settled(state: TableState) -> tuple[TableEvent, ...]:
    """What follows where no hand runs: who left goes, chips that were noted come; a table that closes is
    emptied and is closed.
    """
    if state.status is not Status.CLOSING:
        return (*departures(state), *topped_up(state))
    returned = _returned(state)
    stood = tuple(
        departure(own, Stood.LEFT if own.leaving else Stood.CLOSED) for own in fold(state, returned).seats
    )
    return (*returned, *stood, TableClosed())


def _closing(state: TableState) -> tuple[TableEvent, ...]:
    """Nobody is asked about rules any more or waits for a seat; the rest follows from `settled`."""
    proposal = state.proposal
    lapsed = () if proposal is None else (RulesLapsed(proposal.number, Lapse.CLOSED),)
    return (*lapsed, *cleared(state), TableClosing())


def _returned(state: TableState) -> tuple[CarriedReturned, ...]:
    """The carried pot to its owners; of tables that an earlier release carried a pot at, where that was not
    noted, in equal parts to all who sit there, or to the table's owner, who has to find out.
    """
    if not state.between.carried:
        return ()
    seated = tuple((own.player, 1) for own in state.seats)
    stakes = state.stakes or seated or ((state.owner, 1),)
    seats = {own.player: own.seat for own in state.seats}
    shares = apportioned(state.between.carried, stakes)
    return (CarriedReturned(tuple(CarriedShare(name, seats.get(name), part) for name, part in shares)),)
