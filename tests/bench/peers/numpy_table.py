"""The yardstick for the evaluator: a table indexed by the sorted hand, read by NumPy.

Cards are 0..51 with rank `card // 4`; the index of a hand is C(c1,1)+..+C(c5,5) of its sorted cards, so a
deck of the first n cards uses the first C(n,5) entries; an entry is the dense strength as uint16. It knows
the order of international poker only: no stripped deck's order, no suits, no circle. It is a peer, not ours:
change it only with its original.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.integer[Any]]

BINOMIALS = np.array([[math.comb(card, place) for card in range(52)] for place in range(1, 6)], np.int32)


def build(cards: int = 52) -> npt.NDArray[np.uint16]:
    """The table of a deck of the first `cards` cards."""
    dense = np.unique(_strength_keys(_all_hands(cards)), return_inverse=True)[1]
    return (dense.reshape(-1) + 1).astype(np.uint16)


def lookup(table: npt.NDArray[np.uint16], hands: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """Strengths of an (n, 5) array of unsorted hands."""
    strengths: npt.NDArray[np.uint16] = table[_index_of_sorted(np.sort(hands, axis=1))]
    return strengths


def _index_of_sorted(hands: npt.NDArray[np.uint8]) -> Ints:
    index: Ints = BINOMIALS[0][hands[:, 0]]
    for place in range(1, 5):
        index = index + BINOMIALS[place][hands[:, place]]
    return index


def _all_hands(cards: int) -> npt.NDArray[np.uint8]:
    """Every five of the first `cards` cards, sorted, in the order of their index."""
    every = itertools.chain.from_iterable(itertools.combinations(range(cards), 5))
    hands = np.fromiter(every, np.uint8, 5 * math.comb(cards, 5)).reshape(-1, 5)
    ordered: npt.NDArray[np.uint8] = hands[np.argsort(_index_of_sorted(hands))]
    return ordered


def _strength_keys(hands: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """A sortable number per hand: category, then ranks by count and rank, descending."""
    ranks, suits = np.sort(hands // 4, axis=1).astype(np.int64), hands % 4
    counts = np.zeros((len(hands), 13), np.int64)
    for place in range(5):
        counts[np.arange(len(hands)), ranks[:, place]] += 1
    weights = np.where(counts == 0, 0, counts * 16 + np.arange(13))
    top = -np.sort(-weights, axis=1)[:, :5]
    wheel = (ranks == [0, 1, 2, 3, 12]).all(axis=1)
    key = _categories(ranks, suits, top, wheel)
    for place in range(5):
        compared = np.where(top[:, place] > 0, top[:, place] % 16 + 1, 0)
        key = key * 16 + np.where(wheel, 4 if place == 0 else 0, compared)
    return key


def _categories(
    ranks: npt.NDArray[np.int64],
    suits: npt.NDArray[np.uint8],
    top: npt.NDArray[np.int64],
    wheel: npt.NDArray[np.bool_],
) -> npt.NDArray[np.int64]:
    flush = (suits == suits[:, :1]).all(axis=1)
    straight = ((top[:, 4] > 0) & (ranks[:, 4] - ranks[:, 0] == 4)) | wheel
    most, next_most = top[:, 0] // 16, top[:, 1] // 16
    tests = [
        straight & flush,
        most == 4,
        (most == 3) & (next_most == 2),
        flush,
        straight,
        most == 3,
        (most == 2) & (next_most == 2),
        most == 2,
    ]
    return np.select(tests, [8, 7, 6, 5, 4, 3, 2, 1], 0).astype(np.int64)
