"""Trees of the source are made whatever else goes on in the process."""

from __future__ import annotations

import ast
import gc

from tests.source import tree_of


class Mourned:
    """Garbage whose finalizer parses something, further down the stack, like one that tells a traceback."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        _parse_below(10)


def _parse_below(frames: int) -> None:
    if frames:
        _parse_below(frames - 1)
    else:
        ast.parse("a + b")


def test_garbage_does_not_come_in_between() -> None:
    """A tree is made whole while there is such garbage, and afterwards it is collected as before."""
    collects = gc.isenabled()
    for _ in range(20):
        garbage = [Mourned() for _ in range(20)]
        del garbage
        assert len(tree_of("a = [b + c for b in d]\n" * 1_000).body) == 1_000
    assert gc.isenabled() == collects
