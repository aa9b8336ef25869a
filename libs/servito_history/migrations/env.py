"""Run by Alembic: takes the connection, and its transaction, of `servito_history.migrate`."""

from __future__ import annotations

from alembic import context

from servito_history.migrate import VERSION_TABLE
from servito_history.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
)
context.run_migrations()
