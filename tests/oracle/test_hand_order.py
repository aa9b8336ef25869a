"""Every hand of 32, 36 and 40 cards: PokerKit orders them as we do, and each difference has its name.

Without suits and circle there is no difference. What our rules add is shown class by class: suits decide ties
and nothing else, or move one category where they count first; low runs are the only hands that `ace_low`
moves; the circle turns one pair of kinds.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from pokerkit.lookups import Label

from servito_core.rules import RankingRules
from servito_core.values import Category, SfKind
from servito_evaluator.app.judge import Judge
from servito_evaluator.app.winning import winner_set
from tests.evaluator.hands import DECKS, all_hands
from tests.oracle.pokerkit_hands import CARDS, Stripped, lookup_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from pokerkit.lookups import Lookup

    from tests.evaluator.hands import Hands

    Numbers = npt.NDArray[np.int64]

PLAIN = RankingRules(suit_tiebreak="none", sf_cycle=False)
"""What PokerKit can express."""

LABELS = {
    Label.HIGH_CARD: Category.HIGH_CARD,
    Label.ONE_PAIR: Category.ONE_PAIR,
    Label.TWO_PAIR: Category.TWO_PAIR,
    Label.THREE_OF_A_KIND: Category.THREE_OF_A_KIND,
    Label.STRAIGHT: Category.STRAIGHT,
    Label.FULL_HOUSE: Category.FULL_HOUSE,
    Label.FLUSH: Category.FLUSH,
    Label.FOUR_OF_A_KIND: Category.FOUR_OF_A_KIND,
    Label.STRAIGHT_FLUSH: Category.STRAIGHT_FLUSH,
}


@cache
def hands_of(lowest: int) -> Hands:
    """Every hand of the deck."""
    return all_hands(DECKS[lowest])


def looked_up(lookup: Lookup, hands: Hands) -> tuple[Numbers, Numbers]:
    """PokerKit's place of each hand in its order, and the category that it names."""
    entries = [lookup.get_entry([CARDS[card] for card in hand]) for hand in hands.tolist()]
    places = np.fromiter((entry.index for entry in entries), np.int64, len(entries))
    categories = np.fromiter((LABELS[entry.label] for entry in entries), np.int64, len(entries))
    return places, categories


@cache
def pokerkit_order(lowest: int) -> tuple[Numbers, Numbers]:
    """Of every hand of a deck; asked once, because it takes a second or two."""
    return looked_up(lookup_of(Stripped, lowest), hands_of(lowest))


def ours(rules: RankingRules, lowest: int) -> Numbers:
    """The strength of every hand of a deck."""
    return Judge(rules, lowest).strengths(hands_of(lowest)).astype(np.int64)


def categories(lowest: int) -> Numbers:
    """Our category of every hand of a deck."""
    judge = Judge(PLAIN, lowest)
    by_row = np.array([shape.category for shape in judge.tables.shapes])
    rows, _ = judge.read(hands_of(lowest))
    return by_row[rows]


def same_order(one: Numbers, other: Numbers) -> bool:
    """Whether both put all hands in one order with the same ties."""
    return refines(one, other) and refines(other, one)


def refines(fine: Numbers, coarse: Numbers) -> bool:
    """Whether `fine` orders the hands as `coarse` does and only splits its ties."""
    order = np.lexsort((fine, coarse))
    rises = np.diff(coarse[order]) > 0
    return bool((np.diff(fine[order])[rises] > 0).all())


@pytest.mark.parametrize("lowest", [7, 6, 5])
def test_the_order_of_all_hands_is_that_of_pokerkit(lowest: int) -> None:
    """32, 36 and 40 cards: the same category for each hand, the same order of all, the same ties."""
    places, named = pokerkit_order(lowest)
    assert (named == categories(lowest)).all()
    assert same_order(ours(PLAIN, lowest), places)
    assert len(np.unique(places)) == len({(*shape.ranks, shape.category) for shape in _shapes(lowest)})


