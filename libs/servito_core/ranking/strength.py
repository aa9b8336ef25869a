"""How hand values compare, as a number: `RULES.md B7` without the circle, which is in `winning`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.values import Category, SfKind

if TYPE_CHECKING:
    from servito_core.rules import RankingRules
    from servito_core.values import HandValue

DIGITS = 7


def strength(value: HandValue, rules: RankingRules, lowest: int) -> int:
    """A number of 28 bits, greater for the better hand, equal for a tie: seven digits, most telling first.

    The first digit is the category, the second of a straight flush its kind. Comparable only under the same
    rules and deck, and while the circle is on (`sf_cycle`) not between straight flushes of different kinds.
    """
    number = 0
    digits = (_place(value.category, rules, lowest), *_compared(value, rules))
    for digit in digits + (0,) * (DIGITS - len(digits)):
        number = 16 * number + digit
    return number


def _place(category: Category, rules: RankingRules, lowest: int) -> int:
    """The category's place in the order in force, which may turn flush and full house."""
    if not rules.flush_beats_full(lowest):
        if category is Category.FLUSH:
            return Category.FULL_HOUSE
        if category is Category.FULL_HOUSE:
            return Category.FLUSH
    return category


def _compared(value: HandValue, rules: RankingRules) -> tuple[int, ...]:
    """What is compared within a category, in order: as a rule the ranks, then the suit."""
    suit = value.suit or 0
    if value.kind is not None:
        kind = value.kind if rules.sf_cycle else 0
        suit_first = value.kind is SfKind.MEDIA and rules.sf_media_tie == "suit_only"
        return (kind, suit, *value.ranks) if suit_first else (kind, *value.ranks, suit)
    if value.category is Category.FLUSH and rules.flush_tiebreak == "suit_first":
        return (suit, *value.ranks)
    if value.category is Category.ONE_PAIR and rules.suit_tiebreak == "pair_suit_first":
        return (value.ranks[0], suit, *value.ranks[1:])
    return (*value.ranks, suit)
