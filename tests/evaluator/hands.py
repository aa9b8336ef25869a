"""Every hand of every deck, and an oracle of what beats what that shares no code with the product.

The oracle reads RULES.md B7 once more, with sorted arrays where the product has tables. Its keys compare with
one another only; two judges agree if they put all hands in the same order with the same ties.
"""

from __future__ import annotations

from itertools import chain, combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from servito_core.rules import RankingRules

    Hands = npt.NDArray[np.uint8]
    Keys = npt.NDArray[np.int64]

DECKS = {9: 24, 8: 28, 7: 32, 6: 36, 5: 40, 4: 44, 3: 48, 2: 52}
"""Cards of each deck by its lowest rank."""

HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FULL, FLUSH, QUADS, STRAIGHT_FLUSH = range(9)


def all_hands(cards: int = 52) -> Hands:
    """Every hand of the deck of the `cards` highest cards, each ascending: (n, 5)."""
    every = chain.from_iterable(combinations(range(52 - cards, 52), 5))
    return np.fromiter(every, np.uint8, 5 * comb(cards, 5)).reshape(-1, 5)


def of_deck(hands: Hands, lowest: int) -> Hands:
    """The hands of a stripped deck among all hands of 52 cards: the last ones, since they ascend."""
    return hands[-comb(DECKS[lowest], 5) :]


def oracle(hands: Hands, rules: RankingRules, lowest: int) -> Keys:
    """A key for each hand, greater for the better one, equal for a tie; kinds of straight flush apart."""
    rank, suit, count = _arranged(hands)
    one_suit = (suit == suit[:, :1]).all(axis=1)
    category, top = _categories(rank, count, one_suit, rules, lowest)
    run = np.isin(category, (STRAIGHT, STRAIGHT_FLUSH))
    compared = np.where(run[:, None], 0, rank)
    compared[run, 0] = rank[run, top[run]]
    deciding = _deciding_suit(category, suit, top, rules)
    kind = np.where(category != STRAIGHT_FLUSH, 0, np.where(rank[:, 0] < 14, 2, np.where(top == 0, 3, 1)))
    place = category.copy()
    if rules.flush_vs_full == "full" or (rules.flush_vs_full == "by_deck" and lowest == 2):
        place = np.select([category == FLUSH, category == FULL], [FULL, FLUSH], category)
    early = ((category == FLUSH) & (rules.flush_tiebreak == "suit_first")) | (
        (kind == 2) & (rules.sf_media_tie == "suit_only")
    )
    after_pair = (category == PAIR) & (rules.suit_tiebreak == "pair_suit_first")
    key = place * 4 + (kind if rules.sf_cycle else 0)
    key = key * 4 + np.where(early, deciding, 0)
    key = key * 16 + compared[:, 0]
    key = key * 4 + np.where(after_pair, deciding, 0)
    for column in range(1, 5):
        key = key * 16 + compared[:, column]
    return key * 4 + np.where(early | after_pair, 0, deciding)


def _arranged(hands: Hands) -> tuple[Keys, Keys, Keys]:
    """Rank, suit and count of each card; most frequent ranks first, then higher ranks, then higher suits."""
    cards = hands.astype(np.int64)
    count = (cards[:, :, None] // 4 == cards[:, None, :] // 4).sum(axis=2)
    arranged = -np.sort(-(count * 64 + cards), axis=1)
    return arranged % 64 // 4 + 2, arranged % 4, arranged // 64


def _categories(
    rank: Keys, count: Keys, one_suit: npt.NDArray[np.bool_], rules: RankingRules, lowest: int
) -> tuple[Keys, Keys]:
    """The category, and in which column the top of a run stands: the second, if its ace is low."""
    different = count[:, 0] == 1
    high_run = different & (rank[:, 0] - rank[:, 4] == 4)
    has_low = rules.ace_low == "adjacent_lowest" or (rules.ace_low == "a2345_only" and lowest == 2)
    low_run = has_low & different & (rank[:, 0] == 14) & (rank[:, 1] == lowest + 3)
    run = high_run | low_run
    category = np.select(
        [
            run & one_suit,
            count[:, 0] == 4,
            one_suit,
            (count[:, 0] == 3) & (count[:, 3] == 2),
            run,
            count[:, 0] == 3,
            (count[:, 0] == 2) & (count[:, 2] == 2),
            count[:, 0] == 2,
        ],
        [STRAIGHT_FLUSH, QUADS, FLUSH, FULL, STRAIGHT, TRIPS, TWO_PAIR, PAIR],
        HIGH,
    )
    return category, np.where(low_run, 1, 0)


def _deciding_suit(category: Keys, suit: Keys, top: Keys, rules: RankingRules) -> Keys:
    """The suit that breaks a tie; 0 where a tie is impossible or suits do not count."""
    if rules.suit_tiebreak == "none":
        return np.zeros(len(suit), np.int64)
    column = top.copy()
    if rules.suit_tiebreak in ("kicker", "fantini"):
        column[category == PAIR] = 2
        column[category == TWO_PAIR] = 4
    if rules.suit_tiebreak == "fantini":
        column[category == HIGH] = 1
    deciding = suit[np.arange(len(suit)), column]
    deciding[np.isin(category, (TRIPS, FULL, QUADS))] = 0
    return deciding
