"""Who may sit, and what standing up means: one seat per player and table, buy-ins within the table's limits.

Pure decisions, state and wish to events. A seat without chips stays taken and is not dealt in. Chips of a
seat that was dealt into the running hand belong to the hand until it is over, whether the seat folded or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.events import PlayerSat, PlayerStood, Stood
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.status import not_closed
from servito_table.app.time_bank import brought

if TYPE_CHECKING:
    from servito_table.app.commands import Sit
    from servito_table.app.events import TableEvent
    from servito_table.app.state import Seated, TableState


def sit(state: TableState, wish: Sit) -> tuple[TableEvent, ...]:
    """The player takes the seat. Refused: ALREADY_SEATED, NO_SUCH_SEAT, SEAT_TAKEN, SEAT_RESERVED,
    TABLE_FULL, BUY_IN_OUT_OF_LIMITS, TABLE_CLOSED.
    """
    not_closed(state)
    own = state.seat_of(wish.player)
    if own is not None:
        raise TableRefused(TableReason.ALREADY_SEATED, f"you have seat {own.seat} at this table already")
    seat = _free_seat(state, wish.player, wish.seat)
    least, most = state.config.min_buy_in, state.config.max_buy_in
    if not least <= wish.buy_in <= most:
        raise TableRefused(
            TableReason.BUY_IN_OUT_OF_LIMITS, f"a buy-in at this table is {least}..{most} chips"
        )
    return (PlayerSat(seat, wish.player, wish.buy_in, time_banks=brought(state, wish.player)),)


def standing(state: TableState, player: str) -> Seated:
    """The seat of a player. Refused: NOT_SEATED, also for who has left it and only waits for his chips."""
    own = state.seat_of(player)
    if own is None:
        raise TableRefused(TableReason.NOT_SEATED, "you have no seat at this table")
    if own.leaving:
        raise TableRefused(
            TableReason.NOT_SEATED, "you have left already; your chips come back when the hand is over"
        )
    return own


def departures(state: TableState) -> tuple[TableEvent, ...]:
    """Those who left during the hand that is over now, with what they cash out."""
    return tuple(departure(own) for own in state.seats if own.leaving)


def departure(own: Seated, reason: Stood = Stood.LEFT) -> PlayerStood:
    """The seat empties and its chips leave the table."""
    return PlayerStood(own.seat, own.player, own.stack, reason)


def free_seats(state: TableState) -> list[int]:
    """The seats that nobody has taken and that are held for nobody, ascending."""
    gone = {own.seat for own in state.seats} | {waiter.seat for waiter in state.waiting}
    return [seat for seat in range(state.config.seats) if seat not in gone]


def _free_seat(state: TableState, player: str, wanted: int | None) -> int:
    """The seat that the player gets: the one that he wants, else that which is held for him, else a free
    one.
    """
    held = {waiter.seat: waiter.player for waiter in state.waiting if waiter.seat is not None}
    if wanted is None:
        own = next((seat for seat, waiter in held.items() if waiter == player), None)
        seat = own if own is not None else next(iter(free_seats(state)), None)
        if seat is None:
            raise TableRefused(TableReason.TABLE_FULL, _full(state.config.seats, len(held)))
        return seat
    if not 0 <= wanted < state.config.seats:
        raise TableRefused(TableReason.NO_SUCH_SEAT, f"the seats are 0..{state.config.seats - 1}")
    if any(own.seat == wanted for own in state.seats):
        raise TableRefused(TableReason.SEAT_TAKEN, f"seat {wanted} is taken")
    if held.get(wanted, player) != player:
        raise TableRefused(
            TableReason.SEAT_RESERVED, f"seat {wanted} is held for somebody who waited; join the waiting list"
        )
    return wanted


def _full(seats: int, held: int) -> str:
    if held:
        return f"all {seats} seats are taken, or held for those who waited: {held}; join the waiting list"
    return f"all {seats} seats are taken; join the waiting list"
