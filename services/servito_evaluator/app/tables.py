"""The tables of one deck under one set of ranking rules, filled from the core's shapes.

Row `i` is multiset `i` (see `numbering`) of several suits, row `multisets + i` the same of one suit. The
tables hold no knowledge of their own: what a shape is worth, only `servito_core.ranking` says. Reading them
is in `judge`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from servito_core.cards import DECK_SIZE
from servito_core.ranking import Shape, shape_of, strength
from servito_evaluator.app.numbering import SUM_BITS, multisets, sum_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from servito_core.rules import RankingRules

HIGHEST_SUIT: Final = (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)
"""The highest suit among the bits of a set of suits; 0 for none."""

HIGHEST_SUIT_ARRAY: Final = np.array(HIGHEST_SUIT, np.uint32)

SingleEntry = tuple[int, int, tuple[int, ...]]
"""For one hand: how far to shift its key, its strength without the suit, and what suits found there add."""


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Everything that is read to judge hands of one deck. Rows are explained above."""

    lowest: int
    row_by_sum: npt.NDArray[np.uint16]
    """The number of the multiset by the sum of its weights; sums that no hand has are never read."""
    several_suits: int
    """How many multisets there are: what is added to a row if the hand is of one suit."""
    strength: npt.NDArray[np.uint32]
    """The strength without the suit, by row."""
    suit_unit: npt.NDArray[np.uint32]
    """What one more of the tie-breaking suit adds."""
    suit_shift: npt.NDArray[np.uint64]
    """Where the bits of the tie-breaking suits begin; past the last card where no suit breaks ties."""
    shapes: tuple[Shape, ...]
    entry_by_sum: list[SingleEntry]
    one_suit_entry_by_sum: dict[int, SingleEntry]


@lru_cache(maxsize=64)
def tables_for(rules: RankingRules, lowest: int) -> Tables:
    """The tables of the deck from rank `lowest` (2..9), built when first asked for (32 cards: 20 ms)."""
    ranks = multisets(lowest)
    sums = [sum_of(held) for held in ranks]
    shapes = tuple(
        shape_of(held, suited and len(set(held)) == 5, rules, lowest)
        for suited in (False, True)
        for held in ranks
    )
    units = [_suit_unit(shape, rules, lowest) for shape in shapes]
    bare = [strength(shape.value(0), rules, lowest) for shape in shapes]
    shifts = [DECK_SIZE if shape.suit_rank is None else 4 * (shape.suit_rank - 2) for shape in shapes]
    added = {unit: tuple(unit * suit for suit in HIGHEST_SUIT) for unit in set(units)}
    entries = [
        (SUM_BITS + shift, number, added[unit])
        for number, unit, shift in zip(bare, units, shifts, strict=True)
    ]
    row_by_sum = np.zeros(max(sums) + 1, np.uint16)
    row_by_sum[sums] = np.arange(len(ranks))
    return Tables(
        lowest=lowest,
        row_by_sum=row_by_sum,
        several_suits=len(ranks),
        strength=np.array(bare, np.uint32),
        suit_unit=np.array(units, np.uint32),
        suit_shift=np.array(shifts, np.uint64),
        shapes=shapes,
        entry_by_sum=_by_sum(sums, entries[: len(ranks)]),
        one_suit_entry_by_sum=dict(zip(sums, entries[len(ranks) :], strict=True)),
    )


def _suit_unit(shape: Shape, rules: RankingRules, lowest: int) -> int:
    if shape.suit_rank is None:
        return 0
    return strength(shape.value(1), rules, lowest) - strength(shape.value(0), rules, lowest)


def _by_sum(sums: list[int], entries: list[SingleEntry]) -> list[SingleEntry]:
    """The entries at the places of their sums; the gaps are never read."""
    placed = [entries[0]] * (max(sums) + 1)
    for place, entry in zip(sums, entries, strict=True):
        placed[place] = entry
    return placed
