"""Events that move chips outside of a betting round's answers: antes, blinds, returns, awards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.blinds import next_asked
from servito_core.changes.draft import index_of_seat, own, pay_to

if TYPE_CHECKING:
    from servito_core.events import (
        AntePosted,
        BlindCovered,
        BlindDeclined,
        BlindPosted,
        PotAwarded,
        ReentryPaid,
        StakeReturned,
        UncalledBetReturned,
    )
    from servito_core.state import HandState, PlayerState


def reentry_paid(hand: HandState, event: ReentryPaid) -> None:
    """It joins the carried pot, whatever layer the seat reaches later."""
    player = _stake(hand, event.seat, event.amount)
    player.dead += event.amount


def ante_posted(hand: HandState, event: AntePosted) -> None:
    """A live ante is a bet of the first round; of a dead one, what a button pays beyond the others belongs to
    the lowest layer (`RULES.md B7`).
    """
    rules = hand.rules
    player = _stake(hand, event.seat, event.amount)
    if rules.ante_live:
        player.bet = event.amount
        hand.high_bet = hand.full_bet = max(hand.high_bet, event.amount)
    elif rules.ante_scheme == "dealer_only":
        player.dead += event.amount
    elif event.amount > rules.ante:
        player.dead += event.amount - rules.ante


def _stake(hand: HandState, seat: int, amount: int) -> PlayerState:
    """Chips that a seat puts in before anybody bets."""
    player = own(hand, index_of_seat(hand, seat))
    player.stack -= amount
    player.paid += amount
    player.ante += amount
    hand.pot += amount
    return player


def blind_posted(hand: HandState, event: BlindPosted) -> None:
    """A blind counts as a bet of its size, a later one by what it adds (`raise.min`)."""
    pay_to(hand, index_of_seat(hand, event.seat), event.to)
    hand.last_raise = max(hand.last_raise, event.to - hand.high_bet)
    hand.high_bet = hand.full_bet = event.to
    hand.blinds += 1
    hand.to_act = next_asked(hand)


def blind_covered(hand: HandState, event: BlindCovered) -> None:
    """An earlier blind player is level without having looked."""
    pay_to(hand, index_of_seat(hand, event.seat), event.to)
    hand.to_act = next_asked(hand)


def blind_declined(hand: HandState, event: BlindDeclined) -> None:
    """The seat is not asked again."""
    hand.acted |= 1 << index_of_seat(hand, event.seat)
    hand.to_act = next_asked(hand)


def uncalled_bet_returned(hand: HandState, event: UncalledBetReturned) -> None:
    """As if it had never been bet."""
    player = own(hand, index_of_seat(hand, event.seat))
    player.bet -= event.amount
    player.paid -= event.amount
    player.stack += event.amount
    hand.pot -= event.amount
    hand.high_bet -= event.amount


def pot_awarded(hand: HandState, event: PotAwarded) -> None:
    """Odd chips that nobody got stay in the middle."""
    for seat, share in event.shares.items():
        own(hand, index_of_seat(hand, seat)).stack += share
        hand.pot -= share


def stake_returned(hand: HandState, event: StakeReturned) -> None:
    """All that the seat put in during the hand."""
    player = own(hand, index_of_seat(hand, event.seat))
    player.stack += event.amount
    player.paid -= event.amount
    player.bet = player.ante = player.dead = 0
    hand.pot -= event.amount
