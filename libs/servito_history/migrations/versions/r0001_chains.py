"""The chains of commits and of money, append-only, and their heads."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None
branch_labels: Final = None
depends_on: Final = None

_CHAINS: Final = ("history_commits", "history_payments")
_NO_CHANGE: Final = "the archive is append-only"


def upgrade() -> None:
    """Makes them."""
    _make_tables()
    if op.get_bind().dialect.name == "postgresql":
        _guard_postgresql()
    else:
        _guard_sqlite()


def _make_tables() -> None:
    op.create_table(
        "history_commits",
        _table_id(),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("version", "lineage", "parent")),
        sa.Column("follows", sa.BigInteger),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("at", "nth")),
        sa.Column("hand", sa.BigInteger),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("table_id", "version", "lineage", name="history_commits_once"),
    )
    op.create_index("history_commits_hand", "history_commits", ["table_id", "hand"])
    op.create_table(
        "history_payments",
        _table_id(),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("version", "lineage", "at", "nth")),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("table_id", "version", "lineage", "at", "nth", name="history_payments_once"),
    )
    op.create_table(
        "history_heads",
        sa.Column("chain", sa.String(16), primary_key=True),
        _table_id(),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("seq", "version", "lineage", "at", "nth")
        ),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )


def _table_id() -> sa.Column[str]:
    return sa.Column("table_id", sa.String(64), primary_key=True)


def _guard_sqlite() -> None:
    for table in _CHAINS:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{_NO_CHANGE}'); END"
            )


def _guard_postgresql() -> None:
    """A trigger holds everybody, a superuser too, until somebody drops it on purpose. The rights are taken
    away besides, so that a mistake ends before it.
    """
    op.execute(
        "CREATE FUNCTION history_no_change() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN RAISE EXCEPTION '{_NO_CHANGE}'; END $$"
    )
    for table in _CHAINS:
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION history_no_change()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION history_no_change()"
        )
        op.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM PUBLIC, CURRENT_USER")
