"""Blinds before the deal: who is asked, how much they are, who gets the right to raise (`RULES.md B6`).

The first `HandState.blinds` players are those who posted. What the right is worth in betting is in `betting`
and `turns`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.betting import unavailable, within
from servito_core.events import Blind, BlindCovered, BlindDeclined, BlindPosted
from servito_core.state import BLINDS, Offer
from servito_core.turns import able_count, index_to_act

if TYPE_CHECKING:
    from servito_core.commands import CoverBlind, DeclineBlind, PostBlind
    from servito_core.events import Event
    from servito_core.state import HandState


def next_asked(hand: HandState) -> int | None:
    """Who is asked next: for the next blind, then, in seat order, earlier blind players for a cover.

    A seat that has left or cannot pay the whole amount is not asked, and the question goes no further. None:
    the stage is over.
    """
    asked = hand.blinds
    if asked < hand.blinds_allowed and not hand.acted >> asked & 1 and able_count(hand) >= 2:
        player = hand.players[asked]
        if not player.folded and player.stack >= next_blind(hand)[1]:
            return asked
    for index in range(hand.blinds - 1):
        player = hand.players[index]
        missing = hand.high_bet - player.bet
        if player.folded or not missing or hand.acted >> index & 1:
            continue
        return index if player.stack >= missing else None
    return None


def next_blind(hand: HandState) -> tuple[Blind, int]:
    """The blind that may be posted now, and its size."""
    blind = Blind(hand.blinds + 1)
    rules = hand.rules
    match blind:
        case Blind.BLIND:
            sizes = {"double_pot": 2 * hand.pot, "equal_pot": hand.pot, "double_ante": 2 * rules.ante}
            return blind, sizes[rules.blind_amount]
        case Blind.COUNTER_BLIND:
            sizes = {"double_previous": 2 * hand.high_bet, "double_pot": 2 * hand.pot}
            return blind, sizes[rules.counter_blind_amount]
        case Blind.OVER_BLIND:
            return blind, 2 * hand.high_bet


def blinds_offer(hand: HandState, index: int) -> Offer:
    """What the seat at `index`, whose turn it is, may do."""
    seat = hand.players[index].seat
    return Offer(seat, blind=postable(hand, index), cover=coverable(hand, index), can_decline=True)


def postable(hand: HandState, index: int) -> tuple[Blind, int] | None:
    """Which blind the seat to act may post, and the one allowed `to`."""
    return next_blind(hand) if hand.phase is BLINDS and index == hand.blinds else None


def coverable(hand: HandState, index: int) -> int | None:
    """How many chips a cover costs the seat to act."""
    if hand.phase is not BLINDS or index >= hand.blinds:
        return None
    return hand.high_bet - hand.players[index].bet


def post_blind(hand: HandState, command: PostBlind) -> tuple[Event, ...]:
    """`PostBlind` -> `BlindPosted`."""
    index = index_to_act(hand, command.seat)
    allowed = postable(hand, index)
    if allowed is None or allowed[0] != command.blind:
        raise unavailable(hand, command.blind.name.lower())
    to = within((allowed[1], allowed[1]), command.to)
    return (BlindPosted(command.seat, command.blind, to, to - hand.players[index].bet),)


def cover_blind(hand: HandState, command: CoverBlind) -> tuple[Event, ...]:
    """`CoverBlind` -> `BlindCovered`."""
    cost = coverable(hand, index_to_act(hand, command.seat))
    if cost is None:
        raise unavailable(hand, "cover")
    return (BlindCovered(command.seat, hand.high_bet, cost),)


def decline_blind(hand: HandState, command: DeclineBlind) -> tuple[Event, ...]:
    """`DeclineBlind` -> `BlindDeclined`."""
    index_to_act(hand, command.seat)
    if hand.phase is not BLINDS:
        raise unavailable(hand, "decline")
    return (BlindDeclined(command.seat),)


def level_unseen(hand: HandState) -> tuple[int, ...]:
    """At the end of the stage: the blind players who are level without having looked, in seat order."""
    return tuple(
        index
        for index, player in enumerate(hand.players[: hand.blinds])
        if not player.folded and player.bet == hand.high_bet
    )


def right_holder(hand: HandState) -> int:
    """Who may raise first and speaks last (`blind.cover_right`)."""
    level = level_unseen(hand)
    if hand.rules.blind_cover_right == "never" or not level:
        return hand.blinds - 1
    return level[0]
