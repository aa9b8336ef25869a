"""Appending to the chains: all of a batch in one transaction, and each entry once, however often it comes.

An entry comes again when a drainer died between the insert and its acknowledgement, when a failover brought
back what had been acknowledged, or when two drain at once. What is there stays as it is. Whoever appends to a
chain holds its head, so a chain never forks in here: after a failover that lost commits the rows of the lost
branch stay where they are, and the next row says (`follows`) that it goes on from an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select, tuple_
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from servito_history import tables
from servito_history.bulk import insert_rows, update_rows
from servito_history.chain import BEGIN, commit_hash, payment_hash
from servito_history.engine import new_engine, transaction

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from servito_history.address import HistoryPlace
    from servito_history.rows import Commit, Payment

COMMITS: Final = "commits"
PAYMENTS: Final = "payments"
_COMMIT: Final[tuple[str, ...]] = ("table_id", "version", "lineage")
_PAYMENT: Final[tuple[str, ...]] = (*_COMMIT, "at", "nth")
"""What names an entry of a chain."""
_ASKED: Final = 200
"""Names in one statement."""


@dataclass(frozen=True, slots=True)
class Appended:
    """Rows that were new."""

    commits: int
    payments: int


@dataclass(slots=True)
class _End:
    """Where a chain ends; grows with what is appended."""

    seq: int
    version: int
    lineage: int
    newest: tuple[int, int]
    """The greatest id of an entry that it holds: a greater one is not there."""
    hash: bytes


class Archive:
    """See the module; for threads. `close()` it. Errors: HistoryAway, HistoryRefused; nothing is written
    then, or, with HistoryAway, perhaps all of it.
    """

    def __init__(self, place: HistoryPlace, *, seconds: float, connections: int = 2) -> None:
        self._engine = new_engine(place, seconds=seconds, connections=connections)
        self._seconds = seconds

    def prepare(self) -> None:
        """Connect, and bring the archive to the form of this release."""
        # Alembic takes a tenth of a second to import: in the thread that drains, not in a worker's start.
        from servito_history.migrate import migrate

        migrate(self._engine, self._seconds)

    def append(self, commits: Sequence[Commit], payments: Sequence[Payment]) -> Appended:
        """In the order given; what is there already is passed over."""
        with transaction(self._engine, self._seconds) as sql:
            return Appended(_append_commits(sql, commits), _append_payments(sql, payments))

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()


def _append_commits(sql: Connection, commits: Sequence[Commit]) -> int:
    ends = _ends(sql, COMMITS, {each.table_id for each in commits})
    there = _there(sql, COMMITS, commits, ends)
    rows: list[tuple[Any, ...]] = []
    placed: dict[tuple[str, int, int], int] = {}
    for commit in commits:
        table_id, version, lineage, parent, *rest = commit
        name = (table_id, version, lineage)
        if name in placed or name in there:
            continue
        end = ends[table_id]
        follows = _follows(sql, commit, end, placed)
        seq = placed[name] = end.seq + 1
        digest = commit_hash(end.hash, seq, follows, commit)
        rows.append((table_id, seq, version, lineage, parent, follows, *rest, digest))
        _extend(end, commit, digest)
    _write(sql, COMMITS, rows, ends)
    return len(rows)


def _append_payments(sql: Connection, payments: Sequence[Payment]) -> int:
    ends = _ends(sql, PAYMENTS, {each.table_id for each in payments})
    there = _there(sql, PAYMENTS, payments, ends)
    rows: list[tuple[Any, ...]] = []
    for payment in payments:
        table_id, version, lineage, at, nth, *rest = payment
        name = (table_id, version, lineage, at, nth)
        if name in there:
            continue
        there.add(name)
        end = ends[table_id]
        seq = end.seq + 1
        digest = payment_hash(end.hash, seq, payment)
        rows.append((table_id, seq, version, lineage, at, nth, *rest, digest))
        _extend(end, payment, digest)
    _write(sql, PAYMENTS, rows, ends)
    return len(rows)


def _extend(end: _End, entry: Commit | Payment, digest: bytes) -> None:
    end.seq, end.hash = end.seq + 1, digest
    end.version, end.lineage = entry.version, entry.lineage
    end.newest = max(end.newest, (entry.at, entry.nth))


def _follows(
    sql: Connection, commit: Commit, end: _End, placed: dict[tuple[str, int, int], int]
) -> int | None:
    """Place of the row that a commit was made on; see rows.Row."""
    if commit.version == 1:
        return 0
    if (end.version, end.lineage) == (commit.version - 1, commit.parent) and end.seq:
        return end.seq
    name = (commit.table_id, commit.version - 1, commit.parent)
    if name in placed:
        return placed[name]
    asked = select(tables.commits.c.seq).where(_key(tables.commits, name))
    return sql.execute(asked).scalar()


def _key(table: Any, name: tuple[str, int, int]) -> Any:
    return (table.c.table_id == name[0]) & (table.c.version == name[1]) & (table.c.lineage == name[2])


def _ends(sql: Connection, chain: str, named: Set[str]) -> dict[str, _End]:
    """The ends of these tables' chains, held until the transaction is over.

    Two drainers must never wait for each other, so missing ends are made before any is held (making one waits
    for another who makes it), and all are held in the order of their names.
    """
    names = sorted(named)
    if not names:
        return {}
    head = tables.heads.c
    known = select(head.table_id).where(head.chain == chain, head.table_id.in_(names))
    there = set(sql.execute(known).scalars())
    if missing := [name for name in names if name not in there]:
        start = {"chain": chain, "seq": 0, "version": 0, "lineage": 0, "at": 0, "nth": 0, "hash": BEGIN}
        kind = insert_postgresql if sql.dialect.name == "postgresql" else insert_sqlite
        add = kind(tables.heads).on_conflict_do_nothing()
        sql.execute(add, [{**start, "table_id": name} for name in missing])
    return _held(sql, chain, names)


def _held(sql: Connection, chain: str, names: Sequence[str]) -> dict[str, _End]:
    head = tables.heads.c
    asked = (
        select(head.table_id, head.seq, head.version, head.lineage, head.at, head.nth, head.hash)
        .where(head.chain == chain, head.table_id.in_(names))
        .order_by(head.table_id)
        .with_for_update()  # SQLite has no such words, and holds the whole file since BEGIN IMMEDIATE
    )
    return {
        row.table_id: _End(row.seq, row.version, row.lineage, (row.at, row.nth), row.hash)
        for row in sql.execute(asked)
    }


def _there(
    sql: Connection, chain: str, entries: Sequence[Any], ends: dict[str, _End]
) -> set[tuple[Any, ...]]:
    """Names of those entries that are in their chain already. Only of those that may be: ids grow, so after a
    greater one than any before nothing has to be asked.
    """
    doubtful = [each for each in entries if (each.at, each.nth) <= ends[each.table_id].newest]
    if not doubtful:
        return set()
    table, names = (tables.commits, _COMMIT) if chain == COMMITS else (tables.payments, _PAYMENT)
    columns = [table.c[name] for name in names]
    wanted = [tuple(getattr(each, name) for name in names) for each in doubtful]
    found: set[tuple[Any, ...]] = set()
    for first in range(0, len(wanted), _ASKED):
        asked = select(*columns).where(tuple_(*columns).in_(wanted[first : first + _ASKED]))
        found |= {tuple(row) for row in sql.execute(asked)}
    return found


def _write(sql: Connection, chain: str, rows: list[tuple[Any, ...]], ends: dict[str, _End]) -> None:
    if not rows:
        return
    insert_rows(sql, tables.commits if chain == COMMITS else tables.payments, rows)
    grown = [(name, ends[name]) for name in {row[0] for row in rows}]
    update_rows(
        sql,
        tables.heads,
        ("seq", "version", "lineage", "at", "nth", "hash"),
        [(end.seq, end.version, end.lineage, *end.newest, end.hash, chain, name) for name, end in grown],
    )
