"""How a hand of card numbers becomes an index without sorting: the part of the tables that no rule changes.

Each rank has a weight such that the sum of five tells which five ranks were added, in whatever order. The
union of five card bits, four to a rank, tells the suits held of any one rank. Two cards are of one suit
when the low two bits of their numbers agree.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

import numpy as np

from servito_core.cards import ACE, DECK_SIZE, Card, rank_of

RANK_WEIGHTS: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""Of the ranks from the ace down to the two, so that a stripped deck has small sums.

Every sum of five weights, none of them five times, is different."""

SUM_BITS: Final = 19
SUM_MASK: Final = (1 << SUM_BITS) - 1

CARD_WEIGHTS: Final = tuple(RANK_WEIGHTS[ACE - rank_of(Card(card))] for card in range(DECK_SIZE))
CARD_WEIGHT_ARRAY: Final = np.array(CARD_WEIGHTS, np.int32)
CARD_BIT_ARRAY: Final = np.uint64(1) << np.arange(DECK_SIZE, dtype=np.uint64)

CARD_KEYS: Final = tuple((1 << (SUM_BITS + card)) | weight for card, weight in enumerate(CARD_WEIGHTS))
"""Bit and weight of a card in one number: a sum is the sum of weights, with the union of bits above it."""

PAIR_KEYS: Final = tuple(tuple(one + other for other in CARD_KEYS) for one in CARD_KEYS)


def sum_of(ranks: tuple[int, ...]) -> int:
    """The sum of the weights of these ranks."""
    return sum(RANK_WEIGHTS[ACE - rank] for rank in ranks)


def multisets(lowest: int) -> tuple[tuple[int, ...], ...]:
    """Every multiset of ranks that five cards from rank `lowest` up can have; its place is its number."""
    every = combinations_with_replacement(range(lowest, ACE + 1), 5)
    return tuple(ranks for ranks in every if ranks[0] != ranks[4])
