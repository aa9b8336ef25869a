"""Bringing an archive to the form of this release: Alembic's migrations, run from here alone.

Forms only grow: a release works on an archive that a later one has migrated. So workers of two releases run
side by side, and who has no right to change tables needs none once somebody else (`servito audit migrate`)
did it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from servito_history.engine import new_engine, transaction
from servito_history.errors import HistoryUnusable
from servito_history.tables import APPEND_ONLY, heads

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from servito_history.address import HistoryPlace

VERSION_TABLE: Final = "history_version"
_LONG: Final = 10
_LOCK: Final = 0x5E4717
"""Of PostgreSQL's advisory locks: one worker migrates, the others wait and find it done."""


def migrate(engine: Engine, seconds: float) -> bool:
    """Whether there was anything to do. HistoryAway, HistoryRefused (no right to make tables, for one).
    `seconds`: for a look; making tables may take longer.
    """
    with transaction(engine, seconds) as sql:
        if is_current(sql):
            return False
    with transaction(engine, _LONG * seconds) as sql:
        if sql.dialect.name == "postgresql":
            sql.execute(text("SET LOCAL lock_timeout = 0"))
            sql.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = _config()
        config.attributes["connection"] = sql
        command.upgrade(config, "head")
    return True


def prepare(place: HistoryPlace, writer: str | None, seconds: float = 30.0) -> bool:
    """Migrate an archive, and give `writer`, a role of PostgreSQL, what the timers need and no more: to add
    rows, to read them, and to move the heads. Whether there was anything to migrate. Errors as in `migrate`;
    ValueError: a file knows no roles.
    """
    if writer is not None and place.embedded:
        raise ValueError("a file knows no roles: --writer is for PostgreSQL")
    engine = new_engine(place, seconds=seconds)
    try:
        done = migrate(engine, seconds)
        if writer is not None:
            with transaction(engine, seconds) as sql:
                _grant(sql, writer)
    finally:
        engine.dispose()
    return done


def _grant(sql: Connection, writer: str) -> None:
    role = sql.dialect.identifier_preparer.quote_identifier(writer)
    for rights, table in (
        *(("SELECT, INSERT", name) for name in APPEND_ONLY),
        ("SELECT, INSERT, UPDATE", heads.name),
        ("SELECT", VERSION_TABLE),
    ):
        sql.execute(text(f"REVOKE ALL ON {table} FROM {role}"))
        sql.execute(text(f"GRANT {rights} ON {table} TO {role}"))


def is_current(sql: Connection) -> bool:
    """Whether this archive has the form of this release, or of a later one: both can be written."""
    revision = _revision(sql)
    return revision is not None and revision not in _known()[1:]


def check_form(sql: Connection) -> None:
    """HistoryUnusable where there is no archive, one that was not migrated yet, or one of a later release: a
    reader would take no notice of what that one added, and call it whole.
    """
    revision, (current, *_) = _revision(sql), _known()
    if not is_current(sql):
        raise HistoryUnusable(
            "there is no archive of this form; the timers make it when they start, or `servito audit migrate`"
        )
    if revision != current:
        raise HistoryUnusable(
            f"its form is {revision}, made by a later release, and this one reads forms up to {current}: "
            "use the command of that release"
        )


def _revision(sql: Connection) -> str | None:
    context = MigrationContext.configure(sql, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


def _known() -> list[str]:
    """Revisions of this release, the latest first; a later release's are not among them."""
    return [each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions()]


def _config() -> Config:
    config = Config()
    config.set_main_option("path_separator", "os")
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config
