"""Time banks: more time for who needs it, a few times, and how they come back.

Pure: there is no clock here. The deadline of a turn passes as for anybody; if the seat has a time bank left,
ending the turn becomes prolonging it (`decide`), under the same turn, so that an act on its way counts.
Whoever sits down has all of them; one that was used comes back with every `time_bank_hands` deals. Standing
up and sitting down again is no way to have them back sooner: who comes back has what he would have, had he
been dealt in all the while.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from servito_table.app.acting_events import TimeBankReturned, TimeBankUsed
from servito_table.app.seat_events import Absence
from servito_table.app.state import BanksLeft, deals_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_table.app.acting_events import BankEvent
    from servito_table.app.state import Seated, TableState

REMEMBERED: Final = 20
"""Players who stood up, at most; the earliest are forgotten. Where none ever comes back only that ends it."""


def may_prolong(own: Seated) -> bool:
    """Whether the clock of a seat is prolonged when it runs out; not that of a player who is away."""
    return own.time_banks > 0 and own.sitting_out is not Absence.AWAY


def prolonged(state: TableState, seat: int) -> tuple[TimeBankUsed, ...]:
    """The clock of `seat` ran out: one of its time banks is used, if it has any."""
    return tuple(
        TimeBankUsed(seat, own.time_banks - 1, state.config.time_bank_ms)
        for own in state.seats
        if own.seat == seat and may_prolong(own)
    )


def returned(state: TableState) -> tuple[TimeBankReturned, ...]:
    """Which seats have been dealt in often enough; asked when a hand has begun."""
    every = state.config.time_bank_hands
    return tuple(
        TimeBankReturned(own.seat, own.time_banks + 1)
        for own in state.seats
        if every and own.bank_hands >= every and own.time_banks < state.config.time_banks
    )


def dealt(state: TableState, seats: Sequence[int]) -> tuple[Seated, ...]:
    """The seats of the table after a deal to `seats`: the very same where nothing is to be counted."""
    full = state.config.time_banks
    if not state.config.time_bank_hands or all(own.time_banks >= full for own in state.seats):
        return state.seats
    return tuple(
        replace(own, bank_hands=own.bank_hands + 1) if own.seat in seats and own.time_banks < full else own
        for own in state.seats
    )


def banked(own: Seated, event: BankEvent) -> Seated:
    """The seat after an event of its own."""
    hands = own.bank_hands if isinstance(event, TimeBankUsed) else 0
    return replace(own, time_banks=event.left, bank_hands=hands)


def brought(state: TableState, player: str) -> int | None:
    """How many time banks a player has who sits down now; None: all of them."""
    return next((_since(state, left)[0] for left in _current(state) if left.player == player), None)


def with_banks(state: TableState, own: Seated, time_banks: int | None) -> Seated:
    """The seat of who sits down at `state` with so many; None: all of them."""
    if time_banks is None:
        return replace(own, time_banks=state.config.time_banks)
    hands = next((_since(state, left)[1] for left in _current(state) if left.player == own.player), 0)
    return replace(own, time_banks=time_banks, bank_hands=hands)


def without(state: TableState, player: str) -> tuple[BanksLeft, ...]:
    """What is remembered when the player has sat down."""
    if not state.banks_left:
        return state.banks_left
    return tuple(left for left in _current(state) if left.player != player)


def kept(state: TableState, player: str) -> tuple[BanksLeft, ...]:
    """What is remembered when the player has stood up."""
    own = state.seat_of(player)
    if own is None or own.time_banks >= state.config.time_banks:
        return state.banks_left
    left = BanksLeft(player, own.time_banks, own.bank_hands, deals_of(state))
    return (*without(state, player), left)[-REMEMBERED:]


def _current(state: TableState) -> list[BanksLeft]:
    """Of those who would not have all of them again by now."""
    return [left for left in state.banks_left if _since(state, left)[0] < state.config.time_banks]


def _since(state: TableState, left: BanksLeft) -> tuple[int, int]:
    """What would have come back by now: time banks, and deals towards the next one."""
    every, hands = state.config.time_bank_hands, left.bank_hands + deals_of(state) - left.deals
    if not every:
        return left.time_banks, left.bank_hands
    return left.time_banks + hands // every, hands % every
