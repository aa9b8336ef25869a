"""The connections to an archive, with every wait bounded; where the other side stands still, by cutting.py.

SQLite: one file, in WAL mode so that it is read while it is written, synced to the disk before a commit
counts (what is acknowledged is thrown away in Redis). A transaction takes its lock at once: two writers wait
for each other instead of failing in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from servito_history.cutting import LEAST, connected, cut_after, cut_when_silent
from servito_history.errors import HistoryAway, HistoryRefused, HistoryUnusable

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from servito_history.address import HistoryPlace


def new_engine(place: HistoryPlace, *, seconds: float, connections: int = 2) -> Engine:
    """Connects to nothing yet. `seconds`: how long connecting, a statement, or a lock may take."""
    pool: dict[str, Any] = {"pool_size": connections, "max_overflow": 0, "pool_timeout": seconds}
    if place.embedded:
        engine = create_engine(place.url, **pool, connect_args={"timeout": seconds})
        _prepare_file(engine, "BEGIN IMMEDIATE", "journal_mode=WAL", "synchronous=FULL")
        return engine
    limits = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    engine = create_engine(place.url, **pool, connect_args=_bounded(place, seconds, *limits))
    event.listen(engine, "do_connect", connected)
    return engine


@contextmanager
def reading(place: HistoryPlace, *, seconds: float) -> Iterator[Connection]:
    """For tools, which write nothing and keep nobody waiting: a server may take as long for a statement as it
    needs, and the reader between two of them, but not be silent for `seconds`. HistoryUnusable: there is no
    such file; HistoryAway, HistoryRefused.
    """
    engine = _reading_engine(place, seconds)
    try:
        with told_apart(), cut_when_silent(engine, seconds), engine.connect() as sql:
            yield sql
    finally:
        engine.dispose()


def _reading_engine(place: HistoryPlace, seconds: float) -> Engine:
    if not place.embedded:  # without a transaction, which the server would end where the reader takes long
        waits = _bounded(place, seconds, "lock_timeout")
        engine = create_engine(place.url, isolation_level="AUTOCOMMIT", connect_args=waits)
        event.listen(engine, "do_connect", connected)
        return engine
    if not Path(str(place.url.database)).is_file():
        raise HistoryUnusable(f"there is no file {place.url.database}")
    engine = create_engine(place.url, connect_args={"timeout": seconds})
    _prepare_file(engine, "BEGIN", "query_only=ON")
    return engine


def _bounded(place: HistoryPlace, seconds: float, *limits: str) -> dict[str, object]:
    """Of PostgreSQL, `limits` by the server itself; what the address says goes before."""
    ms = round(seconds * 1000)
    waits = {
        "connect_timeout": max(LEAST, round(seconds)),
        "options": " ".join(f"-c {limit}={ms}" for limit in limits),
        "keepalives_idle": max(LEAST, round(seconds)),
        "tcp_user_timeout": ms,
        "application_name": "servito",
    }
    return {name: value for name, value in waits.items() if name not in place.url.query}


def _prepare_file(engine: Engine, begin: str, *pragmas: str) -> None:
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # `begin` is said below, and nothing by sqlite3 itself
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))


@contextmanager
def transaction(engine: Engine, seconds: float) -> Iterator[Connection]:
    """All of it or nothing, within `seconds`; HistoryAway, HistoryRefused. After an error no connection of
    before is used again.
    """
    try:
        with told_apart(), cut_after(engine, seconds) as cut, engine.connect() as sql, sql.begin():
            if cut is not None:
                cut.covers(sql.connection.dbapi_connection)
            yield sql
    except HistoryAway:
        engine.dispose()
        raise


@contextmanager
def told_apart() -> Iterator[None]:
    """HistoryAway for an archive that does not answer, HistoryRefused for what it does not take."""
    try:
        yield
    except (OperationalError, InterfaceError, PoolTimeout) as error:
        raise HistoryAway(_reason(error)) from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise HistoryAway(_reason(error)) from error
        raise HistoryRefused(_reason(error)) from error
    except SQLAlchemyError as error:
        raise HistoryRefused(_reason(error)) from error


def _reason(error: SQLAlchemyError) -> str:
    """What the driver said, in its first line: never the statement or its values."""
    cause: BaseException = error.orig if isinstance(error, DBAPIError) and error.orig else error
    first = str(cause).strip().partition("\n")[0]
    return f"{type(cause).__name__}: {first}"
