"""The number that stands for a hand's strength (RULES.md B7, without the circle)."""

from __future__ import annotations

import pytest

from servito_core.ranking import strength
from servito_core.rules import RankingRules
from servito_core.values import Category, HandValue, SfKind

DEFAULT, PLAIN = RankingRules(), RankingRules(sf_cycle=False)
PAIR = HandValue(Category.ONE_PAIR, (11, 14, 9, 7), suit=2)
MEDIA = HandValue(Category.STRAIGHT_FLUSH, (12,), SfKind.MEDIA, 1)
SUIT_ONLY = RankingRules(sf_media_tie="suit_only")


@pytest.mark.parametrize(
    ("value", "rules", "number"),
    [
        (PAIR, DEFAULT, 0x1_B_E_9_7_2_0),
        (PAIR, RankingRules(suit_tiebreak="pair_suit_first"), 0x1_B_2_E_9_7_0),
        (HandValue(Category.HIGH_CARD, (14, 13, 12, 11, 9), suit=3), DEFAULT, 0x0_E_D_C_B_9_3),
        (HandValue(Category.FLUSH, (14, 13, 12, 11, 9), suit=3), DEFAULT, 0x6_E_D_C_B_9_3),
        (HandValue(Category.FOUR_OF_A_KIND, (8, 7)), DEFAULT, 0x7_8_7_0_0_0_0),
        (MEDIA, DEFAULT, 0x8_2_C_1_0_0_0),
        (MEDIA, PLAIN, 0x8_0_C_1_0_0_0),
        (MEDIA, SUIT_ONLY, 0x8_2_1_C_0_0_0),
        (HandValue(Category.STRAIGHT_FLUSH, (14,), SfKind.MASSIMA, 3), SUIT_ONLY, 0x8_3_E_3_0_0_0),
    ],
)
def test_seven_digits_most_telling_first(value: HandValue, rules: RankingRules, number: int) -> None:
    """Category, kind of a straight flush, then what is compared in order; what is missing is zero."""
    assert strength(value, rules, 7) == number
