"""Subsets and multisets: all of them, each once, where their number says."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest

from servito_evaluator.app.subsets import multisets, numbers_of_multisets, subsets


@pytest.mark.parametrize(("things", "size"), [(7, 0), (7, 1), (7, 5), (5, 5), (9, 3), (3, 4)])
def test_subsets_are_complete_and_in_order(things: int, size: int) -> None:
    """Ordered by the greatest element, then by the next; none where there are not enough things."""
    expected = sorted(combinations(range(things), size), key=lambda row: row[::-1])
    rows = subsets(things, size)
    assert rows.shape == (comb(things, size), size)
    assert [tuple(row) for row in rows.tolist()] == expected


def test_fewer_things_are_a_prefix() -> None:
    """What the numbering of partial hands stands on."""
    assert (subsets(9, 4)[: comb(6, 4)] == subsets(6, 4)).all()


@pytest.mark.parametrize(("things", "size"), [(1, 3), (6, 1), (6, 4), (40, 3)])
def test_multisets_are_where_their_numbers_say(things: int, size: int) -> None:
    """Every multiset once, and its number is its row."""
    rows = multisets(things, size)
    assert {tuple(row) for row in rows.tolist()} == set(combinations_with_replacement(range(things), size))
    assert len(rows) == comb(things + size - 1, size)
    assert (numbers_of_multisets(rows) == np.arange(len(rows))).all()
