"""The straight-flush circle (RULES.md B7): minima beats massima, massima beats media, media beats minima."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servito_core.cards import deck_from, parse_cards
from servito_core.ranking import NotAHandError, beats, rank, winner_groups, winners
from servito_core.rules import RankingRules

if TYPE_CHECKING:
    from servito_core.cards import Card

    Deal = tuple[RankingRules, list[tuple[Card, ...]]]

DEFAULT = RankingRules()
NO_SUITS = RankingRules(suit_tiebreak="none")

MIN, MED, MAX = "As 7s 8s 9s Ts", "8d 9d Td Jd Qd", "Th Jh Qh Kh Ah"


def who_wins(hands: dict[str, str], rules: RankingRules = DEFAULT, lowest: int = 7) -> set[str]:
    """The names of the winners, whatever order the seats are in."""
    names = list(hands)
    found = {
        frozenset(
            order[seat]
            for seat in winners({s: parse_cards(hands[name]) for s, name in enumerate(order)}, rules, lowest)
        )
        for order in permutations(names)
    }
    assert len(found) == 1
    return set(found.pop())


@pytest.mark.parametrize(
    ("hands", "winner"),
    [
        ({"min": MIN, "max": MAX}, "min"),
        ({"max": MAX, "med": MED}, "max"),
        ({"med": MED, "min": MIN}, "med"),
    ],
)
def test_each_kind_beats_the_next(hands: dict[str, str], winner: str) -> None:
    """Whatever the suits: here the spade minima beats the heart massima."""
    assert who_wins(hands) == {winner}


def test_two_kinds_compare_around_the_circle() -> None:
    """`beats`: each kind the next, not the other way; of one kind, or without the circle, by plain order."""
    low, mid, high = (rank(parse_cards(text), DEFAULT, 7) for text in (MIN, MED, MAX))
    for better, worse in ((low, high), (high, mid), (mid, low)):
        assert beats(better, worse, DEFAULT, 7)
        assert not beats(worse, better, DEFAULT, 7)
        assert not beats(better, better, DEFAULT, 7)
    assert beats(high, low, RankingRules(sf_cycle=False), 7)


def test_three_kinds_share() -> None:
    """002, 003: none of the three is unbeaten, so each takes a third."""
    assert who_wins({"min": MIN, "med": MED, "max": MAX}) == {"min", "med", "max"}
    hands = dict(enumerate(map(parse_cards, (MAX, MIN, MED))))
    assert winner_groups(hands, DEFAULT, 7) == (frozenset({1}), frozenset({2}), frozenset({0}))


@pytest.mark.parametrize(("folds", "winner"), [("min", "max"), ("med", "min"), ("max", "med")])
def test_a_fold_moves_the_pot_between_the_others(folds: str, winner: str) -> None:
    """Folded hands do not exist: with one of three gone, one of the other two wins alone."""
    hands = {"min": MIN, "med": MED, "max": MAX}
    assert who_wins({name: cards for name, cards in hands.items() if name != folds}) == {winner}


@pytest.mark.parametrize("lesser", ["Jc Js Jd 7c Qs", "9c Jc Qc Kc Ac", "Kc Ks Kd 7c 7d", "7d 7c 8c 9c Qs"])
def test_hands_below_a_straight_flush_take_no_part(lesser: str) -> None:
    """C35: a third hand changes nothing unless it is a straight flush of the missing kind."""
    assert who_wins({"min": MIN, "max": MAX, "other": lesser}) == {"min"}


def test_of_two_kinds_only_the_best_of_the_better_kind_wins() -> None:
    """C27: two massime and a minima; then two medie and a minima."""
    assert who_wins({"x1": MAX, "x2": "Tc Jc Qc Kc Ac", "min": MIN}) == {"min"}
    assert who_wins({"m1": "9c Tc Jc Qc Kc", "m2": MED, "min": MIN}) == {"m1"}


FOUR = {"min": MIN, "m1": "9d Td Jd Qd Kd", "m2": "8c 9c Tc Jc Qc", "max": MAX}


def test_in_a_standoff_the_best_of_each_kind_shares() -> None:
    """sf_standoff best_of_each_type: the lower media is beaten by the higher one."""
    assert who_wins(FOUR) == {"min", "m1", "max"}


def test_in_a_standoff_all_holders_may_share() -> None:
    """002 word for word: equal shares to every holder."""
    rules = RankingRules(sf_standoff="all_holders")
    assert who_wins(FOUR, rules) == set(FOUR)
    assert who_wins({name: FOUR[name] for name in ("min", "m1", "m2")}, rules) == {"m1"}


def test_in_a_standoff_without_suits_equal_hands_share_their_third() -> None:
    """Two equal minime are one third together; the groups say so, the winner set holds all four."""
    texts = ("As 7s 8s 9s Ts", "Ad 7d 8d 9d Td", "9c Tc Jc Qc Kc", MAX)
    hands = dict(enumerate(map(parse_cards, texts)))
    assert winner_groups(hands, NO_SUITS, 7) == (frozenset({0, 1}), frozenset({2}), frozenset({3}))
    assert winners(hands, NO_SUITS, 7) == {0, 1, 2, 3}


def test_two_medie_compare_by_cards_then_suit_or_by_suit_alone() -> None:
    """sf_media_tie, and equal cards are broken by the suit either way."""
    higher, heart = "9s Ts Js Qs Ks", "8h 9h Th Jh Qh"
    suit_only = RankingRules(sf_media_tie="suit_only")
    assert who_wins({"higher": higher, "heart": heart}) == {"higher"}
    assert who_wins({"higher": higher, "heart": heart}, suit_only) == {"heart"}
    for rules in (DEFAULT, suit_only):
        assert who_wins({"spade": "8s 9s Ts Js Qs", "heart": heart}, rules) == {"heart"}


@pytest.mark.parametrize("lowest", [2, 3, 4])
def test_cards_decide_between_two_medie_of_one_suit(lowest: int) -> None:
    """From 44 cards on one suit holds two medie; with suits on no two hands are equal, by suit alone too."""
    lower, higher = "4d 5d 6d 7d 8d", "9d Td Jd Qd Kd"
    for rules in (DEFAULT, RankingRules(sf_media_tie="suit_only")):
        assert who_wins({"lower": lower, "higher": higher}, rules, lowest) == {"higher"}
        assert who_wins({"higher": higher, "heart": "4h 5h 6h 7h 8h"}, rules, lowest) == (
            {"higher"} if rules is DEFAULT else {"heart"}
        )


@pytest.mark.parametrize("text", [MIN, MAX])
def test_equal_minime_and_massime_compare_by_suit(text: str) -> None:
    """Kinds of one height only: the suit decides, without suits they share."""
    suits = {suit: " ".join(card[0] + suit for card in text.split()) for suit in "scdh"}
    assert who_wins(suits) == {"h"}
    assert who_wins(suits, NO_SUITS) == set("scdh")


def test_without_the_circle_straight_flushes_have_plain_order() -> None:
    """sf_cycle false (001): the massima is the highest, the minima the lowest, no standoff."""
    plain = RankingRules(sf_cycle=False)
    assert who_wins({"min": MIN, "med": MED, "max": MAX}, plain) == {"max"}
    assert who_wins({"min": MIN, "med": MED}, plain) == {"med"}
    assert who_wins({"m1": "9s Ts Js Qs Ks", "m2": "8h 9h Th Jh Qh"}, plain) == {"m1"}


def test_ordinary_straights_have_no_circle() -> None:
    """003: A-7-8-9-10 of mixed suits is the lowest straight, 10 to A the highest."""
    assert who_wins({"low": "As 7d 8c 9h Th", "high": "Td Jc Qs Kd Ah"}) == {"high"}
    assert who_wins({"low": "As 7d 8c 9h Th", "middle": "8d 9c Tc Jh Qh"}) == {"middle"}


def test_hands_that_meet_come_from_one_deal() -> None:
    """A card in two hands, or no hand at all, is refused."""
    with pytest.raises(NotAHandError, match="a card is held twice"):
        winners({0: parse_cards(MIN), 1: parse_cards("As Kd Qh Jc 9h")}, DEFAULT, 7)
    with pytest.raises(NotAHandError, match="at least one hand"):
        winners({}, DEFAULT, 7)


RULES = [
    DEFAULT,
    NO_SUITS,
    RankingRules(sf_standoff="all_holders"),
    RankingRules(sf_standoff="all_holders", suit_tiebreak="none"),
    RankingRules(sf_cycle=False),
]
RUNS = [range(first, first + 5) for first in range(7, 11)] + [(14, 7, 8, 9, 10)]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Two to six hands of one 32-card deal, most of them straight flushes, and rules."""
    suits = draw(st.permutations(range(4)))
    flushes = [
        tuple(deck_from(2)[4 * (rank - 2) + suit] for rank in draw(st.sampled_from(RUNS)))
        for suit in suits[: draw(st.integers(2, 4))]
    ]
    taken = {card for hand in flushes for card in hand}
    rest = draw(st.permutations([card for card in deck_from(7) if card not in taken]))
    others = [tuple(rest[5 * i : 5 * i + 5]) for i in range(draw(st.integers(0, min(2, len(rest) // 5))))]
    return draw(st.sampled_from(RULES)), draw(st.permutations(flushes + others))


@given(deals(), st.permutations(range(6)))
def test_the_winner_set_does_not_depend_on_seats(deal: Deal, seats: list[int]) -> None:
    """Hands at other seats, asked in another order: the same hands win."""
    rules, hands = deal
    won = {hands[seat] for seat in winners(dict(enumerate(hands)), rules, 7)}
    moved = {seat: hands[seat] for seat in seats if seat < len(hands)}
    turned = {seats[seat]: hand for seat, hand in moved.items()}
    assert {turned[seat] for seat in winners(turned, rules, 7)} == won


@given(deals())
def test_a_winner_is_beaten_only_in_a_standoff(deal: Deal) -> None:
    """Nobody left out beats all winners; a winner who is beaten holds one of three kinds that met."""
    rules, hands = deal
    values = [rank(hand, rules, 7) for hand in hands]
    won = winners(dict(enumerate(hands)), rules, 7)
    kinds = {value.kind for value in values if value.kind}
    if len(kinds) < 3 or not rules.sf_cycle:
        assert not any(beats(value, values[seat], rules, 7) for seat in won for value in values)
    for loser in set(range(len(hands))) - won:
        assert any(beats(values[seat], values[loser], rules, 7) for seat in won)
