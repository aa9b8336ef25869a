"""What is stored of the tables, read partition by partition, each in one transaction while hands run.

Blocking. Changes with commit.lua of the table service, claim.lua and keys.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from servito_platform.clients import server_of
from servito_platform.keys import Keys

if TYPE_CHECKING:
    import redis

    from servito_platform.clients import BlockingClient

_ENTRY_FIELD: Final = b"j"
_FIELDS: Final = ("s", "v", "started", "deadline", "member", "waits")
_ATTEMPTS: Final = 20


@dataclass(frozen=True, slots=True)
class StoredHash:
    """One table: its encoded state, and its waits. Times are server ms; a deadline of 0: none."""

    table_id: str
    state: bytes | None
    started: int
    deadline: int
    member: str
    """Of the sorted set of deadlines, "" for none."""
    waits: tuple[tuple[str, int], ...]
    """Those beside the turn: member and deadline."""
    version: int = 0
    newest: int = 0
    """Version of the newest entry in its stream of events; 0 for none."""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition, as it was at `now` (server ms)."""

    number: int
    now: int
    tables: tuple[StoredHash, ...]
    """Open ones, and closed ones that are kept."""
    deadlines: dict[bytes, int]
    """Member and score."""
    journal: tuple[bytes, ...]
    """Encoded entries, the oldest first."""
    swept: bytes | None
    """What the sweepers noted."""
    carried: Mapping[str, int] = field(default_factory=dict)
    """Chips, by table, of journal entries that the history took: they count with the journal."""
    undrained: int = 0
    """Entries of audit stream and journal, which the history did not take yet."""
    oldest: int | None = None
    """When the oldest of them was made, server ms."""


def partitions(client: BlockingClient, keys: Keys) -> Iterator[Partition]:
    """All, one after the other. Redis errors; RuntimeError where tables come and go too quickly."""
    for number in range(keys.partitions):
        yield read_partition(client, keys, number)


def read_partition(client: BlockingClient, keys: Keys, number: int) -> Partition:
    """One. Errors as in `partitions`."""
    return _partition(server_of(client, keys.journal(number)), keys, number)


def _partition(client: redis.Redis, keys: Keys, number: int) -> Partition:
    for _ in range(_ATTEMPTS):
        ids = _ids(client, keys, number)
        with client.pipeline(transaction=True) as pipe:
            pipe.zrange(keys.tables(number), 0, -1)
            pipe.zrange(keys.closed(number), 0, -1)
            pipe.time()
            pipe.xrange(keys.journal(number))
            pipe.zrange(keys.deadlines(number), 0, -1, withscores=True)
            pipe.get(keys.sweep(number))
            pipe.hgetall(keys.carried(number))
            pipe.xlen(keys.audit(number))
            pipe.xrange(keys.audit(number), count=1)
            for name in ids:
                pipe.hmget(keys.table(name.decode()), _FIELDS)
                pipe.xrevrange(keys.events(name.decode()), count=1)
            open_now, closed_now, (seconds, micros), entries, deadlines, swept, *more = pipe.execute()
            carried, audit, first, *of_tables = more
        if [*open_now, *closed_now] == ids:
            return Partition(
                number,
                seconds * 1000 + micros // 1000,
                tuple(
                    _hash(name.decode(), fields, newest, closed=place >= len(open_now))
                    for place, (name, fields, newest) in enumerate(
                        zip(ids, of_tables[::2], of_tables[1::2], strict=True)
                    )
                ),
                {member: int(score) for member, score in deadlines},
                tuple(fields[_ENTRY_FIELD] for _, fields in entries),
                swept,
                {name.decode(): int(chips) for name, chips in carried.items()},
                len(entries) + audit,
                min((_made(name) for name, _ in (*entries[:1], *first)), default=None),
            )
    raise RuntimeError(f"{_ATTEMPTS} times a table came or closed while partition {number} was read")


def _made(entry: bytes) -> int:
    """When an entry of a stream was made, by its id."""
    return int(entry.partition(b"-")[0])


def _ids(client: redis.Redis, keys: Keys, number: int) -> list[bytes]:
    """Open tables and then closed ones."""
    indexes = (keys.tables(number), keys.closed(number))
    return [name for index in indexes for name in cast("list[bytes]", client.zrange(index, 0, -1))]


def _hash(table_id: str, fields: Sequence[Any], newest: Sequence[Any], *, closed: bool) -> StoredHash:
    """Numbers that are none were written by nobody of ours: such a table counts as one without a state."""
    state, version, started, deadline, member, waits = fields
    try:
        for number in (version, started, deadline):
            int(number or 0)
    except ValueError:
        state, version, started, deadline = None, 0, 0, 0
    named = (wait.partition("=") for wait in (waits or b"").decode().split())
    return StoredHash(
        table_id,
        state,
        int(started or 0),
        int(deadline or 0),
        (member or b"").decode(),
        tuple((f"{table_id}:{name}", int(ends)) for name, _, ends in named),
        int(version or 0),
        int(newest[0][0].partition(b"-")[0]) if newest else 0,
        closed,
    )
