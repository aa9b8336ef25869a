"""Chips between the seats of a hand and its pot, in a `TableView`."""

from __future__ import annotations

from servito_client.messages import HandSeatView, TableView


def in_hand(view: TableView, seat: int) -> HandSeatView:
    """A seat that was dealt into the hand; LookupError for another."""
    found = next((own for own in view.hand.seats if own.seat == seat), None)
    if found is None:
        raise LookupError(f"seat {seat} was not dealt into hand {view.hand.hand_id!r}")
    return found


def pays(view: TableView, number: int, amount: int) -> HandSeatView:
    """Chips of a seat into the pot; a negative amount comes back. The seat."""
    seat = gets(view, number, -amount)
    seat.paid += amount
    return seat


def gets(view: TableView, number: int, amount: int) -> HandSeatView:
    """Chips of the pot to a seat. The seat."""
    seat = in_hand(view, number)
    seat.stack += amount
    seat.all_in = not seat.folded and seat.stack == 0
    view.hand.pot -= amount
    for own in view.seats:
        if own.seat == number:
            own.stack = seat.stack
    return seat
