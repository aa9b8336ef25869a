"""The shape of a hand: all that its ranks, and whether it is of one suit, say about its worth.

A shape leaves open one thing only, the suit that may break a tie, and says which card has it. So the 7462
shapes of a deck are at once the plain definition and what the evaluator fills its tables with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito_core.cards import ACE
from servito_core.values import Category, HandValue, SfKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.rules import RankingRules

BY_COUNTS = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.ONE_PAIR,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A hand value but for its suit: `suit_rank` is the rank whose best suit breaks a tie, if any does."""

    category: Category
    ranks: tuple[int, ...]
    kind: SfKind | None
    suit_rank: int | None

    def value(self, suit: int | None) -> HandValue:
        """The hand value when the tie-breaking suit is `suit`."""
        return HandValue(self.category, self.ranks, self.kind, suit)


def shape_of(ranks: Sequence[int], suited: bool, rules: RankingRules, lowest: int) -> Shape:
    """The shape of five cards of these ranks (2..14, any order), `suited` if they are of one suit."""
    counted = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    category = BY_COUNTS[tuple(count for count, _ in counted)]
    compared = tuple(rank for _, rank in counted)
    kind = None
    if category is Category.HIGH_CARD:
        top = _top_of_run(frozenset(compared), rules, lowest)
        if top is not None:
            category = Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT
            kind = _kind(top, ACE in compared) if suited else None
            compared = (top,)
        elif suited:
            category = Category.FLUSH
    return Shape(category, compared, kind, _suit_rank(category, compared, rules))


def low_run(rules: RankingRules, lowest: int) -> frozenset[int]:
    """The five ranks of the run on a low ace; empty if the rules know none in this deck (`ace_low`)."""
    return frozenset({ACE, *range(lowest, lowest + 4)}) if rules.has_low_runs(lowest) else frozenset()


def _top_of_run(ranks: frozenset[int], rules: RankingRules, lowest: int) -> int | None:
    """The rank at the top of the run that five different ranks form; the ace of a low run is its bottom."""
    if ranks == low_run(rules, lowest):
        return lowest + 3
    return max(ranks) if max(ranks) - min(ranks) == 4 else None


def _kind(top: int, has_ace: bool) -> SfKind:
    if not has_ace:
        return SfKind.MEDIA
    return SfKind.MASSIMA if top == ACE else SfKind.MINIMA


def _suit_rank(category: Category, ranks: tuple[int, ...], rules: RankingRules) -> int | None:
    """Which rank's best suit breaks a tie of equal ranks (`suit_tiebreak`).

    Three or four of a kind and full houses need none: one deck cannot hold two of the same rank.
    """
    if rules.suit_tiebreak == "none":
        return None
    by_side_card = rules.suit_tiebreak in ("kicker", "fantini")
    match category:
        case Category.THREE_OF_A_KIND | Category.FULL_HOUSE | Category.FOUR_OF_A_KIND:
            return None
        case Category.ONE_PAIR if by_side_card:
            return ranks[1]
        case Category.TWO_PAIR if by_side_card:
            return ranks[2]
        case Category.HIGH_CARD if rules.suit_tiebreak == "fantini":
            return ranks[1]
        case _:
            return ranks[0]
