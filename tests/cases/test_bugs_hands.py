"""Faults in judging and sharing, replayed by core and evaluator (OC and HR entries of poker_bugs.json)."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from servito_core import events as e
from servito_core.cards import deck_from, parse_cards
from servito_core.naming import name_en
from servito_core.ranking import rank, winners
from servito_core.rules import RankingRules, RuleSet
from servito_core.values import Category
from servito_evaluator.app.judge import Judge
from servito_evaluator.app.judgement import Judgements
from servito_script.hands import judge_hands
from tests.cases.bugs import options_of
from tests.core.hand.driven import Driven

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_evaluator.app.ports import Purpose


class _Uncounted:
    def judged(self, purpose: Purpose, hands: int) -> None:
        """See `Tally`."""


EVALUATOR = Judgements(_Uncounted())


def _best(fault: str, hands: dict[int, tuple[Card, ...]], lowest: int, **options: object) -> set[int]:
    """Who wins, by the core, by the evaluator and from behind every order of seats."""
    rules = RuleSet.from_options(options_of(fault) | options).ranking
    won = winners(hands, rules, lowest)
    for order in permutations(hands):
        seated = {seat: hands[seat] for seat in order}
        assert winners(seated, rules, lowest) == won
        assert EVALUATOR.winners(seated, [order], rules, lowest)[0] == [won]
    return set(won)


def _of(*texts: str) -> dict[int, tuple[Card, ...]]:
    return dict(enumerate(map(parse_cards, texts)))


TIED_STRAIGHTS = {0: "Ah Kd Qc Jh Ts", 1: "As Kc Qd Jd Tc"}


@pytest.mark.parametrize(("button", "shares"), [(2, {0: 28, 1: 27}), (0, {0: 27, 1: 28})])
def test_an_odd_pot_is_split_in_whole_chips(button: int, shares: dict[int, int]) -> None:
    """OC-02, for a pot as for a prize: 55 are 28 and 27, the odd one nearer to the button's left."""
    options = options_of("OC-02") | {"ante": 5, "suit_tiebreak": "none", "bet.limit": "none"}
    game = Driven(options, [100] * 3, button, hands=TIED_STRAIGHTS)
    opener, caller = (0, 1) if button == 2 else (1, 0)
    lines = {opener: "open 20", caller: "call", 2: "fold"}
    order = (0, 1, 2) if button == 2 else (1, 2, 0)
    game.do(*(f"{seat} {lines[seat]}" for seat in order))
    game.do(*(f"{seat} draw" for seat in (opener, caller)), *(f"{seat} check" for seat in (opener, caller)))
    ((amount, _, paid),) = game.pots
    assert (amount, paid) == (55, shares)
    assert all(type(chips) is int for chips in (*paid.values(), *game.stacks))


def test_three_kinds_share_an_odd_pot_in_whole_chips() -> None:
    """OC-02 under `italiana`, where only the circle shares a pot: 55 are 19, 18 and 18."""
    hands = {0: "Th Jh Qh Kh Ah", 1: "Ac 7c 8c 9c Tc", 2: "9d Td Jd Qd Kd"}
    game = Driven(options_of("OC-02") | {"ante": 5}, hands=hands)
    game.do("0 open 5", "1 call", "2 call", "3 call", *(f"{seat} draw" for seat in range(4)))
    game.do("0 bet 5", "1 call", "2 call", "3 fold")
    assert game.pots == [(55, {0, 1, 2}, {0: 19, 1: 18, 2: 18})]
    assert all(type(chips) is int for chips in game.stacks)


EQUAL_RANKS = ("As Kh Qh 9h 8h", "Ad Kc Qs 9c 8d")


@pytest.mark.parametrize("lowest", [8, 7])
def test_equal_ranks_are_decided_by_suit_not_by_place(lowest: int) -> None:
    """OC-03: the ace of diamonds beats that of spades, at whichever seat, in whichever order of cards."""
    hands = _of(*EQUAL_RANKS)
    assert _best("OC-03", hands, lowest) == {1}
    rules = RuleSet.from_options(options_of("OC-03")).ranking
    values = [{rank(cards, rules, lowest) for cards in permutations(hand)} for hand in hands.values()]
    assert [len(found) for found in values] == [1, 1]
    shuffled = [np.array(list(permutations(hand)), np.uint8) for hand in hands.values()]
    weaker, stronger = (set(Judge(rules, lowest).strengths(hand).tolist()) for hand in shuffled)
    assert len(weaker) == len(stronger) == 1
    assert max(weaker) < min(stronger)


