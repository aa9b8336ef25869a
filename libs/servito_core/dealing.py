"""The deal: five cards each, and word who may open (`RULES.md B1`, `B2`). Answers from outside are checked
here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.cards import deck_cards
from servito_core.drawing import is_judging, judge, leavers
from servito_core.events import CardsDealt, OpenersFound
from servito_core.refusals import Reason, Refused
from servito_core.state import DEAL, OpenersNeeded

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_core.commands import SupplyDeal, SupplyOpeners
    from servito_core.events import Event
    from servito_core.state import HandState


def waits_for_deal(hand: HandState) -> bool:
    """Whether the five cards are on their way."""
    return hand.phase is DEAL and not hand.entries


def waits_for_openers(hand: HandState) -> bool:
    """Whether cards are dealt and somebody has to say who may open; never after a blind."""
    return hand.phase is DEAL and hand.entries > 0 and needs_openers(hand)


def needs_openers(hand: HandState) -> bool:
    """Whether the first round begins with an opening (`RULES.md B2`, `B6`)."""
    return hand.requirement != "none" and not hand.blinds


def openers_needed(hand: HandState) -> OpenersNeeded:
    """The question who may open, for the live hands."""
    hands = {player.seat: player.cards for player in hand.players if not player.folded}
    return OpenersNeeded(hand.requirement, hand.raised, hands)


def supply_deal(hand: HandState, command: SupplyDeal) -> tuple[Event, ...]:
    """`SupplyDeal` -> `CardsDealt`, and the folds of players who left meanwhile."""
    if not waits_for_deal(hand):
        raise Refused(Reason.ACTION_NOT_AVAILABLE, "the hand does not wait for its deal")
    seats = tuple([given.seat for given in command.hands])
    cards = tuple([given.cards for given in command.hands])
    positions = tuple([given.positions for given in command.hands])
    dealt: set[Card] = set().union(*cards)
    if (
        list(seats) != [player.seat for player in hand.players]
        or set(map(len, cards + positions)) != {5}
        or len(dealt) != 5 * len(seats)
        or not dealt <= deck_cards(hand.lowest_rank)
    ):
        raise Refused(
            Reason.MALFORMED, "a deal is five different cards of the deck for each seat, in dealing order"
        )
    return (CardsDealt(seats, cards, positions), *leavers(hand))


def supply_openers(hand: HandState, command: SupplyOpeners) -> tuple[Event, ...]:
    """`SupplyOpeners` -> `OpenersFound`, or in the draw the judgement of what the opener kept."""
    if hand.serving is not None and is_judging(hand):
        return judge(hand, command, hand.serving)
    if not waits_for_openers(hand):
        raise Refused(Reason.ACTION_NOT_AVAILABLE, "the hand does not wait for word who may open")
    held = {player.seat: set(player.cards) for player in hand.players}
    if not all(cards and held.get(seat, set()) >= set(cards) for seat, cards in command.openers.items()):
        raise Refused(Reason.MALFORMED, "openers are seats of the hand, each with cards that it holds")
    return (OpenersFound(dict(command.openers)),)
