"""How two hands compare (RULES.md B7): categories, ranks, suits and their options."""

from __future__ import annotations

from itertools import pairwise

import pytest

from servito_core.cards import parse_cards
from servito_core.ranking import beats, rank, winners
from servito_core.rules import RankingRules

DEFAULT = RankingRules()


def wins(better: str, worse: str, rules: RankingRules = DEFAULT, lowest: int = 7) -> bool:
    """Whether the first hand wins alone against the second, seen from both seats and both ways of asking."""
    one, other = parse_cards(better), parse_cards(worse)
    first = winners({0: one, 1: other}, rules, lowest) == {0}
    assert (winners({0: other, 1: one}, rules, lowest) == {1}) is first
    values = rank(one, rules, lowest), rank(other, rules, lowest)
    assert beats(*values, rules, lowest) is first
    return first


def ties(one: str, other: str, rules: RankingRules, lowest: int = 7) -> bool:
    """Whether the two share a pot."""
    return winners({3: parse_cards(one), 1: parse_cards(other)}, rules, lowest) == {1, 3}


DESCENDING = [
    "7s 8s 9s Ts Js",
    "8h 8s 8d 8c 7h",
    "7h 9h Jh Kh Qh",
    "7s 7d 7c 9s 9d",
    "Ac 7d 8c 9c Td",
    "9h 9c 9d 7s 8h",
    "8h 8c 7s 7h 9s",
    "7d 7h 8d 9s Jc",
    "Ah Kd Qh Jc 9h",
]


def test_the_categories_in_a_stripped_deck() -> None:
    """Straight flush, four, flush, full house, straight, three, two pair, pair, high card."""
    values = [rank(parse_cards(text), DEFAULT, 7) for text in DESCENDING]
    for position, better in enumerate(values):
        assert all(beats(better, worse, DEFAULT, 7) for worse in values[position + 1 :])
        assert not any(beats(worse, better, DEFAULT, 7) for worse in values[position:])


@pytest.mark.parametrize(
    ("option", "lowest", "flush_wins"),
    [
        ("by_deck", 2, False),
        ("by_deck", 3, True),
        ("by_deck", 9, True),
        ("flush", 2, True),
        ("flush", 9, True),
        ("full", 2, False),
        ("full", 9, False),
    ],
)
def test_flush_against_full_house(option: str, lowest: int, flush_wins: bool) -> None:
    """flush_vs_full: by the deck full is higher with 52 cards only (001, 002); or always one of them."""
    rules = RankingRules(flush_vs_full=option)  # type: ignore[arg-type]  # from the table above
    flush, full = "9h Jh Qh Kh Ah", "Ts Td Tc Jd Js"
    assert wins(*((flush, full) if flush_wins else (full, flush)), rules, lowest)
    neighbours = [rank(parse_cards(text), rules, lowest) for text in ("9s 9d 9c 9h As", "9s Tc Jh Qd Kd")]
    for text in (flush, full):
        value = rank(parse_cards(text), rules, lowest)
        assert beats(neighbours[0], value, rules, lowest)
        assert beats(value, neighbours[1], rules, lowest)


STEPS = [
    # each hand beats the next one in the list, which differs in one more thing
    ("high card by each rank", ["Ah Kd Jh 9c 8h", "As Kc Jd 9h 7h", "Ad Ks Jc 8c 7s", "Ac Kh Td 9s 7c"]),
    ("high card by lower ranks", ["As Kd Jh 9c 8h", "Ah Kc Ts 9h 8d", "Ad Qh Jd Tc 8c"]),
    ("pair, then side cards", ["Jh Js 8d 9c 7s", "Ts Tc Ah Kd Qd", "Td Th Ac Kc Jc", "9s 9h Ad Kh 8h"]),
    ("two pair: higher, lower, side card", ["Ks Kc 9s 9c 8h", "Kh Kd 8s 8d Ah", "Qs Qd Jh Js As"]),
    ("two pair: side card", ["Ks Kc 9s 9c Ah", "Kh Kd 9h 9d Qh"]),
    ("three of a kind", ["Ks Kc Kd 7h 8h", "Qs Qc Qd Ah Kh"]),
    ("straight by its top, the low ace last", ["Ts Jc Qd Kh Ah", "9s Tc Jd Qh Kd", "As 7c 8d 9h Td"]),
    ("flush by its ranks", ["As Ks Ts 9s 7s", "Ah Kh Th 8h 7h", "Ac Kc 9c 8c 7c"]),
    ("full house by its three", ["8s 8c 8d 9h 9s", "7c 7d 7h Ah As"]),
    ("four of a kind by its four", ["8s 8c 8d 8h 9s", "7c 7d 7h 7s Ah"]),
]


