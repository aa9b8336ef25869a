"""Counts the chips that are stored, and compares them with what was bought in and cashed out.

An independent witness: it knows the stored form (protos/servito/table/v1/store.proto) and the key names, and
none of the code that moves chips. State and journal of a partition are read in one transaction, so the count
is right while hands run too. Changes with store.proto.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from servito.table.v1 import store_pb2, table_pb2
from servito_platform.clients import blocking_client, server_of
from servito_platform.keys import Keys
from servito_platform.place import read_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    import redis

_STATE_FIELD: Final = "s"
_ENTRY_FIELD: Final = b"j"
_ATTEMPTS: Final = 20
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
    keys = Keys(partitions)
    with blocking_client(read_place(state_url), _PATIENCE) as client:
        found = [
            table
            for partition in range(partitions)
            for table in _read_partition(server_of(client, keys.journal(partition)), keys, partition)
        ]
    return Chips(tuple(sorted(found, key=lambda table: table.table_id)))


def chips_in_play(table: store_pb2.StoredTable) -> int:
    """Stacks, and the pot of a running hand or what the last one left in the middle."""
    stacks = {seat.seat: seat.stack for seat in table.seats}
    if not table.HasField("hand") or table.hand.phase == table_pb2.PHASE_OVER:
        return sum(stacks.values()) + table.between.carried
    stacks |= {player.seat: player.stack for player in table.hand.players}
    return sum(stacks.values()) + table.hand.pot


def _read_partition(client: redis.Redis, keys: Keys, partition: int) -> Iterator[TableChips]:
    for _ in range(_ATTEMPTS):
        ids = _ids(client, keys, partition)
        with client.pipeline(transaction=True) as pipe:
            pipe.zrange(keys.tables(partition), 0, -1)
            pipe.zrange(keys.closed(partition), 0, -1)
            pipe.xrange(keys.journal(partition))
            for name in ids:
                pipe.hget(keys.table(name.decode()), _STATE_FIELD)
            open_now, closed_now, entries, *blobs = pipe.execute()
        if [*open_now, *closed_now] == ids:
            break
    else:
        raise RuntimeError(f"{_ATTEMPTS} times a table came or closed while partition {partition} was read")
    bought_in: Counter[str] = Counter()
    for _, fields in entries:
        entry = store_pb2.JournalEntry.FromString(fields[_ENTRY_FIELD])
        bought_in[entry.table_id] += entry.amount
    # A table that only the journal knows, or only the index, has nothing in play.
    in_play: Counter[str] = Counter(dict.fromkeys(bought_in, 0))
    for name, blob in zip(ids, blobs, strict=True):
        in_play[name.decode()] = 0 if blob is None else chips_in_play(store_pb2.StoredTable.FromString(blob))
    for table_id, chips in in_play.items():
        yield TableChips(table_id, chips, bought_in[table_id])


def _ids(client: redis.Redis, keys: Keys, partition: int) -> list[bytes]:
    """Open tables and then closed ones."""
    indexes = (keys.tables(partition), keys.closed(partition))
    return [name for index in indexes for name in cast("list[bytes]", client.zrange(index, 0, -1))]
