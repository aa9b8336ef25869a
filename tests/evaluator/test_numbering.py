"""The numbering that the tables rest on, and what arrays of hands are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from servito_core.ranking import NotAHandError
from servito_core.rules import RankingRules
from servito_evaluator.app.judge import Judge
from servito_evaluator.app.numbering import SUM_MASK, multisets, sum_of

if TYPE_CHECKING:
    import numpy.typing as npt

JUDGE = Judge(RankingRules(), 7)
HAND = [20, 25, 30, 35, 40]


def test_every_multiset_has_a_sum_of_its_own() -> None:
    """Five weights tell the five ranks, and fit in the bits that are reserved for them."""
    sums = [sum_of(ranks) for ranks in multisets(2)]
    assert len(set(sums)) == len(sums) == 6175
    assert max(sums) <= SUM_MASK


def test_a_stripped_deck_has_small_tables() -> None:
    """With 32 cards the tables stay in the caches of a core: fewer than 12,000 sums."""
    assert len(JUDGE.tables.row_by_sum) < 12_000


def test_no_hands_are_judged_as_no_hands() -> None:
    """An empty batch is none of the errors."""
    none = np.empty((0, 5), np.uint8)
    assert JUDGE.strengths(none).tolist() == JUDGE.values(none) == []


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (np.array([HAND[:4]], np.uint8), r"an \(n, 5\) array of uint8, not \(1, 4\)"),
        (np.array(HAND, np.uint8), r"an \(n, 5\) array of uint8, not \(5,\)"),
        (np.array([HAND], np.int64), "of uint8, not .* of int64"),
        (np.array([HAND, [19, *HAND[1:]]], np.uint8), r"not of this deck, which holds 20\.\.51"),
        (np.array([HAND, [52, *HAND[1:]]], np.uint8), r"not of this deck, which holds 20\.\.51"),
        (np.array([HAND, [HAND[0], *HAND[:4]]], np.uint8), "a card occurs twice"),
        (np.array([[51] * 5], np.uint8), "a card occurs twice"),
    ],
)
def test_arrays_that_are_no_hands_are_refused(hands: npt.NDArray[Any], message: str) -> None:
    """One wrong hand refuses the whole batch."""
    with pytest.raises(NotAHandError, match=message):
        JUDGE.strengths(hands)


def test_judges_of_a_deck_share_what_no_rule_changes() -> None:
    """The way from a hand to its row is there once for all rules."""
    other = Judge(RankingRules(flush_vs_full="full"), 7)
    assert other.tables.row_by_sum is JUDGE.tables.row_by_sum
    assert other.tables.multiset_by_sum is JUDGE.tables.multiset_by_sum
