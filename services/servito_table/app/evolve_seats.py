"""How the events of `seat_events` move a table's state: presence, chips to come, the waiting list.

Total and without checks, like `evolve`, which calls this with a copy of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from servito_table.app.seat_events import (
    SatIn,
    SatOut,
    SeatOffered,
    SeatPresent,
    SeatsEvent,
    ToppedUp,
    TopUpAsked,
    WaitingJoined,
)
from servito_table.app.state import Seated, Waiter

if TYPE_CHECKING:
    from servito_core.events import TurnExpired
    from servito_table.app.state import TableState


def seats_changed(table: TableState, event: SeatsEvent) -> TableState:
    """`table`, a copy of the caller's own, after `event`."""
    match event:
        case SatOut() | SatIn() | SeatPresent() | TopUpAsked() | ToppedUp():
            table.seats = tuple(_seat(own, event) if own.seat == event.seat else own for own in table.seats)
        case WaitingJoined(player):
            table.waiting = (*table.waiting, Waiter(player))
        case SeatOffered(seat, player):
            table.waiting = tuple(
                replace(waiter, seat=seat) if waiter.player == player else waiter for waiter in table.waiting
            )
        case _:
            unlist(table, event.player)
    return table


def expired(table: TableState, event: TurnExpired) -> None:
    """A turn of the seat expired; `table` is a copy of the caller's own."""
    table.seats = tuple(
        replace(own, missed=own.missed + 1) if own.seat == event.seat else own for own in table.seats
    )


def vacated(table: TableState, seat: int) -> None:
    """The seat is free. What it would have paid to play for a carried pot was its player's, not the next
    one's, who is as free to play as any newcomer.
    """
    table.seats = tuple(own for own in table.seats if own.seat != seat)
    if seat in table.between.dues:
        dues = {other: due for other, due in table.between.dues.items() if other != seat}
        table.between = replace(table.between, dues=dues)


def unlist(table: TableState, player: str) -> None:
    """The player waits no longer."""
    if table.waiting:
        table.waiting = tuple(waiter for waiter in table.waiting if waiter.player != player)


def _seat(own: Seated, event: SatOut | SatIn | SeatPresent | TopUpAsked | ToppedUp) -> Seated:
    match event:
        case SatOut(_, reason):
            return replace(own, sitting_out=reason)
        case SatIn():
            return replace(own, sitting_out=None, missed=0)
        case SeatPresent():
            return replace(own, missed=0)
        case TopUpAsked(_, amount):
            return replace(own, top_up=amount)
        case ToppedUp(_, _, amount):
            return replace(own, stack=own.stack + amount, top_up=0)
