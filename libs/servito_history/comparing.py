"""The archive against the state server: whether each table stands on a commit that is archived or on its way.

Read in the order in which a commit travels, state, stream, archive: so one that is drained meanwhile is found
at the latest in the last place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import select

from servito_history import tables
from servito_history.findings import Chain, Finding, Kind
from servito_platform.clients import server_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from servito_platform.clients import BlockingClient
    from servito_platform.keys import Keys

_AT = tuple[int, int]
"""Version and lineage."""
_MOST: Final = 2**63 - 1
"""The greatest number that the archive can hold; lineages come near it."""


def compare(sql: Connection, client: BlockingClient, keys: Keys, table_id: str | None) -> Iterator[Finding]:
    """Of one table or of all that the state server has. Redis errors, and those of the archive."""
    asked = range(keys.partitions) if table_id is None else [keys.partition(table_id)]
    for number in asked:
        for name, at in _standing(client, keys, number):
            if table_id in (None, name):
                yield from _judge(sql, name, at)


def _standing(client: BlockingClient, keys: Keys, number: int) -> list[tuple[str, _AT]]:
    """Tables of a partition whose last commit is not on its way, with that commit."""
    server = server_of(client, keys.audit(number))
    names = [
        name.decode()
        for index in (keys.tables(number), keys.closed(number))
        for name in cast("list[bytes]", server.zrange(index, 0, -1))
    ]
    with server.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.hmget(keys.table(name), ("v", "l"))
        stands = {
            name: (_number(version), _number(lineage or b"0"))
            for name, (version, lineage) in zip(names, pipe.execute(), strict=True)
            if version is not None
        }
    entries: Any = server.xrange(keys.audit(number))
    waiting = {(told.get(b"t", b"").decode(), told.get(b"v"), told.get(b"l")) for _, told in entries}
    return [
        (name, at)
        for name, at in stands.items()
        if (name, str(at[0]).encode(), str(at[1]).encode()) not in waiting
    ]


def _number(told: bytes) -> int:
    """-1 for what is none: somebody else wrote it, and there is no such commit."""
    number = int(told) if told.isdigit() and len(told) <= len(str(_MOST)) else -1
    return number if number <= _MOST else -1


def _judge(sql: Connection, name: str, at: _AT) -> Iterator[Finding]:
    column = tables.commits.c
    there = select(column.seq).where(
        column.table_id == name, column.version == at[0], column.lineage == at[1]
    )
    if sql.execute(there).first() is not None:
        return
    last = select(column.seq, column.version).where(column.table_id == name).order_by(column.seq.desc())
    newest = sql.execute(last.limit(1)).first()
    if newest is None:
        yield Finding(Kind.NOT_HERE, name, Chain.COMMITS, 0, 0, {"version": at[0]})
    else:
        seq, version = newest
        yield Finding(
            Kind.BEHIND_STATE, name, Chain.COMMITS, seq + 1, seq + 1, {"version": at[0], "archived": version}
        )
