"""Events of the deal, the draw and the showdown: where each card lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.changes.draft import index_of_seat, own
from servito_core.showdown import next_to_show
from servito_core.state import DEFERRED
from servito_core.stock import cards_needed
from servito_core.turns import next_owed, next_to_draw

if TYPE_CHECKING:
    from servito_core.events import CardsDealt, CardsDrawn, Discarded, HandShown, HandTabled, OpeningJudged
    from servito_core.state import HandState


def cards_dealt(hand: HandState, event: CardsDealt) -> None:
    """Entry 0 of the dealer's record is used."""
    for index, cards in enumerate(event.cards):
        player = own(hand, index)
        player.cards = cards
        player.positions = event.positions[index]
    hand.entries = 1
    hand.stock -= 5 * len(event.cards)


def discarded(hand: HandState, event: Discarded) -> None:
    """The seat waits for as many cards, or stood pat and the next one draws."""
    index = index_of_seat(hand, event.seat)
    player = own(hand, index)
    player.drawn = True
    if not event.cards:
        hand.to_act = next_to_draw(hand, index)
        return
    kept = dict(zip(player.cards, player.positions, strict=True))
    player.discards = event.cards
    player.discard_positions = tuple([kept.pop(card) for card in event.cards])
    player.cards = tuple(kept)
    player.positions = tuple(kept.values())
    player.owed = len(event.cards)
    hand.serving = index
    hand.to_act = None


def opening_judged(hand: HandState, event: OpeningJudged) -> None:
    """A split opening keeps its discards out of any reshuffle."""
    hand.judged = True
    own(hand, index_of_seat(hand, event.seat)).split = event.split


def cards_drawn(hand: HandState, event: CardsDrawn) -> None:
    """Refills that became the stock are dead cards no longer; then the next seat draws, or gets what it is
    owed.
    """
    index = index_of_seat(hand, event.seat)
    if event.shuffled:
        refills = cards_needed(hand, index).refills[: len(event.shuffled)]
        hand.reshuffled = hand.reshuffled.union(*refills)
    player = own(hand, index)
    player.cards += event.cards
    player.positions += event.positions
    player.owed -= len(event.cards)
    hand.entries += 1
    hand.stock += sum(event.shuffled) - len(event.cards)
    if hand.phase is DEFERRED:
        hand.serving = next_owed(hand, index)
    else:
        hand.serving = None
        hand.to_act = next_to_draw(hand, index)


def hand_tabled(hand: HandState, event: HandTabled) -> None:
    """The next seat in show order tables or concedes."""
    own(hand, index_of_seat(hand, event.seat)).shown = True
    hand.to_act = next_to_show(hand)


def hand_shown(hand: HandState, event: HandShown) -> None:
    """From now on everybody may see the cards."""
    own(hand, index_of_seat(hand, event.seat)).shown = True
