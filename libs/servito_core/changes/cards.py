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
    players = []
    for player, cards, positions in zip(hand.players, event.cards, event.positions, strict=True):
        dealt = player.copied()
        dealt.cards = cards
        dealt.positions = positions
        players.append(dealt)
    hand.players = tuple(players)
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
    held, places, thrown = player.cards, player.positions, event.cards
    spots = [held.index(card) for card in thrown]
    player.discards = thrown
    player.discard_positions = tuple([places[spot] for spot in spots])
    player.cards = tuple([card for card in held if card not in thrown])
    player.positions = tuple([place for spot, place in enumerate(places) if spot not in spots])
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
