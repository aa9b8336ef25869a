"""Entries as the table service writes them, made up: commits of a table on a line of lineages, and money."""

from __future__ import annotations

from servito.table.v1 import store_pb2
from servito_history.rows import Commit, Payment, pack


def commit(table: str, version: int, *, lineage: int = 0, parent: int | None = None, at: int = 0) -> Commit:
    """One that follows the version before, whose lineage is 1000 more than its version unless it is given."""
    return Commit(
        table,
        version,
        lineage or 1000 + version,
        (1000 + version - 1 if version > 1 else 0) if parent is None else parent,
        at or 1_700_000_000_000 + version,
        0,
        1 + version // 10,
        pack([("e", events(1 + version // 10)), ("s", b"sealed %d" % version)]),
    )


def commits(table: str, last: int, first: int = 1) -> list[Commit]:
    """The first ones of a table."""
    return [commit(table, version) for version in range(first, last + 1)]


def payment(table: str, version: int, player: str = "anna", amount: int = 100) -> Payment:
    """A buy-in."""
    return Payment(table, version, 1000 + version, 1_700_000_000_000 + version, 1, player, amount)


def events(hand: int, *, ends: bool = False) -> bytes:
    """A StoredCommit of a hand."""
    told = store_pb2.StoredCommit(version=1, hand=hand)
    if ends:
        told.events.add().hand_ended.carried = 0
    return told.SerializeToString()