def _shapes(lowest: int) -> Sequence[Any]:
    return Judge(PLAIN, lowest).tables.shapes


@pytest.mark.parametrize("lowest", [7, 6, 5])
@pytest.mark.parametrize("suits", ["combination", "kicker", "fantini"])
def test_suits_decide_ties_and_nothing_else(lowest: int, suits: Any) -> None:
    """Difference one: PokerKit's ties are split; no hand moves past one that it puts higher."""
    places, named = pokerkit_order(lowest)
    strengths = ours(replace(PLAIN, suit_tiebreak=suits), lowest)
    assert refines(strengths, places)
    split = len(np.unique(strengths)) - len(np.unique(places))
    assert split > 0
    same_rank_ties = np.isin(named, (Category.THREE_OF_A_KIND, Category.FULL_HOUSE, Category.FOUR_OF_A_KIND))
    assert len(np.unique(strengths[same_rank_ties])) == len(np.unique(places[same_rank_ties]))


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        ({"suit_tiebreak": "pair_suit_first"}, Category.ONE_PAIR),
        ({"suit_tiebreak": "combination", "flush_tiebreak": "suit_first"}, Category.FLUSH),
        (
            {"suit_tiebreak": "combination", "sf_media_tie": "suit_only", "sf_cycle": True},
            Category.STRAIGHT_FLUSH,
        ),
    ],
)
def test_suits_before_cards_move_one_category(change: dict[str, Any], moved: Category) -> None:
    """Difference two: where a suit counts before cards, hands move, but only inside that category."""
    places, named = pokerkit_order(7)
    strengths = ours(replace(PLAIN, **change), 7)
    inside = named == moved
    assert refines(strengths[~inside], places[~inside])
    assert not refines(strengths[inside], places[inside])
    assert (strengths >> 24 == named).all()


def test_low_runs_are_all_that_ace_low_moves() -> None:
    """Difference three: without low runs PokerKit orders as `ace_low=never` does; 1,024 hands are renamed."""
    places, named = looked_up(lookup_of(Stripped, 7, low_runs=False), hands_of(7))
    assert same_order(ours(replace(PLAIN, ace_low="never"), 7), places)
    _, with_low_runs = pokerkit_order(7)
    renamed = hands_of(7)[named != with_low_runs] // 4 + 2
    assert len(renamed) == 4**5
    assert (np.sort(renamed, axis=1) == [7, 8, 9, 10, 14]).all()


def test_the_full_house_may_stand_above() -> None:
    """No difference: told so, PokerKit puts the full house above the flush as `flush_vs_full=full` does."""
    places, _ = looked_up(lookup_of(Stripped, 9, flush_above_full=False), hands_of(9))
    strengths = Judge(replace(PLAIN, flush_vs_full="full"), 9).strengths(hands_of(9)).astype(np.int64)
    assert same_order(strengths, places)


def test_the_circle_turns_minima_and_massima_and_nothing_else() -> None:
    """Difference four: PokerKit's higher straight flush wins, unless the two are minima and massima.

    The one that PokerKit puts lowest beats the one that it puts highest: the circle is no order.
    """
    places, named = pokerkit_order(7)
    flushes = np.flatnonzero(named == Category.STRAIGHT_FLUSH)
    judge = Judge(RankingRules(), 7)
    held = {int(index): set(hands_of(7)[index].tolist()) for index in flushes}
    strength = {int(index): judge.strength(hands_of(7)[index].tolist()) for index in flushes}
    kind = {index: SfKind(number >> 20 & 15) for index, number in strength.items()}
    turned = 0
    for one, other in combinations(held, 2):
        if held[one] & held[other]:
            continue
        winner = winner_set({index: strength[index] for index in (one, other)}, RankingRules())
        higher = max(one, other, key=lambda index: int(places[index]))
        against = {kind[one], kind[other]} == {SfKind.MINIMA, SfKind.MASSIMA}
        if places[one] != places[other]:
            assert (winner != {higher}) is against
        turned += against
    assert turned == 4 * 4 - 4
