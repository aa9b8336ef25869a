"""The tables of an archive, as SQLAlchemy knows them. Changes with a migration, never without one.

`history_commits` and `history_payments` are append-only; `history_heads` says where each chain ends, so that
a drainer finds it at once and a chain whose end was cut off is found without the state server. It is no
evidence: verifying computes it anew.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, LargeBinary, MetaData, String, Table, UniqueConstraint

METADATA: Final = MetaData()
_ID: Final = 64

commits: Final = Table(
    "history_commits",
    METADATA,
    Column("table_id", String(_ID), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("version", BigInteger, nullable=False),
    Column("lineage", BigInteger, nullable=False),
    Column("parent", BigInteger, nullable=False),
    Column("follows", BigInteger),
    Column("at", BigInteger, nullable=False),
    Column("nth", BigInteger, nullable=False),
    Column("hand", BigInteger),
    Column("content", LargeBinary, nullable=False),
    Column("record", LargeBinary),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "version", "lineage", name="history_commits_once"),
    Index("history_commits_hand", "table_id", "hand"),
)
"""See rows.Row."""

payments: Final = Table(
    "history_payments",
    METADATA,
    Column("table_id", String(_ID), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("version", BigInteger, nullable=False),
    Column("lineage", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("nth", BigInteger, nullable=False),
    Column("player", String(_ID), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "version", "lineage", "at", "nth", name="history_payments_once"),
)
"""See rows.Movement."""

heads: Final = Table(
    "history_heads",
    METADATA,
    Column("chain", String(16), primary_key=True),
    Column("table_id", String(_ID), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("lineage", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("nth", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""Of each chain: place, version, lineage, hash of its last row; and the greatest id (`at`, `nth`) of any."""

CHAINS: Final = (commits, payments)
APPEND_ONLY: Final = tuple(table.name for table in CHAINS)
