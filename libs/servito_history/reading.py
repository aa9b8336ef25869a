"""Reading an archive: whole chains, hands, money. Nothing here changes anything; verifying is verifying.py.

A chain is read in its order, which is the order in which commits were made. Where a failover lost commits
that were archived before, both branches are there, and the rows of the one that ended are `lost`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, or_, select

from servito_history import tables
from servito_history.address import read_history_url
from servito_history.engine import reading
from servito_history.errors import HistoryUnusable
from servito_history.migrate import check_form
from servito_history.rows import Head, Movement, Row, unpack
from servito_history.writing import COMMITS, PAYMENTS

if TYPE_CHECKING:
    from sqlalchemy import Connection

PATIENCE: Final = 10.0
_AT_ONCE: Final = 500

Span = tuple[int, int]


@contextmanager
def open_history(url: str) -> Iterator[History]:
    """The archive at an address (see address.py). HistoryUnusable: it names none, or none that this release
    reads; HistoryAway: it does not answer, now or later.
    """
    try:
        place = read_history_url(url)
    except ValueError as error:
        raise HistoryUnusable(f"the address of the history {error}") from error
    with reading(place, seconds=PATIENCE) as sql:
        check_form(sql)
        yield History(sql)


class History:
    """See the module; one connection, for one thread, as the archive was when it was opened or later."""

    def __init__(self, sql: Connection) -> None:
        self.sql = sql

    def tables(self) -> list[Head]:
        """Where the chain of each table's commits ends, by the table's id."""
        return self._heads(COMMITS)

    def money_heads(self) -> list[Head]:
        """The same of the chains of money."""
        return self._heads(PAYMENTS)

    def rows(self, table_id: str, after: int = 0) -> Iterator[Row]:
        """The chain of a table from behind place `after`, read in portions; nothing for an unknown table."""
        lost = self.lost(table_id)
        column = tables.commits.c
        while True:
            asked = select(tables.commits).where(column.table_id == table_id, column.seq > after)
            found = self.sql.execute(asked.order_by(column.seq).limit(_AT_ONCE)).all()
            yield from (_row(each, lost) for each in found)
            if len(found) < _AT_ONCE:
                return
            after = found[-1].seq

    def hands(self, table_id: str) -> list[int]:
        """Numbers of the hands of a table."""
        column = tables.commits.c
        asked = select(column.hand).where(column.table_id == table_id, column.hand > 0).distinct()
        return [int(number) for number in self.sql.execute(asked.order_by(column.hand)).scalars()]

    def hand(self, table_id: str, number: int) -> list[Row]:
        """Every commit that was made while this was the running or the last hand, in the chain's order."""
        column = tables.commits.c
        asked = select(tables.commits).where(column.table_id == table_id, column.hand == number)
        lost = self.lost(table_id)
        return [_row(each, lost) for each in self.sql.execute(asked.order_by(column.seq))]

    def money(self, table_id: str) -> Iterator[Movement]:
        """What came into and left play at a table."""
        column = tables.payments.c
        asked = select(tables.payments).where(column.table_id == table_id).order_by(column.seq)
        lost = self._names(table_id, self.lost(table_id))
        for each in self.sql.execute(asked):
            yield Movement(
                each.table_id,
                each.seq,
                each.version,
                each.lineage,
                each.at,
                each.nth,
                each.player,
                each.amount,
                each.hash,
                (each.version, each.lineage) in lost,
            )

    def lost(self, table_id: str, last: int | None = None) -> list[Span]:
        """Places, first and last, of the rows that are of branches which ended, the latest first, as they lie
        before place `last`; None: the table stands on the last row.
        """
        column = tables.commits.c
        if last is None:
            asked_last = select(func.max(column.seq)).where(column.table_id == table_id)
            last = self.sql.execute(asked_last).scalar()
        asked = select(column.seq, column.follows).where(
            column.table_id == table_id,
            or_(column.follows != column.seq - 1, column.follows.is_(None)),
        )
        jumps = [(int(seq), follows) for seq, follows in self.sql.execute(asked.order_by(column.seq))]
        return list(_lost(int(last or 0), jumps))

    def _names(self, table_id: str, spans: list[Span]) -> set[tuple[int, int]]:
        """Version and lineage of the rows at these places."""
        column = tables.commits.c
        found: set[tuple[int, int]] = set()
        for first, last in spans:
            asked = select(column.version, column.lineage).where(
                column.table_id == table_id, column.seq.between(first, last)
            )
            found |= {(int(version), int(lineage)) for version, lineage in self.sql.execute(asked)}
        return found

    def _heads(self, chain: str) -> list[Head]:
        head = tables.heads.c
        asked = select(head.table_id, head.seq, head.version, head.lineage, head.hash)
        found = self.sql.execute(asked.where(head.chain == chain, head.seq > 0).order_by(head.table_id))
        return [Head(*row) for row in found]


def _lost(last: int, jumps: list[tuple[int, int | None]]) -> Iterator[Span]:
    """Walk back from the last row; `jumps`: places of rows that do not follow the one before, and what they
    follow. Where that is not known nothing is said to be lost: the archive may have begun there.
    """
    for seq, follows in reversed(jumps):
        if seq > last or follows is None:
            continue
        if follows < seq - 1:
            yield follows + 1, seq - 1
        last = follows


def _row(row: Any, lost: list[Span]) -> Row:
    return Row(
        row.table_id,
        row.seq,
        row.version,
        row.lineage,
        row.parent,
        row.follows,
        row.at,
        row.nth,
        row.hand,
        _unpacked(row.content),
        tuple(_unpacked(row.record).values()) if row.record is not None else (),
        row.hash,
        any(first <= row.seq <= end for first, end in lost),
    )


def _unpacked(packed: bytes) -> dict[str, bytes]:
    """Nothing where it cannot be taken apart: who reads on says so at this row, and verifying why."""
    try:
        return unpack(packed)
    except ValueError:
        return {}