@pytest.mark.parametrize(("what", "descending"), STEPS, ids=[what for what, _ in STEPS])
def test_within_a_category_ranks_decide(what: str, descending: list[str]) -> None:
    """Ranks come before suits, the combination before side cards, higher before lower."""
    for better, worse in pairwise(descending):
        assert wins(better, worse)


EQUAL_RANKS = {
    "high card": ("As Kh Jd 9d 8d", "Ah Ks Jc 9c 8c"),
    "second of high card": ("As Kh Jd 9d 8d", "Ac Kd Jh 9h 8h"),
    "pair": ("Kh Ks Jd 9d 8c", "Kd Kc Jh 9s 8s"),
    "two pair": ("9h 9s 7d 7c Ks", "9d 9c 7h 7s Kh"),
    "straight": ("Ah Kd Qs Jc Td", "Ad Kh Qh Jh Th"),
    "low straight": ("Ah 7d 8c 9d Td", "As 7s 8d 9c Th"),
    "flush": ("Kh Jh 9h 8h 7h", "Ks Js 9s 8s 7s"),
}
FIRST_WINS = {
    # suit_tiebreak -> whether the first hand of each couple wins
    "combination": (False, False, True, True, True, False, True),
    "kicker": (False, False, False, False, True, False, True),
    "fantini": (True, True, False, False, True, False, True),
    "pair_suit_first": (False, False, True, True, True, False, True),
}


@pytest.mark.parametrize("tiebreak", FIRST_WINS)
def test_equal_ranks_are_broken_by_the_suit_of_the_option(tiebreak: str) -> None:
    """suit_tiebreak: the sources send the same hands to different winners (RULES.md A9)."""
    rules = RankingRules(suit_tiebreak=tiebreak)  # type: ignore[arg-type]  # from the table above
    for (name, (one, other)), first_wins in zip(EQUAL_RANKS.items(), FIRST_WINS[tiebreak], strict=True):
        assert wins(*((one, other) if first_wins else (other, one)), rules), name


@pytest.mark.parametrize(("one", "other"), EQUAL_RANKS.values(), ids=EQUAL_RANKS)
def test_without_suits_equal_ranks_share(one: str, other: str) -> None:
    """suit_tiebreak none: ties split."""
    assert ties(one, other, RankingRules(suit_tiebreak="none"))


def test_pair_suit_first_lets_the_heart_win_before_side_cards() -> None:
    """002: of two equal pairs the one with the heart wins at once; a higher pair still wins."""
    heart, better_sides = "Kh Ks 9d 8d 7c", "Kd Kc Ah Qs Js"
    assert wins(heart, better_sides, RankingRules(suit_tiebreak="pair_suit_first"))
    assert wins(better_sides, heart, RankingRules(suit_tiebreak="combination"))
    assert wins("As Ad 9c 8c 7d", heart, RankingRules(suit_tiebreak="pair_suit_first"))
    assert wins("9s 9c 7d 7c As", "9h 9d 7h 7s Kh", RankingRules(suit_tiebreak="pair_suit_first"))


def test_suit_first_decides_flushes_by_suit_alone() -> None:
    """flush_tiebreak suit_first: any heart flush beats any spade flush; other hands are not touched."""
    spades, hearts = "As Ks Ts 9s 8s", "Kh Jh 9h 8h 7h"
    assert wins(hearts, spades, RankingRules(flush_tiebreak="suit_first"))
    assert wins(spades, hearts, RankingRules(flush_tiebreak="ranks_then_suit"))
    assert wins("As Ks Ts 9s 8c", "Kh Jh 9h 8h 7c", RankingRules(flush_tiebreak="suit_first"))
