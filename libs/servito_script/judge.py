"""The core's own judgement under one rule set and deck, remembered: simulation judges the same shapes
again and again.

A shape (the ranks of five cards, and whether they are of one suit) is shared by thousands of hands. What a
shape is worth, and whether it opens, is asked of the plain definition once; the answers are the same as
without remembering.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from servito_core.cards import rank_of, suit_of
from servito_core.openers import draw_in_force, opening_cards
from servito_core.ranking import groups_by_value, shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.cards import Card
    from servito_core.ranking import Shape
    from servito_core.rules import RuleSet
    from servito_core.rules.ruleset import Requirement
    from servito_core.values import HandValue

ShapeKey = tuple[tuple[int, ...], bool]


@lru_cache(maxsize=16)
def judge_of(rules: RuleSet, lowest: int) -> Judge:
    """The judge for these rules and the deck from rank `lowest`, with what it remembers."""
    return Judge(rules, lowest)


class Judge:
    """Judges hands that the engine has checked: five different cards of the deck each, unless said
    otherwise.
    """

    def __init__(self, rules: RuleSet, lowest: int) -> None:
        self._rules = rules
        self._lowest = lowest
        self._shapes: dict[ShapeKey, tuple[Shape, dict[int | None, HandValue]]] = {}
        self._closed: dict[tuple[ShapeKey, str], bool] = {}
        """Shapes known not to open at a requirement, where no draw opens."""

    def value(self, cards: Sequence[Card]) -> HandValue:
        """As `ranking.rank`."""
        ranks = [rank_of(card) for card in cards]
        suits = [suit_of(card) for card in cards]
        key = tuple(sorted(ranks)), suits.count(suits[0]) == 5
        if key not in self._shapes:
            self._shapes[key] = shape_of(*key, self._rules, self._lowest), {}
        shape, values = self._shapes[key]
        suit = None
        if shape.suit_rank is not None:
            suit = max(suit for rank, suit in zip(ranks, suits, strict=True) if rank == shape.suit_rank)
        if suit not in values:
            values[suit] = shape.value(suit)
        return values[suit]

    def winners(self, values: Mapping[int, HandValue], seats: Sequence[int]) -> frozenset[int]:
        """As `ranking.winners`, among `seats`."""
        contest = {seat: values[seat] for seat in seats}
        return frozenset().union(*groups_by_value(contest, self._rules, self._lowest))

    def openers(self, cards: Sequence[Card], requirement: Requirement, raised: bool) -> tuple[Card, ...]:
        """As `openers.opening_cards`, for one to five cards; none of no cards."""
        if not cards:
            return ()
        if len(cards) < 5 or draw_in_force(self._rules, raised) != "none":
            return opening_cards(cards, requirement, self._rules, self._lowest, raised)
        suits = {suit_of(card) for card in cards}
        known = (tuple(sorted([rank_of(card) for card in cards])), len(suits) == 1), requirement
        if self._closed.get(known):
            return ()
        found = opening_cards(cards, requirement, self._rules, self._lowest, raised)
        self._closed[known] = not found
        return found
