"""The archive against the state server: whether each table stands on a commit that is archived or on its way,
and whether its money is what the state server carries of it (money.py).

The state server is read first, in one moment, and the archive after it: so what arrives meanwhile is found at
the latest there. What differs is looked at again, since a failover may come between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from sqlalchemy import select, union

from servito_history import tables
from servito_history.findings import Chain, Finding, Kind
from servito_history.money import money_findings
from servito_history.standing import Standing, standing

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from servito_platform.clients import BlockingClient
    from servito_platform.keys import Keys

_LOOKS: Final = 3


def compare(sql: Connection, client: BlockingClient, keys: Keys, table_id: str | None) -> Iterator[Finding]:
    """Of one table or of all that either has. Redis errors, and those of the archive. Whatever was read by
    `sql` before was read in another transaction.
    """
    if table_id is not None:
        yield from _certain(sql, client, keys, keys.partition(table_id), {table_id})
        return
    archived = defaultdict(set)
    asked = union(*(select(each.c.table_id) for each in (tables.heads, tables.payments)))
    for name in sql.execute(asked).scalars():
        archived[keys.partition(name)].add(name)
    for number in range(keys.partitions):
        found = _look(sql, client, keys, number, archived[number], None)
        yield from (each for each in found if not each.broken)
        if wrong := {each.table_id for each in found if each.broken}:
            yield from _certain(sql, client, keys, number, wrong)


def _certain(
    sql: Connection, client: BlockingClient, keys: Keys, number: int, names: set[str]
) -> list[Finding]:
    """Of these tables, what is found at each of several looks."""
    found: list[Finding] = []
    for _ in range(_LOOKS):
        found = _look(sql, client, keys, number, names, names)
        if not any(each.broken for each in found):
            break
    return found


def _look(
    sql: Connection, client: BlockingClient, keys: Keys, number: int, known: set[str], only: set[str] | None
) -> list[Finding]:
    state = standing(client, keys, number, known)
    sql.rollback()  # SQLite goes on showing a transaction what was there when it began
    names = known.union(state.tables, state.carried, state.payments) if only is None else only
    return [each for name in sorted(names) for each in _judge(sql, state, name)]


def _judge(sql: Connection, state: Standing, name: str) -> Iterator[Finding]:
    at, behind = state.here(name)
    place = _place(sql, name, at) if at is not None else None
    if name in state.tables and not behind and place is None:
        yield _missing(sql, name, state.tables[name][0])
    yield from money_findings(sql, state, name, place)


def _place(sql: Connection, name: str, at: tuple[int, int]) -> int | None:
    """Of the row with this commit; 0: before the first one."""
    if at[0] == 0:
        return 0
    column = tables.commits.c
    asked = select(column.seq).where(
        column.table_id == name, column.version == at[0], column.lineage == at[1]
    )
    place: int | None = sql.execute(asked).scalar()
    return place


def _missing(sql: Connection, name: str, version: int) -> Finding:
    column = tables.commits.c
    last = select(column.seq, column.version).where(column.table_id == name).order_by(column.seq.desc())
    newest = sql.execute(last.limit(1)).first()
    if newest is None:
        return Finding(Kind.NOT_HERE, name, Chain.COMMITS, 0, 0, {"version": version})
    seq, archived = newest
    facts = {"version": version, "archived": archived}
    return Finding(Kind.BEHIND_STATE, name, Chain.COMMITS, seq + 1, seq + 1, facts)
