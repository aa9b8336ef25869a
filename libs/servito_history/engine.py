"""The connections to an archive, with every wait bounded.

SQLite: one file, in WAL mode so that it is read while it is written, synced to the disk before a commit
counts (what is acknowledged is thrown away in Redis). A transaction takes its lock at once: two writers wait
for each other instead of failing in the middle.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from servito_history.errors import HistoryAway, HistoryRefused, HistoryUnusable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect

    from servito_history.address import HistoryPlace

_LEAST: Final = 2
"""Seconds; libpq takes whole ones, and no fewer."""


def new_engine(place: HistoryPlace, *, seconds: float, connections: int = 2) -> Engine:
    """Connects to nothing yet. `seconds`: how long connecting, a statement, or a lock may take."""
    pool: dict[str, Any] = {"pool_size": connections, "max_overflow": 0, "pool_timeout": seconds}
    if place.embedded:
        engine = create_engine(place.url, **pool, connect_args={"timeout": seconds})
        _prepare_file(engine, "BEGIN IMMEDIATE", "journal_mode=WAL", "synchronous=FULL")
        return engine
    engine = create_engine(place.url, **pool, connect_args=_bounded(place, seconds))
    event.listen(engine, "do_connect", _connected)
    return engine


def reading_engine(place: HistoryPlace, *, seconds: float) -> Engine:
    """For tools, which write nothing and wait for nobody. HistoryUnusable: there is no such file."""
    if not place.embedded:
        return new_engine(place, seconds=seconds)
    if not Path(str(place.url.database)).is_file():
        raise HistoryUnusable(f"there is no file {place.url.database}")
    engine = create_engine(place.url, connect_args={"timeout": seconds})
    _prepare_file(engine, "BEGIN", "query_only=ON")
    return engine


def _bounded(place: HistoryPlace, seconds: float) -> dict[str, object]:
    """Of PostgreSQL; what the address says itself goes before."""
    ms = round(seconds * 1000)
    limits = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    waits = {
        "connect_timeout": max(_LEAST, round(seconds)),
        "options": " ".join(f"-c {limit}={ms}" for limit in limits),
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
        with told_apart(), _cut_after(engine, seconds) as cut, engine.connect() as sql, sql.begin():
            if cut is not None:
                cut.covers(sql.connection.dbapi_connection)
            yield sql
    except HistoryAway:
        engine.dispose()
        raise


class _Cut:
    """A server that stands still keeps no timeout of its own, and the driver waits without one, for the first
    answers on a new connection too: when the time is over, connections are cut, which ends the wait with an
    error.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._over = False
        self._covered: list[socket.socket] = []

    def covers(self, connection: Any) -> None:
        """Cut this one too, of the driver's."""
        with self._lock:
            self._covered.append(socket.socket(fileno=os.dup(connection.fileno())))
            if self._over:
                self._cut()

    def now(self) -> None:
        """The time is over."""
        with self._lock:
            self._over = True
            self._cut()

    def close(self) -> None:
        """Nothing is waited for any more."""
        with self._lock:
            while self._covered:
                self._covered.pop().close()

    def _cut(self) -> None:
        for connection in self._covered:
            with suppress(OSError):  # it is gone by itself
                connection.shutdown(socket.SHUT_RDWR)


_cutting: ContextVar[_Cut | None] = ContextVar("cutting", default=None)


@contextmanager
def _cut_after(engine: Engine, seconds: float) -> Iterator[_Cut | None]:
    """None for a file, which has no connection and bounds its waits by itself."""
    if engine.dialect.name != "postgresql":
        yield None
        return
    cut = _Cut()
    timer = Timer(seconds, cut.now)
    timer.daemon = True
    timer.start()
    outside = _cutting.set(cut)
    try:
        yield cut
    finally:
        _cutting.reset(outside)
        timer.cancel()
        cut.close()


def _connected(dialect: Dialect, _record: object, arguments: Any, options: Any) -> Any:
    """A new connection of the driver, covered before anything is asked on it."""
    connection = dialect.connect(*arguments, **options)
    cut = _cutting.get()
    if cut is not None:
        cut.covers(connection)
    return connection


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
