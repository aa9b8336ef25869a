"""In how many ways several players can hold good hands at once, counted exactly without dealing them all.

Players are alike: after each card it matters only how many of them hold a hand of each class
(`partial_hands`), so the cards are handed out one after another to multisets of classes. Numbers of ways
outgrow 64 bits; they are held in limbs of 32 bits, lowest first. Nothing here knows cards or rules.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from servito_evaluator.app.partial_hands import LOST
from servito_evaluator.app.subsets import multisets, numbers_of_multisets

if TYPE_CHECKING:
    from collections.abc import Generator

    import numpy.typing as npt

    from servito_evaluator.app.partial_hands import Growth, Step
    from servito_evaluator.app.subsets import Rows

    Ways = npt.NDArray[np.uint64]
    """Ways by limb and by the number of the multiset of classes: (limbs, multisets)."""

LIMB: Final = np.uint64(32)
LIMB_MASK: Final = np.uint64((1 << 32) - 1)

AT_ONCE: Final = 4_096
"""Multisets handled before the caller gets its turn: a few milliseconds."""


def effort(growth: Growth, players: int) -> int:
    """How many multisets there are, added up over the cards: what `joint_ways` costs, known beforehand."""
    return sum(_multisets_of(len(step.left), players) for step in growth.steps)


def joint_ways(growth: Growth, players: int, most: int) -> Generator[None, None, int]:
    """In how many ways `players` different players all end with good hands; there are at most `most`.

    Yields often.
    """
    if growth.start == LOST:
        return 0
    sizes = [len(step.left) for step in growth.steps]
    held = multisets(max(sizes) - 1, players) + np.uint8(1)  # every class but LOST
    ways = np.zeros((most.bit_length() // 32 + 1, _multisets_of(sizes[0], players)), np.uint64)
    ways[0, _numbers(np.full((1, players), growth.start, np.uint8))] = 1
    for step, following in zip(growth.steps, [*sizes[1:], 2], strict=True):
        after = np.zeros((len(ways), _multisets_of(following, players)), np.uint64)
        for begin in range(0, ways.shape[1], AT_ONCE):
            some = begin + np.flatnonzero(ways[:, begin : begin + AT_ONCE].any(axis=0))
            _hand_out(step, held[some], ways[:, some], after)
            yield
        ways = _carried(after)
    return sum(int(limb) << 32 * place for place, limb in enumerate(ways[:, 0]))


def _hand_out(step: Step, held: Rows, ways: Ways, after: Ways) -> None:
    """Add to `after` what becomes of these multisets when nobody takes the card, or one player does."""
    left, taken = step.left.astype(np.uint8), step.taken.astype(np.uint8)
    leaving = left[held]
    _add(after, leaving, ways)
    for place in range(held.shape[1]):
        alike = held == held[:, place, None]
        first = ~alike[:, :place].any(
            axis=1
        )  # players of one class are counted by its first, times their number
        growing = leaving[first]
        growing[:, place] = taken[held[first, place]]
        growing.sort(axis=1)
        _add(after, growing, ways[:, first] * alike[first].sum(axis=1, dtype=np.uint64))


def _add(after: Ways, classes: Rows, ways: Ways) -> None:
    hopeful = classes[:, 0] != LOST  # rows are ascending, and LOST is the least
    numbers = _numbers(classes[hopeful])
    for total, limb in zip(after, ways, strict=True):
        np.add.at(total, numbers, limb[hopeful])


def _carried(ways: Ways) -> Ways:
    """The same numbers with limbs below 2**32 again: no sum of one card's ways reaches 2**64."""
    for place in range(len(ways) - 1):
        ways[place + 1] += ways[place] >> LIMB
        ways[place] &= LIMB_MASK
    return ways


def _multisets_of(classes: int, players: int) -> int:
    """How many multisets of classes there are, LOST aside."""
    return comb(classes - 1 + players - 1, players)


def _numbers(classes: Rows) -> npt.NDArray[np.intp]:
    return numbers_of_multisets(classes - np.uint8(1))
