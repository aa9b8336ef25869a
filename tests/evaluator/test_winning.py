"""Winner sets from strengths, against the plain definition."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_core.cards import deck_from, parse_cards
from servito_core.ranking import NotAHandError, winners
from servito_core.rules import RankingRules
from servito_evaluator.app.shelf import judge_for
from servito_evaluator.app.winning import winner_set

if TYPE_CHECKING:
    from servito_core.cards import Card

QUADS = judge_for(RankingRules(), 9).strength(parse_cards("Ah Ad Ac As Kh"))

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


def _runs(lowest: int, suit: int) -> list[tuple[Card, ...]]:
    """The straight flushes of one suit, any two of which share a card in a deck of at most 36."""
    suited = deck_from(lowest)[suit::4]
    return [suited[first : first + 5] for first in range(len(suited) - 4)] + [(*suited[:4], suited[-1])]


CIRCLES = [
    RankingRules(sf_standoff=standoff, **how)
    for standoff in ("best_of_each_type", "all_holders")
    for how in (
        {},
        {"sf_media_tie": "suit_only"},
        {"suit_tiebreak": "none"},
        {"sf_cycle": False},
        {"sf_cycle": False, "suit_tiebreak": "none"},
    )
]


def _by_the_words(hands: dict[int, tuple[Card, ...]], rules: RankingRules) -> set[int]:
    """RULES.md B7 once more, for straight flushes alone and from their cards alone."""
    held = {slot: sorted(card // 4 + 2 for card in cards) for slot, cards in hands.items()}
    kinds = {
        slot: "media" if r[4] < 14 else "massima" if r[3] == 13 else "minima" for slot, r in held.items()
    }
    order = {}
    for slot, ranks in held.items():
        suit = hands[slot][0] % 4 if rules.suit_tiebreak != "none" else 0
        top = ranks[3] if kinds[slot] == "minima" else ranks[4]
        suit_first = kinds[slot] == "media" and rules.sf_media_tie == "suit_only"
        order[slot] = (suit, top) if suit_first else (top, suit)
    there = set(kinds.values())
    if rules.sf_cycle and len(there) == 3 and rules.sf_standoff == "all_holders":
        return set(hands)
    if not rules.sf_cycle:
        parts = [set(hands)]
    elif len(there) == 3:
        parts = [{slot for slot in hands if kinds[slot] == kind} for kind in there]
    else:
        beaten_by = {"massima": "minima", "media": "massima", "minima": "media"}
        parts = [{slot for slot in hands if beaten_by[kinds[slot]] not in there}]
    return {slot for part in parts for slot in part if order[slot] == max(order[other] for other in part)}


@pytest.mark.parametrize("rules", CIRCLES)
@pytest.mark.parametrize("lowest", [9, 7, 6])
def test_every_meeting_of_straight_flushes(lowest: int, rules: RankingRules) -> None:
    """All sets of straight flushes that one deal may hold, with and without a lesser hand:
    the winner set is that of the plain definition and of the words of the rules.
    """
    judge = judge_for(rules, lowest)
    strength = {run: judge.strength(run) for suit in range(4) for run in _runs(lowest, suit)}
    for held in product(*([None, *_runs(lowest, suit)] for suit in range(4))):
        hands = {slot: cards for slot, cards in enumerate(held) if cards is not None}
        if hands:
            strengths = {slot: strength[cards] for slot, cards in hands.items()}
            won = winner_set(strengths, rules)
            assert won == winners(hands, rules, lowest) == _by_the_words(hands, rules)
            assert winner_set(strengths | {9: QUADS}, rules) == won


def test_a_pot_that_nobody_contests_is_refused() -> None:
    """There is no winner among no hands."""
    with pytest.raises(NotAHandError, match="nobody contests"):
        winner_set({}, RankingRules())
