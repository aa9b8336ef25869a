"""More chips for a seat, within the table's limits and never in the middle of a hand (table stakes).

Pure decisions, state and wish to events. What a seat asks for while it is dealt in is noted and comes into
play when the hand is over; until then it is no chip of the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seat_events import ToppedUp, TopUpAsked
from servito_table.app.seating import standing
from servito_table.app.status import not_closed

if TYPE_CHECKING:
    from servito_table.app.commands import TopUp
    from servito_table.app.events import TableEvent
    from servito_table.app.state import Seated, TableState


def top_up(state: TableState, wish: TopUp) -> tuple[TableEvent, ...]:
    """The chips come at once, or are noted. Refused: NOT_SEATED, TABLE_CLOSED, BUY_IN_OUT_OF_LIMITS."""
    own = standing(state, wish.player)
    not_closed(state)
    dealt = state.in_hand(own.seat)
    stack = own.stack if dealt is None else dealt.stack
    _check(state, stack, own.top_up, wish.amount)
    if dealt is None:
        return (ToppedUp(own.seat, own.player, wish.amount),)
    return (TopUpAsked(own.seat, own.top_up + wish.amount),)


def topped_up(state: TableState) -> tuple[TableEvent, ...]:
    """What was noted, for the seats that stay, where no hand runs."""
    return tuple(
        ToppedUp(own.seat, own.player, _fitting(state, own))
        for own in state.seats
        if own.top_up and not own.leaving
    )


def _check(state: TableState, stack: int, noted: int, amount: int) -> None:
    least = max(1, state.config.min_buy_in - noted) if not stack else 1
    most = state.config.max_buy_in - stack - noted
    if most < least:
        raise TableRefused(
            TableReason.BUY_IN_OUT_OF_LIMITS,
            f"you have {stack} chips and {noted} to come, and the table's limit is {state.config.max_buy_in}",
        )
    if not least <= amount <= most:
        raise TableRefused(TableReason.BUY_IN_OUT_OF_LIMITS, f"you may add {least}..{most} chips now")


def _fitting(state: TableState, own: Seated) -> int:
    """As much of what was noted as the limit allows; none of it if it is too little for a new buy-in."""
    if not own.stack and own.top_up < state.config.min_buy_in:
        return 0
    return max(0, min(own.top_up, state.config.max_buy_in - own.stack))
