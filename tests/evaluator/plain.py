"""The plain definition (`servito_core.ranking`) of very many hands at once.

`rank` looks at nothing of a hand but its ranks, whether it is of one suit, and the best suit held of one
rank. So hands fall into groups of equal ranks; what a group is worth with each tie-breaking suit is asked of
the core itself, once, and only the suit is found with arrays. That `rank` says the same, hand for hand, is
part of what `test_plain_definition` shows.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from servito_core.ranking import rank, shape_of, strength
from servito_core.rules import RankingRules, RuleSet, defects_of
from servito_core.values import Category

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from servito_core.ranking import Shape
    from tests.evaluator.hands import Hands

    Strengths = npt.NDArray[np.uint32]

NO_SUIT = 4
"""Stands for no tie-breaking suit, beside 0..3."""

VALUES = {
    "flush_vs_full": ("flush", "full"),
    "ace_low": ("adjacent_lowest", "never"),
    "sf_cycle": (True, False),
    "sf_media_tie": ("cards_then_suit", "suit_only"),
    "suit_tiebreak": ("combination", "kicker", "fantini", "pair_suit_first", "none"),
    "flush_tiebreak": ("ranks_then_suit", "suit_first"),
}
"""What bears on the order of two hands; the values left out say the same as one of these in any one deck."""


def all_rules() -> Iterator[RankingRules]:
    """Every valid combination of `VALUES`."""
    for values in product(*VALUES.values()):
        chosen = dict(zip(VALUES, values, strict=True))
        if not defects_of(RuleSet(**chosen)):  # type: ignore[arg-type] # values of these very fields
            yield RankingRules(**chosen)  # type: ignore[arg-type] # the same


def one_by_one(hands: Hands, rules: RankingRules, lowest: int) -> list[int]:
    """The strength of each hand by the core's own functions, hand for hand."""
    return [strength(rank(hand, rules, lowest), rules, lowest) for hand in hands.tolist()]


class Plain:
    """What the core says of these hands, which are ascending and of the deck from `lowest`."""

    def __init__(self, hands: Hands, lowest: int) -> None:
        self.hands = hands
        self.lowest = lowest
        self._ranks = hands // 4 + 2
        self._suits = hands % 4
        packed = (self._ranks.astype(np.int64) << np.arange(0, 20, 4)).sum(axis=1)
        one_suit = (self._suits == self._suits[:, :1]).all(axis=1)
        _, first, self._group = np.unique(packed * 2 + one_suit, return_index=True, return_inverse=True)
        self._held = [(self._ranks[place].tolist(), bool(one_suit[place])) for place in first]
        self._suit_of: dict[tuple[int, ...], npt.NDArray[np.intp]] = {}

    def strengths(self, rules: RankingRules) -> Strengths:
        """The strength of each hand."""
        shapes = self._shapes(rules)
        worth = np.zeros((len(shapes), NO_SUIT + 1), np.uint32)
        for group, shape in enumerate(shapes):
            if shape.suit_rank is None:
                worth[group, NO_SUIT] = strength(shape.value(None), rules, self.lowest)
            else:
                worth[group, :NO_SUIT] = [strength(shape.value(s), rules, self.lowest) for s in range(4)]
        return worth.ravel().take(self._group * (NO_SUIT + 1) + self._deciding(shapes))

    @cached_property
    def categories(self) -> npt.NDArray[np.uint8]:
        """The category of each hand under the default rules."""
        shapes = self._shapes(RankingRules())
        return np.array([shape.category for shape in shapes], np.uint8).take(self._group)

    def counts(self) -> dict[Category, int]:
        """How many hands are of each category under the default rules."""
        return {category: int((self.categories == category).sum()) for category in Category}

    def wrong(self, judged: Strengths, rules: RankingRules) -> dict[Category, int]:
        """How many hands of each category were judged otherwise than the core judges them."""
        differs = judged != self.strengths(rules)
        return {
            Category(category): int((self.categories[differs] == category).sum())
            for category in np.unique(self.categories[differs])
        }

    def _shapes(self, rules: RankingRules) -> list[Shape]:
        return [shape_of(ranks, one_suit, rules, self.lowest) for ranks, one_suit in self._held]

    def _deciding(self, shapes: list[Shape]) -> npt.NDArray[np.intp]:
        """The best suit that each hand holds of the rank that its shape names."""
        ranks = tuple(shape.suit_rank or 0 for shape in shapes)
        if ranks not in self._suit_of:
            wanted = np.array(ranks, np.uint8).take(self._group)[:, None]
            held = np.where(self._ranks == wanted, self._suits.astype(np.int8), -1).max(axis=1)
            self._suit_of[ranks] = np.where(held < 0, NO_SUIT, held).astype(np.intp)
        return self._suit_of[ranks]
