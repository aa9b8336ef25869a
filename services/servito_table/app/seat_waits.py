"""The waits beside the turn that seats have: the removal of an idle one, the offer of a free one.

A wait is named by its letter and its seat. Which of them begin follows from the state alone, so that they are
compared with those that run: what is missing begins, what is too much ends. A removal that has begun goes on
until the seat is dealt in, or nobody could be removed who sits in and out again in time. A table of an
earlier release gets its waits with the first commit that changes its seats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.seat_events import SeatOffered
from servito_table.app.sitting_out import is_idle
from servito_table.app.state import deals_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servito_table.app.commits import Known
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState

_LETTERS = ("r", "o")


def removal_wait(seat: int) -> str:
    """The name of the wait at whose end an idle seat stands by itself."""
    return f"r{seat}"


def offer_wait(seat: int) -> str:
    """The name of the wait at whose end a free seat is no longer held for who waits."""
    return f"o{seat}"


def seat_waits(
    known: Known, after: TableState, events: Iterable[TableEvent], over: str
) -> tuple[tuple[str, int], ...]:
    """The waits of seats that begin with the commit to `after`, with their milliseconds, or end: 0. `over` is
    the wait whose end the commit is about, "" for none.
    """
    before = known.state
    if (
        not over
        and deals_of(before) == deals_of(after)
        and before.seats is after.seats
        and before.waiting is after.waiting
        and before.rules is after.rules
    ):
        return ()
    return tuple(_changes(known, _wanted(after) | _going_on(known, after, over), events))


def _changes(known: Known, wanted: dict[str, int], events: Iterable[TableEvent]) -> Iterator[tuple[str, int]]:
    for name in known.waits:
        if name.startswith(_LETTERS) and name not in wanted:
            yield name, 0
    fresh = {offer_wait(event.seat) for event in events if isinstance(event, SeatOffered)}
    for name, ms in wanted.items():
        if name in fresh or name not in known.waits:
            yield name, ms


def _wanted(state: TableState) -> dict[str, int]:
    idle = {removal_wait(own.seat): state.config.sit_out_ms for own in state.seats if is_idle(state, own)}
    held = {
        offer_wait(waiter.seat): state.config.seat_offer_ms
        for waiter in state.waiting
        if waiter.seat is not None
    }
    return idle | held


def _going_on(known: Known, after: TableState, over: str) -> dict[str, int]:
    """The removals that run, of seats that still wait to be dealt in."""
    sat = {own.seat: own.player for own in known.state.seats}
    names = {
        removal_wait(own.seat): after.config.sit_out_ms
        for own in after.seats
        if sat.get(own.seat) == own.player and after.in_hand(own.seat) is None
    }
    return {name: ms for name, ms in names.items() if name in known.waits and name != over}
