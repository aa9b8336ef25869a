"""A table's money in the archive against the state server's.

The state server forgets a movement of money only when it is archived, and carries its chips in the same step.
So what is archived and no longer on its way comes to what is carried, to the chip; and what is archived and
still on its way says the same in both places. Movements of a branch that a failover lost count in neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from servito_history import tables
from servito_history.findings import Chain, Finding, Kind
from servito_history.reading import History

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from servito_history.rows import Payment
    from servito_history.standing import At, Standing

_Name = tuple[int, int, int, int]
"""Of a movement at a table: version, lineage, and both parts of its id."""


def money_findings(sql: Connection, state: Standing, table_id: str, place: int | None) -> Iterator[Finding]:
    """Of one table. `place`: of the last archived commit on which it stands; None: not known."""
    on_their_way = {_name(each): each for each in state.payments.get(table_id, ())}
    off_line = _off_line(sql, state, table_id, place)
    stands = state.tables.get(table_id)
    archived = 0
    column = tables.payments.c
    for row in sql.execute(select(tables.payments).where(column.table_id == table_id)):
        waiting = on_their_way.get(_name(row))
        if waiting is not None:
            yield from _compare(row, waiting)
        elif (row.version, row.lineage) not in off_line and not _came_later(row, stands):
            archived += row.amount
    carried = state.carried.get(table_id, 0)
    if archived != carried:
        facts = {"archived": archived, "carried": carried, "difference": archived - carried}
        yield Finding(Kind.MONEY_DIFFERS, table_id, Chain.PAYMENTS, 0, 0, facts)


def _off_line(sql: Connection, state: Standing, table_id: str, place: int | None) -> set[At]:
    """Archived commits of versions that moved money which are not on the line that the table stands on."""
    spans = History(sql).lost(table_id, place)
    commit, moved = tables.commits.c, select(tables.payments.c.version)
    asked = select(commit.seq, commit.version, commit.lineage).where(
        commit.table_id == table_id,
        commit.version.in_(moved.where(tables.payments.c.table_id == table_id)),
    )
    off_line = {
        (version, lineage)
        for seq, version, lineage in sql.execute(asked)
        if (place is not None and seq > place) or any(first <= seq <= last for first, last in spans)
    }
    return off_line - state.here(table_id)[1]


def _came_later(row: Any, stands: At | None) -> bool:
    """Whether a movement was made after the state server was read, or lost by a failover behind which the
    table has not gone on.
    """
    return stands is not None and row.version > stands[0] >= 0


def _compare(row: Any, waiting: Payment) -> Iterator[Finding]:
    if (row.player, row.amount) != (waiting.player, waiting.amount):
        facts = {
            "player": row.player,
            "amount": row.amount,
            "state_player": waiting.player,
            "state_amount": waiting.amount,
        }
        yield Finding(Kind.PAYMENT_DIFFERS, row.table_id, Chain.PAYMENTS, row.seq, row.seq, facts)


def _name(payment: Any) -> _Name:
    return payment.version, payment.lineage, payment.at, payment.nth
