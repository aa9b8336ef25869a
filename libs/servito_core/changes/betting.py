"""Events of the betting rounds: whoever bets or raises, everybody else has to answer anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.blinds import next_asked
from servito_core.changes.draft import index_of_seat, own, pay_to
from servito_core.events import BetMade, Called, Checked, Folded, Opened, Passed, RaisedTo
from servito_core.limits import least_increment
from servito_core.phases import after
from servito_core.showdown import next_to_show
from servito_core.state import BLINDS, DEFERRED, DRAW, FIRST_ROUND, OPENING, SECOND_ROUND, SHOWDOWN
from servito_core.turns import live_count, next_owed, next_to_bet, next_to_draw

if TYPE_CHECKING:
    from servito_core.state import HandState


ASKING = (OPENING, FIRST_ROUND, SECOND_ROUND)
"""The phases in which seats are asked round the table."""


def opened(hand: HandState, event: Opened) -> None:
    """The first round of betting proper begins with it."""
    hand.phase = after(hand.phase, event)
    hand.opener = index_of_seat(hand, event.seat)
    _wager(hand, hand.opener, event.to)


def bet_made(hand: HandState, event: BetMade) -> None:
    """In a first round without an opening, the first who bets counts as the opener (`RULES.md B5`)."""
    index = index_of_seat(hand, event.seat)
    if hand.phase is FIRST_ROUND and hand.opener is None:
        hand.opener = index
    _wager(hand, index, event.to)


def raised_to(hand: HandState, event: RaisedTo) -> None:
    """With live antes nobody can bet, and the first who raises counts as the opener."""
    index = index_of_seat(hand, event.seat)
    if hand.phase is FIRST_ROUND and hand.opener is None and not hand.blinds:
        hand.opener = index
    hand.raises += 1
    _wager(hand, index, event.to)


def _wager(hand: HandState, index: int, to: int) -> None:
    """A new highest total. One below the least is all-in and short: it enlarges nothing, and as a raise it
    does not let seats raise again that have spoken since the last full one (`RULES.md B3`).
    """
    increment = to - hand.high_bet
    full = increment >= least_increment(hand)
    if full:
        hand.last_raise = max(hand.last_raise, increment)
    if full or hand.high_bet == 0:
        hand.full_bet = to
        hand.spoke = 0
    pay_to(hand, index, to)
    hand.high_bet = to
    hand.aggressor = index
    hand.acted = 1 << index
    hand.spoke |= hand.acted
    hand.to_act = next_to_bet(hand, index)


def called(hand: HandState, event: Called) -> None:
    """A call, all-in or not, answers the highest total."""
    index = index_of_seat(hand, event.seat)
    pay_to(hand, index, event.to)
    _answered(hand, index)


def checked(hand: HandState, event: Checked) -> None:
    """The word "cip" is remembered: one is enough to force a showdown (`parola.mode`)."""
    if event.word == "cip" and hand.phase is SECOND_ROUND:
        hand.cip = True
    _answered(hand, index_of_seat(hand, event.seat))


def passed(hand: HandState, event: Passed) -> None:
    """A pass before the opening leaves the seat in the hand."""
    _answered(hand, index_of_seat(hand, event.seat))


def _answered(hand: HandState, index: int) -> None:
    bit = 1 << index
    hand.acted |= bit
    hand.spoke |= bit
    hand.to_act = next_to_bet(hand, index)


def folded(hand: HandState, event: Folded) -> None:
    """A fold in turn or, by a departure, out of turn: then the turn stays unless nothing is left to ask.

    A seat that left while cards were on their way to another folds before its own owed cards are asked for,
    and does not get them.
    """
    index = index_of_seat(hand, event.seat)
    player = own(hand, index)
    player.folded = True
    player.leaving = False
    phase, to_act = hand.phase, hand.to_act
    if phase in ASKING and to_act is not None:
        hand.to_act = next_to_bet(hand, to_act if to_act == index else to_act - 1)
    elif phase is DRAW and to_act == index:
        hand.to_act = next_to_draw(hand, index)
    elif phase is DEFERRED and hand.serving == index:
        hand.serving = next_owed(hand, index)
    elif phase is BLINDS:
        hand.to_act = next_asked(hand)
    elif phase is SHOWDOWN:
        hand.to_act = next_to_show(hand)
    if live_count(hand) < 2:
        hand.to_act = hand.serving = None