@pytest.mark.parametrize("tiebreak", ["combination", "kicker", "fantini", "pair_suit_first"])
@pytest.mark.parametrize("lowest", [8, 7])
def test_no_two_hands_of_one_deck_are_equal(lowest: int, tiebreak: str) -> None:
    """OC-03: 100,000 random pairs of disjoint hands never tie while suits count."""
    deck = np.array(deck_from(lowest), np.uint8)
    rng = np.random.default_rng(lowest)
    pairs = rng.permuted(np.tile(deck, (100_000, 1)), axis=1)[:, :10]
    judge = Judge(RankingRules(suit_tiebreak=tiebreak), lowest)  # type: ignore[arg-type] # from the list above
    one, other = (judge.strengths(np.ascontiguousarray(part)) for part in (pairs[:, :5], pairs[:, 5:]))
    assert not (one == other).any()


@pytest.mark.parametrize("suits", ["combination", "none"])
def test_equal_losers_do_not_make_the_table_tie(suits: str) -> None:
    """OC-04: three queens take everything from two pairs of jacks with equal side cards."""
    hands = {0: "Qh Qd Qc 9s 8h", 1: "Jh Jd As Kd Tc", 2: "Jc Js Ac Ks Td"}
    options = options_of("OC-04") | {"suit_tiebreak": suits}
    game = Driven(options, [100] * 3, hands=hands)
    game.do("0 open 2", "1 call", "2 call", *(f"{seat} draw" for seat in range(3)))
    game.do("0 bet 5", "1 call", "2 call")
    assert game.pots == [(24, {0, 1, 2}, {0: 24})]
    assert game.stacks == [116, 92, 92]
    assert not game.of(e.UncalledBetReturned)
    assert _best("OC-04", _of(*hands.values()), 8, suit_tiebreak=suits) == {0}


ACE_LOW = "As 7d 8h 9c Ts"


def test_the_ace_stands_below_the_lowest_card() -> None:
    """HR-01: A-7-8-9-T of 32 cards is the lowest straight: above three aces, below 7-8-9-T-J."""
    assert _best("HR-01", _of(ACE_LOW, "Ah Ad Ac Kd Qs"), 7) == {0}
    assert _best("HR-01", _of(ACE_LOW, "7h 8c 9d Th Js"), 7) == {1}
    value = rank(parse_cards(ACE_LOW), RankingRules(), 7)
    assert (value.category, value.ranks) == (Category.STRAIGHT, (10,))
    assert name_en(value) == "ten-high straight"


def test_an_ace_low_straight_flush_is_one() -> None:
    """HR-02: of 32 cards it beats four kings, and a plain straight."""
    assert _best("HR-02", _of("Ad 7d 8d 9d Td", "Kh Kd Kc Ks Ah"), 7) == {0}
    assert _best("HR-02", _of("Ad 7d 8d 9d Td", "Th Js Qc Kd Ah"), 7) == {0}


def test_a_stripped_deck_has_its_own_order() -> None:
    """HR-03: with 32 cards the flush beats the full house; one option turns it everywhere."""
    texts = ("Ks Qs 9s 8s 7s", "Ah Ad As Kh Kd")
    assert _best("HR-03", _of(*texts), 7) == {0}
    assert _best("HR-03", _of(*texts), 7, flush_vs_full="full") == {1}
    for higher, wins in (("flush", [True, False]), ("full", [False, True])):
        rules = RankingRules(flush_vs_full=higher)  # type: ignore[arg-type] # from the lines above
        judged = judge_hands(texts, rules, 7)
        assert [hand.wins for hand in judged] == wins
        assert [hand.value.category for hand in judged] == [Category.FLUSH, Category.FULL_HOUSE]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Kh Kd 7c 7s 8h", "Qh Qd Jc Js Ah"),
        ("Jh Jd Ac 9s 8h", "Jc Js Ah 9d 7s"),
        ("9h 9d 9c 9s 7h", "8h 8d 8c 8s Ah"),
    ],
)
def test_hands_compare_in_order_not_by_sums(better: str, worse: str) -> None:
    """HR-06: the higher pair before the lower, each side card before the next, four before one."""
    assert _best("HR-06", _of(better, worse), 7) == {0}
    assert _best("HR-06", _of(worse, better), 7) == {1}


def test_a_full_house_goes_by_its_three() -> None:
    """HR-09: nines full of sevens beat eights full of aces."""
    assert _best("HR-09", _of("9h 9d 9c 7h 7d", "8h 8d 8c Ah Ad"), 7) == {0}
