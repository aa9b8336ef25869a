"""The core's own judgement under one rule set and deck, remembered: simulation judges the same shapes
again and again.

A shape (the ranks of five cards, and whether they are of one suit) is shared by thousands of hands. What a
shape is worth, and whether it opens, is asked of the plain definition once; the answers are the same as
without remembering.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from servito_core.cards import DECK_SIZE, rank_of, suit_of
from servito_core.openers import draw_in_force, qualifying_cards
from servito_core.ranking import groups_by_value, shape_of, strength

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.cards import Card
    from servito_core.ranking import Shape
    from servito_core.rules import RuleSet
    from servito_core.rules.ruleset import Requirement
    from servito_core.values import HandValue

COUNTED = tuple(1 << 3 * (card // 4) for card in range(DECK_SIZE))
"""A card as one more of its rank: added up over a hand, three bits for each rank say how often it occurs."""
SUITED = 1 << 3 * (DECK_SIZE // 4)
"""Added for five cards of one suit."""


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
        self._shapes: dict[int, tuple[Shape, dict[int | None, HandValue]]] = {}
        self._strengths: dict[HandValue, int] = {}
        self._opening: dict[tuple[int, str], frozenset[int]] = {}
        """By shape and requirement: the ranks whose cards open whatever their suits; none if none do."""

    def value(self, cards: Sequence[Card]) -> HandValue:
        """As `ranking.rank`."""
        shape_number = _shape_number(cards)
        known = self._shapes.get(shape_number)
        if known is None:
            ranks = [rank_of(card) for card in cards]
            shape = shape_of(ranks, shape_number >= SUITED, self._rules, self._lowest)
            known = self._shapes[shape_number] = shape, {}
        shape, values = known
        suit = None
        if shape.suit_rank is not None:
            suit = suit_of(max([card for card in cards if rank_of(card) == shape.suit_rank]))
        if suit not in values:
            values[suit] = shape.value(suit)
        return values[suit]

    def winners(self, values: Mapping[int, HandValue], seats: Sequence[int]) -> frozenset[int]:
        """As `ranking.winners`, among `seats`."""
        strengths = []
        for seat in seats:
            value = values[seat]
            if value.kind is not None:  # straight flushes may go in a circle
                contest = {each: values[each] for each in seats}
                return frozenset().union(*groups_by_value(contest, self._rules, self._lowest))
            strengths.append(self._strength(value))
        top = max(strengths)
        return frozenset([seat for seat, number in zip(seats, strengths, strict=True) if number == top])

    def _strength(self, value: HandValue) -> int:
        known = self._strengths.get(value)
        if known is None:
            known = self._strengths[value] = strength(value, self._rules, self._lowest)
        return known

    def openers(self, cards: Sequence[Card], requirement: Requirement, raised: bool) -> tuple[Card, ...]:
        """As `openers.opening_cards`, for one to five cards; none of no cards."""
        if not cards:
            return ()
        draw = draw_in_force(self._rules, raised)
        if len(cards) < 5:
            return qualifying_cards(cards, requirement, draw, self._rules, self._lowest)
        known = _shape_number(cards), requirement
        if known not in self._opening:
            made = qualifying_cards(cards, requirement, "none", self._rules, self._lowest)
            self._opening[known] = frozenset(rank_of(card) for card in made)
        ranks = self._opening[known]
        if ranks:
            return tuple([card for card in cards if rank_of(card) in ranks])
        if draw == "none":
            return ()
        return qualifying_cards(cards, requirement, draw, self._rules, self._lowest)


def _shape_number(cards: Sequence[Card]) -> int:
    """Five cards' ranks, and whether they are of one suit, as a number: a fifth of the price of sorting
    them.
    """
    one, two, three, four, five = cards
    ranks = COUNTED[one] + COUNTED[two] + COUNTED[three] + COUNTED[four] + COUNTED[five]
    return ranks + SUITED if one % 4 == two % 4 == three % 4 == four % 4 == five % 4 else ranks
