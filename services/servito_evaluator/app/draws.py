"""What the draw may make of the cards that are kept: every hand that can come of it is judged and counted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from servito_evaluator.app.subsets import subsets

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from servito_core.cards import Card
    from servito_core.values import Category, SfKind
    from servito_evaluator.app.judge import Judge

    Outcome = tuple[Category, SfKind | None]
    """A category; of a straight flush its kind as well."""

AT_ONCE: Final = 32_768
"""Hands judged before the caller gets its turn: a few milliseconds."""


def draw_counts(
    judge: Judge, kept: Sequence[Card], unseen: Sequence[Card]
) -> Generator[None, None, Counter[Outcome]]:
    """How many sets of unseen cards complete `kept` to each outcome; their sum is the number of sets.

    Yields often. `NotAHandError` if the cards are not different ones of the judge's deck.
    """
    taken = subsets(len(unseen), 5 - len(kept))
    pool, own = np.array(unseen, np.uint8), np.array(kept, np.uint8)
    by_row = np.zeros(len(judge.tables.shapes), np.int64)
    for begin in range(0, len(taken), AT_ONCE):
        some = taken[begin : begin + AT_ONCE]
        hands = np.hstack([pool[some], np.broadcast_to(own, (len(some), len(own)))])
        rows, _ = judge.read(hands)
        by_row += np.bincount(rows, minlength=len(by_row))
        yield
    counts: Counter[Outcome] = Counter()
    for row in np.flatnonzero(by_row):
        shape = judge.tables.shapes[row]
        counts[shape.category, shape.kind] += int(by_row[row])
    return counts
