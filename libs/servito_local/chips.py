"""Counts the chips that are stored, and compares them with what was bought in and cashed out.

An independent witness: it knows the stored form (protos/servito/table/v1/store.proto) and the key names, and
none of the code that moves chips. State and journal of a partition are read in one transaction, so the count
is right while hands run too. Changes with store.proto.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2, table_pb2
from servito_local import stored
from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.place import read_place

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE: Final = 5.0
"""Seconds that a server may take to answer."""


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


def read_chips(state_url: str, *, partitions: int = 64) -> Chips:
    """Count every table of a state server; `partitions` as the services are set. Raises redis errors."""
    with blocking_client(read_place(state_url), _PATIENCE) as client:
        found = [table for part in stored.partitions(client, Keys(partitions)) for table in counted(part)]
    return Chips(tuple(sorted(found, key=lambda table: table.table_id)))


def counted(partition: stored.Partition) -> Iterator[TableChips]:
    """Each table of a partition. DecodeError where state or journal cannot be read."""
    bought_in: Counter[str] = Counter()
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
    if not table.HasField("hand") or table.hand.phase == table_pb2.PHASE_OVER:
        return sum(stacks.values()) + table.between.carried
    stacks |= {player.seat: player.stack for player in table.hand.players}
    return sum(stacks.values()) + table.hand.pot
