"""Pre-actions: what a player wants to do when his turn comes, said while others are to act.

One function for each, and what a call would cost now. They hold in the betting round and the hand that they
were made in and in no other; the table does them, or drops them (`PreAction` in table.proto)."""

from __future__ import annotations

from typing import Final

from servito_client.messages import Phase, PreAction, PreActionKind, TableView

BETTING_ROUNDS: Final = frozenset({Phase.PHASE_OPENING, Phase.PHASE_FIRST_ROUND, Phase.PHASE_SECOND_ROUND})


def check_or_fold() -> PreAction:
    """What costs nothing, a check or a pass before the opening; a fold if something is to be paid then."""
    return PreAction(kind=PreActionKind.PRE_ACTION_KIND_CHECK_OR_FOLD)


def call_exactly(amount: int) -> PreAction:
    """A call, if it costs `amount` chips when the turn comes; nothing if it costs another amount."""
    return PreAction(kind=PreActionKind.PRE_ACTION_KIND_CALL, amount=amount)


def price_of_call(table: TableView) -> int:
    """The chips that a call would cost the caller of this view now; 0 where there is nothing to call."""
    own = next((seat for seat in table.hand.seats if seat.seat == table.own_seat), None)
    if own is None or not table.HasField("own_seat"):
        return 0
    return max(0, min(table.hand.high_bet - own.bet, own.stack))


def may_decide_beforehand(table: TableView) -> bool:
    """Whether the caller of this view may set a pre-action now: he is in a betting round, and others act."""
    hand = table.hand
    if not table.HasField("own_seat") or hand.phase not in BETTING_ROUNDS or not hand.HasField("to_act"):
        return False
    own = next((seat for seat in hand.seats if seat.seat == table.own_seat), None)
    return own is not None and not own.folded and own.stack > 0 and hand.to_act != own.seat
