"""Subsets and multisets of small numbers as arrays, in an order that does not depend on how many there are.

The order is the colexicographic one: by the greatest element, then by the next. So the subsets of 0..n-1 are
the first rows of those of any greater n, and the number of a row is a sum over its elements. Nothing here
knows cards.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Rows = npt.NDArray[np.uint8]
    Numbers = npt.NDArray[np.intp]

MOST_THINGS: Final = 250
"""Elements are uint8."""


def subsets(things: int, size: int) -> Rows:
    """Every subset of `size` of the numbers below `things`: (count, size), each row ascending."""
    rows: Rows = np.zeros((1, 0), np.uint8)
    for taken in range(1, size + 1):
        greatest = range(taken - 1, things - size + taken)
        counts = [comb(top, taken - 1) for top in greatest]
        below = [rows[:count] for count in counts]
        tops = np.repeat(np.array(greatest, np.uint8), counts)
        rows = np.column_stack([np.concatenate([rows[:0], *below]), tops])
    return rows


def multisets(things: int, size: int) -> Rows:
    """Every multiset of `size` of the numbers below `things`: (count, size), each row ascending."""
    below: Rows = np.arange(size).astype(np.uint8)
    return subsets(things + size - 1, size) - below


def numbers_of_multisets(rows: Rows) -> Numbers:
    """The row of each ascending multiset in `multisets`."""
    numbers = np.zeros(len(rows), np.intp)
    for place in range(rows.shape[1]):
        numbers += _STEPS[place].take(rows[:, place])
    return numbers


_STEPS: Final = [
    np.array([comb(thing + place, place + 1) for thing in range(MOST_THINGS)], np.intp) for place in range(9)
]
"""What an element adds to the number of its multiset, by its place among nine at most."""
