"""The tables of one deck under one set of ranking rules, filled from the core's shapes.

Row `i` is multiset `i` (see `numbering`) of several suits, row `multisets + i` the same of one suit. The
tables hold no knowledge of their own: what a shape is worth, only `servito_core.ranking` says. Reading them
is in `judge`, which ones are kept in `shelf`. What depends on the deck alone is there once for all rules, and
equal shapes and entries are one object.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from servito_core.cards import DECK_SIZE
from servito_core.ranking import Shape, shape_of, strength
from servito_evaluator.app.numbering import SUM_BITS, multisets, sum_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from servito_core.rules import RankingRules

T = TypeVar("T")

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
    multiset_by_sum: list[int]
    """As row_by_sum, for one hand at a time."""
    entries: list[SingleEntry]
    """Of several suits, by the number of the multiset."""
    one_suit_entries: list[SingleEntry]


@dataclass(frozen=True, slots=True, eq=False)
class _Deck:
    """What no rule changes."""

    ranks: tuple[tuple[int, ...], ...]
    row_by_sum: npt.NDArray[np.uint16]
    multiset_by_sum: list[int]


def tables_for(rules: RankingRules, lowest: int) -> Tables:
    """The tables of the deck from rank `lowest` (2..9); 32 cards: 20 ms."""
    deck = _deck(lowest)
    ranks, shapes = deck.ranks, _shapes(rules, lowest)
    units = [_suit_unit(shape, rules, lowest) for shape in shapes]
    bare = [strength(shape.value(0), rules, lowest) for shape in shapes]
    shifts = [DECK_SIZE if shape.suit_rank is None else 4 * (shape.suit_rank - 2) for shape in shapes]
    added = {unit: tuple(unit * suit for suit in HIGHEST_SUIT) for unit in set(units)}
    entries = _once(
        (SUM_BITS + shift, number, added[unit])
        for number, unit, shift in zip(bare, units, shifts, strict=True)
    )
    return Tables(
        lowest=lowest,
        row_by_sum=deck.row_by_sum,
        several_suits=len(ranks),
        strength=np.array(bare, np.uint32),
        suit_unit=np.array(units, np.uint32),
        suit_shift=np.array(shifts, np.uint64),
        shapes=shapes,
        multiset_by_sum=deck.multiset_by_sum,
        entries=entries[: len(ranks)],
        one_suit_entries=entries[len(ranks) :],
    )


@lru_cache(maxsize=8)
def _deck(lowest: int) -> _Deck:
    ranks = multisets(lowest)
    sums = [sum_of(held) for held in ranks]
    row_by_sum = np.zeros(max(sums) + 1, np.uint16)
    row_by_sum[sums] = np.arange(len(ranks))
    multiset_by_sum = [0] * (max(sums) + 1)
    for number, place in enumerate(sums):
        multiset_by_sum[place] = number
    return _Deck(ranks, row_by_sum, multiset_by_sum)


def _shapes(rules: RankingRules, lowest: int) -> tuple[Shape, ...]:
    return tuple(
        _once(
            shape_of(held, suited and len(set(held)) == 5, rules, lowest)
            for suited in (False, True)
            for held in _deck(lowest).ranks
        )
    )


def _suit_unit(shape: Shape, rules: RankingRules, lowest: int) -> int:
    if shape.suit_rank is None:
        return 0
    return strength(shape.value(1), rules, lowest) - strength(shape.value(0), rules, lowest)


def _once(made: Iterable[T]) -> list[T]:
    """The same, with one object in place of equal ones."""
    known: dict[T, T] = {}
    return [known.setdefault(each, each) for each in made]
