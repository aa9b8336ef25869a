"""Judgement by tables equals the core's plain definition: every hand of 24 to 40 cards, under every option.

52 cards by a large sample.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from servito_core.rules import RankingRules
from servito_core.values import Category
from servito_evaluator.app.judge import Judge
from servito_evaluator.app.tables import tables_for
from tests.evaluator.hands import DECKS, all_hands
from tests.evaluator.plain import Plain, all_rules, one_by_one

if TYPE_CHECKING:
    from servito_core.rules.ranking_rules import AceLow, FlushVsFull

COUNTS = json.loads((Path(__file__).parents[1] / "rules" / "counts.json").read_text())
STRIPPED = [9, 8, 7, 6, 5]
RULES = list(all_rules())
NAMES = {
    Category.FOUR_OF_A_KIND: ("quads",),
    Category.FLUSH: ("flush",),
    Category.FULL_HOUSE: ("full",),
    Category.STRAIGHT: ("straight",),
    Category.THREE_OF_A_KIND: ("trips",),
    Category.TWO_PAIR: ("two_pair",),
    Category.ONE_PAIR: ("pair",),
    Category.HIGH_CARD: ("high",),
    Category.STRAIGHT_FLUSH: ("sf_min", "sf_med", "sf_max"),
}


@lru_cache(maxsize=1)
def _plain(lowest: int) -> Plain:
    """Every hand of a stripped deck, of 52 cards every twentieth. Tests of one deck follow one another."""
    return Plain(all_hands()[::20] if lowest == 2 else all_hands(DECKS[lowest]), lowest)


def test_the_options_are_all_combined() -> None:
    """26 ways to break ties, with and without the circle, times flush or full house, times both aces."""
    assert len(RULES) == len(set(RULES)) == 104
    tie_breaks = {(r.sf_cycle, r.sf_media_tie, r.suit_tiebreak, r.flush_tiebreak) for r in RULES}
    assert len(tie_breaks) == 26


@pytest.mark.parametrize("lowest", STRIPPED)
def test_the_plain_definition_counts_as_the_rules_do(lowest: int) -> None:
    """RULES.md C: so many hands of each category are compared below."""
    counts = COUNTS[str(DECKS[lowest])]["counts"]
    assert _plain(lowest).counts() == {
        category: sum(counts[name] for name in names) for category, names in NAMES.items()
    }


def _check(plain: Plain, rules: RankingRules, turn: int, turns: int) -> None:
    """Every hand is judged as the core judges it; one in so many is also ranked on its own."""
    judged = Judge(rules, plain.lowest).strengths(plain.hands)
    assert plain.wrong(judged, rules) == {}, rules
    some = slice(turn, None, turns)
    assert judged[some].tolist() == one_by_one(plain.hands[some], rules, plain.lowest), rules


@pytest.mark.parametrize("higher", ["flush", "full"])
@pytest.mark.parametrize("ace_low", ["adjacent_lowest", "never"])
@pytest.mark.parametrize("lowest", STRIPPED)
def test_every_hand_under_every_option(lowest: int, ace_low: AceLow, higher: FlushVsFull) -> None:
    """The same strength for each hand, number for number, under each way to break ties, in every category.

    Over all options each hand also goes through `rank` and `strength` by itself, once.
    """
    plain = _plain(lowest)
    for turn, rules in enumerate(RULES):
        if (rules.ace_low, rules.flush_vs_full) == (ace_low, higher):
            _check(plain, rules, turn, len(RULES))


@pytest.mark.parametrize("first", range(3))
def test_a_twentieth_of_all_hands_of_52_cards(first: int) -> None:
    """129,948 hands spread evenly, under every fourth combination of options."""
    chosen = RULES[::4]
    for turn, rules in enumerate(chosen):
        if turn % 3 == first:
            _check(_plain(2), rules, turn, len(chosen))


@pytest.mark.parametrize("lowest", DECKS)
def test_values_that_say_the_same_in_a_deck_make_the_same_tables(lowest: int) -> None:
    """`by_deck`, `a2345_only` and `sf_standoff` need no hands: each is as another in any deck."""
    with_52 = lowest == 2
    for one, other in (
        (RankingRules(), RankingRules(flush_vs_full="full" if with_52 else "flush")),
        (RankingRules(ace_low="a2345_only"), RankingRules(ace_low="adjacent_lowest" if with_52 else "never")),
        (RankingRules(), RankingRules(sf_standoff="all_holders")),
    ):
        here, there = tables_for(one, lowest), tables_for(other, lowest)
        assert (here.shapes, here.entries) == (there.shapes, there.entries)
        assert here.one_suit_entries == there.one_suit_entries
        for name in ("row_by_sum", "strength", "suit_unit", "suit_shift"):
            assert np.array_equal(getattr(here, name), getattr(there, name)), name
