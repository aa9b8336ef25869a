"""Changes rows of an archive as somebody would who has the rights of its owner: past the triggers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, create_engine, text

from servito_history.address import read_history_url


@contextmanager
def unguarded(url: str) -> Iterator[Connection]:
    """A transaction in which the triggers are not there; they stay away."""
    engine = create_engine(read_history_url(url).url)
    with engine.begin() as sql:
        for table in ("history_commits", "history_payments"):
            if sql.dialect.name == "postgresql":
                sql.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER ALL"))
                sql.execute(text(f"GRANT ALL ON {table} TO CURRENT_USER"))
            else:
                for change in ("update", "delete"):
                    sql.execute(text(f"DROP TRIGGER {table}_no_{change}"))
        yield sql
    engine.dispose()


def swap(sql: Connection, table: str, one: int, other: int) -> None:
    """Let two rows change places."""
    for before, after in ((one, -1), (other, one), (-1, other)):
        move = text(f"UPDATE {table} SET seq = :after WHERE table_id = 't1' AND seq = :before")
        sql.execute(move, {"before": before, "after": after})
