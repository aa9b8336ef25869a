"""Many rows at once in the words of the driver, as plain tuples.

SQLAlchemy's own way makes a dict of each row and walks through its columns, which costs more than the
database does. Not here: what the rows are (writing.py), what the columns are (tables.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

Rows = Sequence[tuple[Any, ...]]


def insert_rows(sql: Connection, table: Table, rows: Rows) -> None:
    """Insert rows, each with all columns in their order."""
    names = [column.name for column in table.columns]
    marks = ", ".join([_mark(sql)] * len(names))
    # the words come from tables.py alone, every value goes beside them
    words = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 - see above
    sql.exec_driver_sql(words, list(rows))


def update_rows(sql: Connection, table: Table, changed: Sequence[str], rows: Rows) -> None:
    """Change columns; a row has their new values, and behind them those of the primary key."""
    mark = _mark(sql)
    values = ", ".join(f"{name} = {mark}" for name in changed)
    key = " AND ".join(f"{column.name} = {mark}" for column in table.primary_key)
    words = f"UPDATE {table.name} SET {values} WHERE {key}"  # noqa: S608 - as in insert_rows
    sql.exec_driver_sql(words, list(rows))


def _mark(sql: Connection) -> str:
    return "?" if sql.dialect.name == "sqlite" else "%s"
