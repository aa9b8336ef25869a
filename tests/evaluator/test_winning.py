"""Winner sets from strengths, against the plain definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_core.cards import deck_from
from servito_core.ranking import NotAHandError, winners
from servito_core.rules import RankingRules
from servito_evaluator.app.judge import judge_for
from servito_evaluator.app.winning import winner_set

if TYPE_CHECKING:
    from servito_core.cards import Card

RULES = [
    RankingRules(),
    RankingRules(sf_standoff="all_holders"),
    RankingRules(suit_tiebreak="none"),
    RankingRules(sf_standoff="all_holders", suit_tiebreak="none"),
    RankingRules(sf_cycle=False),
    RankingRules(sf_media_tie="suit_only", flush_tiebreak="suit_first", suit_tiebreak="pair_suit_first"),
    RankingRules(ace_low="never"),
    RankingRules(flush_vs_full="full", suit_tiebreak="kicker"),
]


@st.composite
def deals(draw: st.DrawFn) -> tuple[int, dict[int, tuple[Card, ...]]]:
    """A deck, some runs of one suit each and some mixed hands of it, at any slots."""
    lowest = draw(st.sampled_from((9, 8, 7, 6, 2)))
    deck = deck_from(lowest)
    hands = []
    for suit in range(draw(st.integers(0, 4))):
        suited = deck[suit::4]
        first = draw(st.integers(-1, len(suited) - 5))
        hands.append((suited[-1], *suited[:4]) if first < 0 else suited[first : first + 5])
    dealt = {card for hand in hands for card in hand}
    rest = draw(st.permutations([card for card in deck if card not in dealt]))
    hands += [tuple(rest[start : start + 5]) for start in range(0, min(len(rest) - 4, 15), 5)]
    slots = draw(st.permutations(range(10)))
    return lowest, dict(zip(slots, draw(st.permutations(hands)), strict=False))


@pytest.mark.parametrize("rules", RULES)
@settings(max_examples=60, deadline=None)
@given(deals())
def test_the_winner_set_is_that_of_the_plain_definition(
    rules: RankingRules, deal: tuple[int, dict[int, tuple[Card, ...]]]
) -> None:
    """Strengths by table and the circle on top of them find the same winners."""
    lowest, hands = deal
    judge = judge_for(rules, lowest)
    strengths = {slot: judge.strength(cards) for slot, cards in hands.items()}
    assert winner_set(strengths, rules) == winners(hands, rules, lowest)


def test_a_pot_that_nobody_contests_is_refused() -> None:
    """There is no winner among no hands."""
    with pytest.raises(NotAHandError, match="nobody contests"):
        winner_set({}, RankingRules())
