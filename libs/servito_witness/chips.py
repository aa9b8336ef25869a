"""Chips that are in play at a table, and those that its money journal says should be: the entries
that are left in it, and what is carried of those that the history took.

State and journal of a partition come from one transaction, so the sums are right while hands run too.
Changes with store.proto.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito.table.v1 import store_pb2
from servito_witness.hands import runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_witness.stored import Partition


@dataclass(frozen=True)
class TableChips:
    """Of one table: chips that are in play there, and chips that its journal says should be."""

    table_id: str
    in_play: int
    bought_in: int
    """Buy-ins less cash-outs."""

    @property
    def difference(self) -> int:
        """Chips that appeared (positive) or vanished (negative)."""
        return self.in_play - self.bought_in


@dataclass(frozen=True)
class Chips:
    """Of all tables, by their ids."""

    tables: tuple[TableChips, ...]

    @property
    def in_play(self) -> int:
        """Chips in play at all tables."""
        return sum(table.in_play for table in self.tables)

    @property
    def bought_in(self) -> int:
        """Buy-ins less cash-outs at all tables."""
        return sum(table.bought_in for table in self.tables)

    @property
    def wrong(self) -> tuple[TableChips, ...]:
        """The tables where a chip is missing or too many."""
        return tuple(table for table in self.tables if table.difference)


def counted(partition: Partition) -> Iterator[TableChips]:
    """Each table of a partition. DecodeError where state or journal cannot be read."""
    bought_in: Counter[str] = Counter(partition.carried)
    for entry in map(store_pb2.JournalEntry.FromString, partition.journal):
        bought_in[entry.table_id] += entry.amount
    # A table that only the journal knows, or only the index, has nothing in play.
    in_play: Counter[str] = Counter(dict.fromkeys(bought_in, 0))
    for table in partition.tables:
        blob = table.state
        in_play[table.table_id] = 0 if blob is None else chips_in_play(store_pb2.StoredTable.FromString(blob))
    for table_id, chips in in_play.items():
        yield TableChips(table_id, chips, bought_in[table_id])


def chips_in_play(table: store_pb2.StoredTable) -> int:
    """Stacks, and the pot of a running hand or what the last one left in the middle."""
    stacks = {seat.seat: seat.stack for seat in table.seats}
    if not runs(table):
        return sum(stacks.values()) + table.between.carried
    stacks |= {player.seat: player.stack for player in table.hand.players}
    return sum(stacks.values()) + table.hand.pot
