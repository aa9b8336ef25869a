"""Straight flushes that meet in main and side pots, and folds that change who wins (`RULES.md B7`).

Seat 0 is all-in for the main pot of 20; the others draw nothing and bet 5 each into a side pot.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from servito_core import events as e
from tests.core.hand.driven import Driven

MASSIMA, MINIMA = "Th Jh Qh Kh Ah", "Ac 7c 8c 9c Tc"
HIGH_MEDIA, LOW_MEDIA = "9d Td Jd Qd Kd", "8s 9s Ts Js Qs"
KINGS, NINES = "Ks Qs Kd 8s 7d", "9h 9d Js 8h 7s"
OTHER = "Ks Qs Js Ts 8h"
EQUAL_MINIMA = "As 7s 8s 9s Ts"

NO_SUITS: dict[str, object] = {"suit_tiebreak": "none"}
SHORT = (5, 100, 100, 100)


def _played(options: dict[str, object], hands: tuple[str, ...], folds: frozenset[int]) -> Driven:
    """Everybody calls the opening; in the second round the first who does not fold bets 5."""
    game = Driven(options, SHORT, hands=dict(enumerate(hands)))
    game.do("0 open 4", "1 call", "2 call", "3 call", *(f"{seat} draw" for seat in range(4)))
    bettor = min({1, 2, 3} - folds)
    game.do(*(f"{seat} check" for seat in range(1, bettor)), f"{bettor} bet 5")
    for seat in (*range(bettor + 1, 4), *range(1, bettor)):
        game.do(f"{seat} fold" if seat in folds else f"{seat} call")
    return game


TWO = (MASSIMA, MINIMA, KINGS, NINES)
MASSIMA_ALL_IN = (MASSIMA, HIGH_MEDIA, LOW_MEDIA, MINIMA)
MINIMA_ALL_IN = (MINIMA, MASSIMA, HIGH_MEDIA, LOW_MEDIA)
MEDIA_ALL_IN = (HIGH_MEDIA, MINIMA, MASSIMA, OTHER)
TIED = (MINIMA, EQUAL_MINIMA, MASSIMA, HIGH_MEDIA)

SCRIPTS: list[tuple[tuple[str, ...], set[int], dict[int, int], dict[int, int]]] = [
    # hands by seat, who folds to the bet of the second round, shares of the main and of the side pot
    (TWO, set(), {1: 20}, {1: 15}),
    (TWO, {1}, {0: 20}, {2: 10}),
    (MEDIA_ALL_IN, set(), {0: 7, 1: 7, 2: 6}, {1: 15}),
    (MEDIA_ALL_IN, {1}, {2: 20}, {2: 10}),
    (MEDIA_ALL_IN, {2}, {0: 20}, {1: 10}),
    (MEDIA_ALL_IN, {3}, {0: 7, 1: 7, 2: 6}, {1: 10}),
    (MEDIA_ALL_IN, {2, 3}, {0: 20}, {}),
    (MASSIMA_ALL_IN, set(), {0: 7, 1: 7, 3: 6}, {1: 15}),
    (MASSIMA_ALL_IN, {1}, {0: 7, 2: 7, 3: 6}, {2: 10}),
    (MASSIMA_ALL_IN, {3}, {0: 20}, {1: 10}),
    (MASSIMA_ALL_IN, {1, 2}, {3: 20}, {}),
    (MINIMA_ALL_IN, set(), {0: 7, 1: 7, 2: 6}, {1: 15}),
    (MINIMA_ALL_IN, {1}, {2: 20}, {2: 10}),
    (MINIMA_ALL_IN, {2, 3}, {0: 20}, {}),
]


@pytest.mark.parametrize(("hands", "folds", "main", "side"), SCRIPTS)
def test_who_is_left_decides_who_wins(
    hands: tuple[str, ...], folds: set[int], main: dict[int, int], side: dict[int, int]
) -> None:
    """Two, three, four straight flushes: each pot among the live seats that paid it."""
    game = _played({}, hands, frozenset(folds))
    assert [shares for _, _, shares in game.pots] == [main, side] if side else [main]


def test_every_holder_may_share() -> None:
    """`sf_standoff=all_holders`: four equal shares of the main pot; the side pot is no standoff."""
    game = _played({"sf_standoff": "all_holders"}, MASSIMA_ALL_IN, frozenset())
    assert [shares for _, _, shares in game.pots] == [{0: 5, 1: 5, 2: 5, 3: 5}, {1: 15}]


@pytest.mark.parametrize(
    ("odd_chip", "main", "carried"),
    [
        ("left_of_dealer", {0: 4, 1: 3, 2: 7, 3: 6}, 0),
        ("highest_suit", {0: 3, 1: 3, 2: 8, 3: 6}, 0),
        ("next_pot", {0: 3, 1: 3, 2: 6, 3: 6}, 2),
    ],
)
def test_tied_hands_of_one_kind_divide_the_third_of_that_kind(
    odd_chip: str, main: dict[int, int], carried: int
) -> None:
    """`suit_tiebreak=none`: the pot goes into thirds by kind, odd chips first to the thirds, and a third by
    heads.
    """
    game = _played(NO_SUITS | {"odd_chip": odd_chip}, TIED, frozenset())
    assert [shares for _, _, shares in game.pots] == [main, {1: 5, 2: 5, 3: 5}]
    assert game.of(e.HandEnded)[0].carried == carried


@pytest.mark.parametrize(
    ("folds", "main", "side"), [({2}, {3: 20}, {3: 10}), ({3}, {0: 10, 1: 10}, {1: 10}), ({2, 3}, None, {})]
)
def test_a_tie_of_one_kind_is_no_standoff(
    folds: set[int], main: dict[int, int] | None, side: dict[int, int]
) -> None:
    """Where a kind is missing there are no thirds: equal hands halve the pot, or lose together."""
    game = _played(NO_SUITS, TIED, frozenset(folds))
    halves = {0: 10, 1: 10}
    assert [shares for _, _, shares in game.pots] == [main or halves, side] if side else [halves]


@pytest.mark.parametrize("options", [{}, NO_SUITS, {"sf_standoff": "all_holders"}])
@pytest.mark.parametrize("hands", [MASSIMA_ALL_IN, MEDIA_ALL_IN, TIED, TWO])
def test_who_wins_does_not_depend_on_where_he_sits(
    hands: tuple[str, ...], options: dict[str, object]
) -> None:
    """Every order of the same four hands around the table: the same hands win, and win the same parts."""
    found = set()
    for seated in permutations(hands):
        game = Driven(options, [100] * 4, hands=dict(enumerate(seated)))
        opener = next(seat for seat, cards in enumerate(seated) if cards == hands[0])
        game.do(*(f"{seat} pass" for seat in range(opener)), f"{opener} open 2")
        game.do(*(f"{(opener + step) % 4} call" for step in (1, 2, 3)))
        game.do(*(f"{seat} draw" for seat in range(4)))
        game.do(*(f"{(opener + step) % 4} check" for step in range(4)))
        (amount, _, shares) = game.pots[0]
        assert amount == 12
        found.add(frozenset((seated[seat], share) for seat, share in shares.items()))
    assert len(found) == 1
