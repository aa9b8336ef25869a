"""Writes commits and money into a state server as the table service's commit does, for drainers to take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from servito.table.v1 import store_pb2
from servito_history.streams import Streams
from servito_history.writing import Archive
from servito_platform.keys import Keys
from tests.history.entries import events

KEYS = Keys(64)
EVERY = 10
"""Commits of a hand; the last one ends it, and the dealer's record of it is there."""


@dataclass
class Feeder:
    """`client`: of redis-py; tables by their ids, each with its last version and lineage."""

    client: Any
    at: dict[str, tuple[int, int]] = field(default_factory=dict)
    told: int = 0

    def commit(self, table: str, *, pays: int = 0, lineage: int = 0) -> None:
        """The next one of a table; every `EVERY`-th ends a hand."""
        version, parent = self.at.get(table, (0, 0))
        version, lineage = version + 1, lineage or 1_000_000 + self.told
        hand, ends = 1 + (version - 1) // EVERY, version % EVERY == 0
        partition = KEYS.partition(table)
        if ends:
            self.client.rpush(KEYS.hand(f"{table}-{hand}"), b"seed of %d" % hand, b"deal")
        with self.client.pipeline(transaction=True) as pipe:
            told = {"t": table, "v": version, "l": lineage, "p": parent}
            pipe.xadd(KEYS.audit(partition), {**told, "e": events(hand, ends=ends), "s": b"\x01sealed"})
            if pays:
                entry = store_pb2.JournalEntry(table_id=table, player="p", amount=pays, version=version)
                pipe.xadd(KEYS.journal(partition), {"j": entry.SerializeToString(), "l": lineage})
            pipe.hset(KEYS.table(table), mapping={"v": version, "l": lineage})
            pipe.zadd(KEYS.tables(partition), {table: 0})
            pipe.execute()
        self.at[table] = (version, lineage)
        self.told += 1

    def play(self, tables: int, commits: int) -> None:
        """So many commits of each table, one after the other; some with money."""
        for number in range(commits):
            for table in range(tables):
                self.commit(f"t{table}", pays=100 - number if number % 7 == 0 else 0)

    def waiting(self) -> int:
        """Entries that nobody has drained."""
        keys = [key for each in range(64) for key in (KEYS.audit(each), KEYS.journal(each))]
        return sum(int(self.client.xlen(key)) for key in keys)

    def carried(self) -> dict[str, int]:
        """Chips that are carried, by table."""
        found: dict[str, int] = {}
        for number in range(64):
            told = self.client.hgetall(KEYS.carried(number))
            found |= {name.decode(): int(chips) for name, chips in told.items()}
        return found


def drain(feeder: Feeder, archive: Archive, *, most: int = 1000, trims: bool = True) -> None:
    """Archive what waits, at most so many entries of each stream of a partition; forget it in the state."""
    streams = Streams(feeder.client, KEYS, worker="w", lease_seconds=5)
    taken = streams.take(range(KEYS.partitions), most)
    archive.append(
        [each.commit for found in taken for each in found.commits],
        [each.payment for found in taken for each in found.payments],
    )
    if trims:
        streams.trim(taken)
