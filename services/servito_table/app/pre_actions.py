"""Pre-actions: what a seat wants to do when its turn comes, and when that is done, or dropped.

Pure. A pre-action names the hand and the betting round that it was made in and is never carried into
another: whatever ends them ends it, and `next_step`, which alone carries one out, looks at both once more. It
is carried out in the same decision that brings the turn of its seat, so nobody waits for it and no clock
runs. A call is of exactly one amount and dropped the moment that calling costs another.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from servito_core.commands import Call, Check, Fold, Pass
from servito_core.hand import legal_actions
from servito_core.state import FIRST_ROUND, OPENING, SECOND_ROUND
from servito_table.app.acting_events import (
    PreAction,
    PreActionEnd,
    PreActionEnded,
    PreActionKind,
    PreActionSet,
)
from servito_table.app.moment import check_hand, check_turn
from servito_table.app.refusals import TableReason, TableRefused

if TYPE_CHECKING:
    from servito_core.commands import Command
    from servito_core.state import HandState, Offer, Phase, PlayerState
    from servito_table.app.acting_events import PreActionEvent
    from servito_table.app.commands import SetPreAction
    from servito_table.app.state import Seated, TableState

BETTING_ROUNDS: Final[dict[Phase, int]] = {OPENING: 1, FIRST_ROUND: 1, SECOND_ROUND: 2}
"""The rounds in which seats may say beforehand what they do."""


def pre_action(state: TableState, wish: SetPreAction) -> tuple[PreActionEvent, ...]:
    """The seat of the player wants that, or takes back what it wanted. Refused: NOT_SEATED, STALE_TURN,
    NOT_IN_HAND, ACTION_NOT_AVAILABLE, BELOW_MINIMUM, ABOVE_MAXIMUM, NOTHING_TO_CHANGE.
    """
    own = state.seat_of(wish.player)
    if own is None:
        raise TableRefused(TableReason.NOT_SEATED, "you have no seat at this table")
    check_hand(state, wish.hand)
    hand, dealt = state.running, state.in_hand(own.seat)
    if hand is None or dealt is None or dealt.folded:
        raise TableRefused(TableReason.NOT_IN_HAND, "your seat is not in this hand, or folded")
    if wish.kind is None:
        if own.pre_action is None:
            raise TableRefused(TableReason.NOTHING_TO_CHANGE, "your seat has no pre-action")
        return (PreActionEnded(own.seat, PreActionEnd.TAKEN_BACK),)
    check_turn(state, wish.turn)
    betting_round = _round_of(hand, dealt)
    if wish.kind is PreActionKind.CALL:
        _check_price(hand, dealt, wish.amount)
    wanted = PreAction(hand.number, betting_round, wish.kind, wish.amount)
    if wanted == own.pre_action:
        raise TableRefused(TableReason.NOTHING_TO_CHANGE, "your seat does that already when its turn comes")
    return (PreActionSet(own.seat, wanted),)


def next_step(state: TableState) -> tuple[tuple[PreActionEnded, ...], Command | None]:
    """What the pre-actions of a table come to now: those that end, and the act of the one whose turn it is.

    Nothing where none of them is concerned; asked again after every step of a hand.
    """
    ended: tuple[PreActionEnded, ...] = ()
    command = None
    for own in state.seats:
        if own.pre_action is None:
            continue
        end = _end_of(state, own, own.pre_action)
        if end is None:
            hand = state.running
            offer = None if hand is None else legal_actions(hand, own.seat)
            if offer is None:
                continue
            command = _command(offer, own.pre_action)
            end = PreActionEnd.DROPPED if command is None else PreActionEnd.DONE
        ended += (PreActionEnded(own.seat, end),)
    return ended, command


def wanting(own: Seated, event: PreActionEvent) -> Seated:
    """The seat after an event of its own."""
    return replace(own, pre_action=event.pre_action if isinstance(event, PreActionSet) else None)


def _round_of(hand: HandState, dealt: PlayerState) -> int:
    """The betting round in which the seat may say beforehand what it does. Refused: ACTION_NOT_AVAILABLE."""
    betting_round = BETTING_ROUNDS.get(hand.phase)
    if betting_round is None:
        why = "no betting round runs now"
    elif hand.to_act is not None and hand.players[hand.to_act] is dealt:
        why = "it is your turn: act"
    elif dealt.stack == 0:
        why = "your seat is all in and has nothing to decide"
    else:
        return betting_round
    raise TableRefused(TableReason.ACTION_NOT_AVAILABLE, why)


def _check_price(hand: HandState, dealt: PlayerState, amount: int) -> None:
    price = _price(hand, dealt)
    if price == 0:
        raise TableRefused(TableReason.ACTION_NOT_AVAILABLE, "there is nothing to call now")
    if amount != price:
        reason = TableReason.BELOW_MINIMUM if amount < price else TableReason.ABOVE_MAXIMUM
        raise TableRefused(reason, f"a call costs {price} now, not {amount}")


def _price(hand: HandState, dealt: PlayerState) -> int:
    """What a call would add for the seat if it were its turn."""
    return min(hand.high_bet - dealt.bet, dealt.stack)


def _end_of(state: TableState, own: Seated, wanted: PreAction) -> PreActionEnd | None:
    """Why the pre-action of a seat ends, if it does, whoever is to act."""
    hand, dealt = state.running, state.in_hand(own.seat)
    if hand is None or (wanted.hand, wanted.betting_round) != (hand.number, BETTING_ROUNDS.get(hand.phase)):
        return PreActionEnd.OVER
    if dealt is None or dealt.folded or dealt.stack == 0:
        return PreActionEnd.OVER
    if wanted.kind is PreActionKind.CALL and wanted.amount != _price(hand, dealt):
        return PreActionEnd.DROPPED
    return None


def _command(offer: Offer, wanted: PreAction) -> Command | None:
    """The act that it means at its turn; None where nothing of it is legal."""
    if wanted.kind is PreActionKind.CALL:
        return Call(offer.seat) if offer.call == wanted.amount else None
    if offer.can_check:
        return Check(offer.seat)
    if offer.can_pass:
        return Pass(offer.seat)
    return Fold(offer.seat) if offer.can_fold else None
