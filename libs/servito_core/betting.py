"""Betting once there is no opening to make: check, bet, call, raise, fold, in both rounds (`RULES.md B3`).

The functions that say what is legal serve `betting_offer` and the decisions alike, so asking and trying
cannot differ. How much a wager may be is in `limits`, whose turn it is in `turns`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.events import BetMade, Called, Checked, Folded, RaisedTo
from servito_core.limits import least_increment, wager_range
from servito_core.refusals import Reason, Refused
from servito_core.state import FIRST_ROUND, SECOND_ROUND, Offer
from servito_core.turns import can_be_answered, index_to_act

if TYPE_CHECKING:
    from servito_core.commands import Bet, Call, Check, Fold, RaiseTo
    from servito_core.events import Event
    from servito_core.state import HandState

BETTING = (FIRST_ROUND, SECOND_ROUND)
WORDS = ("", "parola", "cip")


def betting_offer(hand: HandState, index: int) -> Offer:
    """What the seat at `index`, whose turn it is, may do."""
    player = hand.players[index]
    to_call = hand.high_bet - player.bet
    offer = Offer(player.seat, to_call)
    if to_call:
        offer.can_fold = True
        offer.call = min(to_call, player.stack)
    else:
        offer.can_check = True
    if hand.high_bet:
        offer.raise_to = raise_range(hand, index)
    else:
        offer.bet = bet_range(hand, index)
    return offer


def bet_range(hand: HandState, index: int) -> tuple[int, int] | None:
    """The range of a first bet; None when there is a bet already."""
    if hand.high_bet or hand.phase not in BETTING:
        return None
    return wager_range(hand, hand.players[index])


def raise_range(hand: HandState, index: int) -> tuple[int, int] | None:
    """The range of a raise; None when there is nothing to raise, or no right or reason to do so."""
    if not hand.high_bet or hand.phase not in BETTING or not may_raise(hand, index):
        return None
    return wager_range(hand, hand.players[index])


def may_raise(hand: HandState, index: int) -> bool:
    """Whether the seat may raise at all: somebody can answer, the count allows it, and it has the right."""
    rules = hand.rules
    if rules.raise_max_count is not None and hand.raises >= rules.raise_max_count:
        return False
    if hand.blinds and hand.phase is FIRST_ROUND and not hand.raises:
        righted = hand.players[index].may_raise_blind
    elif rules.bet_reopen == "full_raise_only" and hand.spoke >> index & 1:
        righted = hand.high_bet - hand.full_bet >= least_increment(hand)
    else:
        righted = True
    return righted and can_be_answered(hand, index)


def check(hand: HandState, command: Check) -> tuple[Event, ...]:
    """`Check` -> `Checked`."""
    index = index_to_act(hand, command.seat)
    if hand.phase not in BETTING or hand.players[index].bet != hand.high_bet:
        raise unavailable(hand, "check")
    if command.word not in WORDS:
        raise Refused(
            Reason.MALFORMED, f"{command.word!r} is no word for a check: say parola, cip, or nothing"
        )
    return (Checked(command.seat, command.word),)


def bet(hand: HandState, command: Bet) -> tuple[Event, ...]:
    """`Bet` -> `BetMade`."""
    index = index_to_act(hand, command.seat)
    allowed = bet_range(hand, index)
    if allowed is None:
        raise unavailable(hand, "bet")
    to = within(allowed, command.to)
    return (BetMade(command.seat, to, to - hand.players[index].bet),)


def call(hand: HandState, command: Call) -> tuple[Event, ...]:
    """`Call` -> `Called`, all-in if the stack is short of it."""
    player = hand.players[index_to_act(hand, command.seat)]
    if hand.phase not in BETTING or player.bet == hand.high_bet:
        raise unavailable(hand, "call")
    added = min(hand.high_bet - player.bet, player.stack)
    return (Called(command.seat, player.bet + added, added),)


def raise_to(hand: HandState, command: RaiseTo) -> tuple[Event, ...]:
    """`RaiseTo` -> `RaisedTo`."""
    index = index_to_act(hand, command.seat)
    allowed = raise_range(hand, index)
    if allowed is None:
        raise unavailable(hand, "raise")
    to = within(allowed, command.to)
    return (RaisedTo(command.seat, to, to - hand.players[index].bet),)


def fold(hand: HandState, command: Fold) -> tuple[Event, ...]:
    """`Fold` -> `Folded`; only when facing a bet."""
    player = hand.players[index_to_act(hand, command.seat)]
    if hand.phase not in BETTING or player.bet == hand.high_bet:
        raise unavailable(hand, "fold")
    return (Folded(command.seat),)


def within(allowed: tuple[int, int], to: int | None) -> int:
    """`to`, if it is an amount inside the range; refused otherwise."""
    least, greatest = allowed
    if type(to) is not int or to < 0:
        raise Refused(Reason.MALFORMED, f"an amount is a whole number of chips, here {least}..{greatest}")
    if to < least:
        raise Refused(Reason.BELOW_MINIMUM, f"{to} is too little: {least}..{greatest} is allowed")
    if to > greatest:
        raise Refused(Reason.ABOVE_MAXIMUM, f"{to} is too much: {least}..{greatest} is allowed")
    return to


def unavailable(hand: HandState, verb: str) -> Refused:
    """The refusal of an action that does not exist now."""
    phase = hand.phase.name.lower().replace("_", " ")
    return Refused(Reason.ACTION_NOT_AVAILABLE, f"{verb} is not available now ({phase}): see what is offered")
