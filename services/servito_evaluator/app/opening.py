"""Who may open, one hand or many at once: by the row of the tables, and by card bits for the draws
(`RULES.md B2`).

Equal to `servito_core.openers`, which also says which cards qualify.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from servito_core.cards import ACE, RANKS
from servito_core.openers import open_ended, runs
from servito_core.values import Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from servito_core.ranking import Shape
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_evaluator.app.judge import Bits, Hands, Judge

    Flags = npt.NDArray[np.bool_]

B = TypeVar("B", int, "Bits")
"""Card bits of one hand, or of many."""

ONE_SUIT: Final = 0x1_1111_1111_1111
"""The bits of all spades; shifted by one to three, of another suit."""


def may_open(judge: Judge, hands: Hands, requirement: Requirement, draw: OpenDraw) -> Flags:
    """Which of (n, 5) hands open at `requirement` or by `draw`; raises as `Judge.strengths` does."""
    rows, bits = judge.read(hands)
    flags: Flags = _opens_by_row(judge, requirement).take(rows)
    if draw == "straight_oe":
        bits = _any_suit(bits)
    for four in _draw_masks(judge, draw):
        flags |= np.bitwise_count(bits & np.uint64(four)) == 4
    return flags


def opens(judge: Judge, hand: Sequence[int], requirement: Requirement, draw: OpenDraw) -> bool:
    """As `may_open`, for five different cards of the deck, unchecked."""
    row, bits = judge.place(hand)
    if _opens_by_row(judge, requirement)[row]:
        return True
    if draw == "straight_oe":
        bits = _any_suit(bits)
    return any((bits & four).bit_count() == 4 for four in _draw_masks(judge, draw))


def _opens_by_row(judge: Judge, requirement: Requirement) -> Flags:
    """Whether the hands of each row hold the required pair or any category from two pair up."""
    if (known := judge.opens.get(requirement)) is None:
        known = np.array([_opens(shape, requirement) for shape in judge.tables.shapes])
        judge.opens[requirement] = known
    return known


def _opens(shape: Shape, requirement: Requirement) -> bool:
    if requirement == "none" or shape.category >= Category.TWO_PAIR:
        return True
    return shape.category is Category.ONE_PAIR and shape.ranks[0] >= RANKS.index(requirement[0]) + 2


def _draw_masks(judge: Judge, draw: OpenDraw) -> tuple[int, ...]:
    """Sets of cards of which just four have to be held; five of one would be a made hand."""
    if (known := judge.masks.get(draw)) is None:
        known = judge.masks[draw] = _masks_of(judge, draw)
    return known


def _masks_of(judge: Judge, draw: OpenDraw) -> tuple[int, ...]:
    every_rank = frozenset(range(judge.lowest, ACE + 1))
    match draw:
        case "straight_oe":
            return tuple(map(_spades, open_ended(judge.rules, judge.lowest)))
        case "straightflush_oe":
            return _in_each_suit(open_ended(judge.rules, judge.lowest))
        case "straightflush_any4":
            return _in_each_suit(runs(judge.rules, judge.lowest))
        case "flush4":
            return _in_each_suit([every_rank])
        case "none":
            return ()


def _in_each_suit(sets: Iterable[frozenset[int]]) -> tuple[int, ...]:
    return tuple(_spades(ranks) << suit for ranks in sets for suit in range(4))


def _spades(ranks: frozenset[int]) -> int:
    return sum(1 << 4 * (rank - 2) for rank in ranks)


def _any_suit(bits: B) -> B:
    """One bit, in the place of the spade, for each rank that is held."""
    one: Any = bits  # the published types of shifts by an int forget that arrays stay what they are
    return cast("B", (one | one >> 1 | one >> 2 | one >> 3) & ONE_SUIT)
