"""Judgement by tables against an oracle and exact counts, for whole decks."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from servito_core.cards import Card
from servito_core.openers import qualifying_cards
from servito_core.ranking import rank
from servito_core.rules import RankingRules
from servito_core.values import Category, SfKind
from servito_evaluator.app.judge import Judge
from servito_evaluator.app.opening import may_open, opens
from tests.evaluator.hands import DECKS, of_deck, oracle

if TYPE_CHECKING:
    import numpy.typing as npt

    from servito_core.rules.ruleset import OpenDraw, Requirement
    from tests.evaluator.hands import Hands

COUNTS = json.loads((Path(__file__).parents[1] / "rules" / "counts.json").read_text())

RULES = {
    "italiana": RankingRules(),
    "kicker": RankingRules(suit_tiebreak="kicker"),
    "fantini": RankingRules(suit_tiebreak="fantini"),
    "pair_suit_first": RankingRules(suit_tiebreak="pair_suit_first"),
    "no suits": RankingRules(suit_tiebreak="none"),
    "flushes by suit": RankingRules(flush_tiebreak="suit_first"),
    "medie by suit": RankingRules(sf_media_tie="suit_only"),
    "all by suit": RankingRules(
        suit_tiebreak="pair_suit_first", flush_tiebreak="suit_first", sf_media_tie="suit_only"
    ),
    "no circle": RankingRules(sf_cycle=False),
    "no low ace": RankingRules(ace_low="never"),
    "full over flush": RankingRules(flush_vs_full="full", suit_tiebreak="kicker"),
}

NAMES = {
    "quads": Category.FOUR_OF_A_KIND,
    "flush": Category.FLUSH,
    "full": Category.FULL_HOUSE,
    "straight": Category.STRAIGHT,
    "trips": Category.THREE_OF_A_KIND,
    "two_pair": Category.TWO_PAIR,
    "pair": Category.ONE_PAIR,
    "high": Category.HIGH_CARD,
    "sf_min": SfKind.MINIMA,
    "sf_med": SfKind.MEDIA,
    "sf_max": SfKind.MASSIMA,
}

DRAWS: dict[str, OpenDraw] = {
    "oe_straight": "straight_oe",
    "oe_sf": "straightflush_oe",
    "any4_of_sf": "straightflush_any4",
    "4flush": "flush4",
}


@pytest.mark.parametrize("lowest", DECKS)
def test_the_counts_of_every_deck(every_hand: Hands, lowest: int) -> None:
    """RULES.md C: how many hands of each category and kind the deck holds, exactly."""
    judge = Judge(RankingRules(), lowest)
    rows, _ = judge.read(of_deck(every_hand, lowest))
    counts: Counter[tuple[type, int]] = Counter()
    for shape, count in zip(judge.tables.shapes, np.bincount(rows), strict=False):
        named = shape.category if shape.kind is None else shape.kind
        counts[type(named), named] += int(count)
    expected = COUNTS[str(DECKS[lowest])]
    assert {name: counts[type(named), named] for name, named in NAMES.items()} == expected["counts"]
    assert sum(counts.values()) == expected["total"] == len(rows)


@pytest.mark.parametrize("lowest", DECKS)
def test_the_openers_of_every_deck(every_hand: Hands, lowest: int) -> None:
    """RULES.md C: how many hands open at each requirement, and with each draw at jacks."""
    judge, hands = Judge(RankingRules(), lowest), of_deck(every_hand, lowest)
    for name, expected in COUNTS[str(DECKS[lowest])]["open"].items():
        requirement, _, draw = name.partition("_or_")
        flags = may_open(judge, hands, requirement, DRAWS.get(draw, "none"))
        assert np.count_nonzero(flags) == expected, name


def _agree(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> None:
    """Both put the hands in one order with the same ties."""
    order = np.argsort(one, kind="stable")
    steps = np.diff(one[order].astype(np.int64)), np.diff(other[order].astype(np.int64))
    assert ((steps[0] > 0) == (steps[1] > 0)).all()
    assert ((steps[0] == 0) == (steps[1] == 0)).all()


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("lowest", [9, 8, 7, 6])
def test_the_tables_agree_with_an_independent_oracle(
    every_hand: Hands, lowest: int, rules: RankingRules
) -> None:
    """Every hand of 24 to 36 cards, under every tie-break: the same order, the same ties."""
    hands = of_deck(every_hand, lowest)
    _agree(Judge(rules, lowest).strengths(hands), oracle(hands, rules, lowest))


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_the_tables_agree_with_the_oracle_on_52_cards(every_hand: Hands, rules: RankingRules) -> None:
    """A fifteenth of all hands of 52 cards, spread evenly; here a full house may beat a flush."""
    hands = every_hand[::15]
    _agree(Judge(rules, 2).strengths(hands), oracle(hands, rules, 2))


@pytest.mark.parametrize("lowest", [9, 7, 2])
def test_one_hand_at_a_time_is_judged_as_many_at_once(every_hand: Hands, lowest: int) -> None:
    """The strengths of single hands in any order of cards, and their values, equal those of the batch."""
    hands = of_deck(every_hand, lowest)[:: {9: 1, 7: 5, 2: 80}[lowest]]
    shuffled = np.random.default_rng(lowest).permuted(hands, axis=1)
    judge = Judge(RankingRules(), lowest)
    strengths = judge.strengths(hands).tolist()
    assert judge.strengths(shuffled).tolist() == strengths
    assert [judge.strength(hand) for hand in shuffled.tolist()] == strengths
    some = shuffled[::7].tolist()
    plain = [rank(cast("list[Card]", hand), judge.rules, lowest) for hand in some]
    assert judge.values(shuffled[::7]) == plain
    assert [judge.value(hand) for hand in some] == plain


@pytest.mark.parametrize("draw", ["none", *DRAWS.values()])
@pytest.mark.parametrize(
    "rules", [RankingRules(), RankingRules(ace_low="never")], ids=["low ace", "no low ace"]
)
def test_openers_equal_the_plain_definition(every_hand: Hands, rules: RankingRules, draw: OpenDraw) -> None:
    """A part of the hands of 28 cards, at the lowest and highest requirement, with each draw: many hands at
    once, and one after the other.
    """
    hands, judge = of_deck(every_hand, 8)[::9], Judge(rules, 8)
    requirements: list[Requirement] = ["JJ", "AA"]
    for requirement in requirements:
        flags = may_open(judge, hands, requirement, draw)
        plain = [bool(qualifying_cards(hand, requirement, draw, rules, 8)) for hand in hands.tolist()]
        assert flags.tolist() == plain
        assert [opens(judge, hand, requirement, draw) for hand in hands.tolist()] == plain


def test_strengths_leave_no_gap_between_categories(every_hand: Hands) -> None:
    """With 32 cards each category's weakest hand beats the best one below, in the order of RULES.md B7."""
    judge, hands = Judge(RankingRules(), 7), of_deck(every_hand, 7)
    rows, _ = judge.read(hands)
    categories = np.array([shape.category for shape in judge.tables.shapes])[rows]
    strengths = judge.strengths(hands)
    for lower, higher in pairwise(Category):
        assert strengths[categories == lower].max() < strengths[categories == higher].min()
    assert len(hands) == comb(32, 5)
