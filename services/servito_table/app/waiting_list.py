"""Who waits for a seat: the list, and the seats that are held for the first in it.

Pure decisions, state and wish to events. Whenever a seat is free that is held for nobody, it is offered to
the first in the list who has no offer (`offered`, after every decision); so nobody can wait while there is a
seat that nobody waits for. Who takes it is for `seating`, how long it is held for the commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito_table.app.commands import EndOffer, JoinWaitingList, LeaveWaitingList
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seat_events import SeatOffered, Unlisted, WaitingJoined, WaitingLeft
from servito_table.app.seating import free_seats
from servito_table.app.status import Status, not_closed

if TYPE_CHECKING:
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState

WAITERS: Final = 30
"""Most players in the list of a table: it is part of the state that every commit writes."""


def queued(
    state: TableState, command: JoinWaitingList | LeaveWaitingList | EndOffer
) -> tuple[TableEvent, ...]:
    """What the command does to the list. Raises TableRefused."""
    match command:
        case JoinWaitingList():
            return _join(state, command.player)
        case LeaveWaitingList():
            if not any(waiter.player == command.player for waiter in state.waiting):
                raise TableRefused(TableReason.NOT_WAITING, "you are not in the waiting list of this table")
            return (WaitingLeft(command.player, Unlisted.LEFT),)
        case EndOffer():
            return _lapsed(state, command.seat)


def offered(state: TableState) -> tuple[TableEvent, ...]:
    """The free seats that are held for nobody, to the first who have none yet."""
    if state.status in (Status.CLOSING, Status.CLOSED):
        return ()
    without = (waiter.player for waiter in state.waiting if waiter.seat is None)
    open_ms = state.config.seat_offer_ms
    return tuple(
        SeatOffered(seat, player, open_ms) for seat, player in zip(free_seats(state), without, strict=False)
    )


def cleared(state: TableState) -> tuple[TableEvent, ...]:
    """The end of the list, for a table that closes."""
    return tuple(WaitingLeft(waiter.player, Unlisted.CLOSED) for waiter in state.waiting)


def place_of(state: TableState, player: str) -> int | None:
    """The place of a player in the list, from 1; None if he is not in it."""
    places = (place for place, waiter in enumerate(state.waiting, 1) if waiter.player == player)
    return next(places, None)


def _join(state: TableState, player: str) -> tuple[TableEvent, ...]:
    not_closed(state)
    own = state.seat_of(player)
    if own is not None:
        raise TableRefused(TableReason.ALREADY_SEATED, f"you have seat {own.seat} at this table already")
    place = place_of(state, player)
    if place is not None:
        raise TableRefused(TableReason.ALREADY_WAITING, f"you wait already; your place is {place}")
    free = free_seats(state)
    if free:
        raise TableRefused(TableReason.SEAT_FREE, f"nobody waits for seat {free[0]}: sit down there")
    if len(state.waiting) >= WAITERS:
        raise TableRefused(
            TableReason.TABLE_FULL, f"the waiting list is full as well: {WAITERS} players wait already"
        )
    return (WaitingJoined(player),)


def _lapsed(state: TableState, seat: int) -> tuple[TableEvent, ...]:
    """Refused: STALE_TURN if the seat is held for nobody any more."""
    for waiter in state.waiting:
        if waiter.seat == seat:
            return (WaitingLeft(waiter.player, Unlisted.LAPSED),)
    raise TableRefused(TableReason.STALE_TURN, f"seat {seat} is held for nobody any more")
