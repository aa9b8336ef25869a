"""The dealer with known cards gives what the dealer service gives for the same requests (`RULES.md B4`)."""

from __future__ import annotations

from servito_core.cards import Card, deck_from, format_cards, parse_cards
from servito_core.commands import SupplyDeal, SupplyDraw
from servito_core.events import HandStarted
from servito_core.evolve import begin
from servito_core.rules import RuleSet
from servito_core.state import CardsNeeded
from servito_script.known_deck import KnownDeck

HAND = begin(RuleSet(), HandStarted(1, 1, 9, "JJ", False, 0, (0, 1), (100, 100)))


def _dealt() -> KnownDeck:
    deck = KnownDeck(deck_from(9), lambda dead: list(reversed(dead)))
    assert isinstance(deck.answer(HAND, CardsNeeded(0)), SupplyDeal)
    return deck


def _draw(deck: KnownDeck, request: CardsNeeded) -> SupplyDraw:
    answer = deck.answer(HAND, request)
    assert isinstance(answer, SupplyDraw)
    return answer


def test_the_deal_is_one_card_at_a_time() -> None:
    """To each slot in turn, by position."""
    deal = KnownDeck(deck_from(9), list).answer(HAND, CardsNeeded(0))
    assert isinstance(deal, SupplyDeal)
    assert [hand.positions for hand in deal.hands] == [(0, 2, 4, 6, 8), (1, 3, 5, 7, 9)]
    assert format_cards(deal.hands[0].cards) == "9s 9d Ts Td Js"


def test_draws_come_from_the_top_of_the_stock() -> None:
    """In the order of the deck, without a refill while it lasts."""
    drawn = _draw(_dealt(), CardsNeeded(1, 0, 3, refills=((0, 2),)))
    assert (drawn.dealt.positions, drawn.shuffled) == ((10, 11, 12), ())


def test_refills_are_used_in_order_when_the_stock_is_empty() -> None:
    """They continue the count of positions, and the sizes of those used are told."""
    deck = _dealt()
    _draw(deck, CardsNeeded(1, 0, 13))
    drawn = _draw(deck, CardsNeeded(2, 0, 4, refills=((1, 3), (0, 2))))
    assert drawn.shuffled == (2, 2)
    assert [position >= 24 for position in drawn.dealt.positions] == [False, True, True, True]


def test_excluded_cards_are_passed_over_and_stay_first() -> None:
    """While there are others; if nothing else is left they are given."""
    deck = _dealt()
    _draw(deck, CardsNeeded(1, 0, 14))
    drawn = _draw(deck, CardsNeeded(2, 0, 1, excluded=(0,), refills=((2, 0),)))
    cards = {position: Card(deck_from(9)[position]) for position in range(24)}
    assert drawn.dealt.cards == (cards[2],)
    assert _draw(deck, CardsNeeded(3, 0, 1, excluded=(0,))).dealt.cards == (cards[0],) == parse_cards("9s")
