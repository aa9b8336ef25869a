"""Ending the waits for a database that stands still, by cutting the connection from this side.

PostgreSQL's own timeouts stand still with it, and the driver has none, for the first answers on a new
connection too. Two bounds: `cut_after` a time, for workers, and `cut_when_silent`, for people who read: what
they ask may take long, as long as the server answers somebody. Changes with engine.py, which covers each new
connection.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Event, Lock, Thread, Timer
from typing import TYPE_CHECKING, Any, Final

from psycopg import pq
from psycopg.errors import ConnectionTimeout
from sqlalchemy.exc import DBAPIError

from servito_history.address import HistoryPlace, conninfo
from servito_history.errors import HistoryAway

if TYPE_CHECKING:
    from sqlalchemy import Dialect, Engine

LEAST: Final = 2
"""Seconds; libpq takes whole ones, and no fewer."""
_LOOKS: Final = 4
"""In the time that a server may be silent."""


class Cut:
    """Connections that end when the time is over."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.over = False
        self._covered: list[socket.socket] = []

    def covers(self, connection: Any) -> None:
        """Cut this one too, of the driver's."""
        with self._lock:
            self._covered.append(socket.socket(fileno=os.dup(connection.fileno())))
            if self.over:
                self._cut()

    def now(self) -> None:
        """The time is over."""
        with self._lock:
            self.over = True
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


_cutting: ContextVar[Cut | None] = ContextVar("cutting", default=None)


@contextmanager
def cut_after(engine: Engine, seconds: float) -> Iterator[Cut | None]:
    """HistoryAway when what is within has not ended after `seconds`. None for a file, which has no connection
    and bounds its waits by itself.
    """
    if engine.dialect.name != "postgresql":
        yield None
        return
    cut = Cut()
    timer = Timer(seconds, cut.now)
    timer.daemon = True
    timer.start()
    began = time.monotonic()
    with _covering(cut, engine, lambda: began):
        try:
            yield cut
        finally:
            timer.cancel()


@contextmanager
def cut_when_silent(engine: Engine, seconds: float) -> Iterator[None]:
    """HistoryAway once the server has answered nobody for `seconds`; nothing for a file, as above."""
    if engine.dialect.name != "postgresql":
        yield
        return
    cut, ended, heard = Cut(), Event(), time.monotonic()
    answers = _asking(_place(engine))

    def listen() -> None:
        nonlocal heard
        while not ended.wait(seconds / _LOOKS):
            if answers():
                heard = time.monotonic()
            elif time.monotonic() - heard >= seconds:
                cut.now()
                return

    Thread(target=listen, name="history-silence", daemon=True).start()
    with _covering(cut, engine, lambda: heard):
        try:
            yield
        finally:
            ended.set()


def _asking(place: HistoryPlace) -> Callable[[], bool]:
    """Whether the server says anything, be it that it lets nobody in now: no session is needed for that."""
    asked = conninfo(place, connect_timeout=LEAST).encode()
    return lambda: pq.PGconn.ping(asked) != pq.Ping.NO_RESPONSE


@contextmanager
def _covering(cut: Cut, engine: Engine, heard: Callable[[], float]) -> Iterator[None]:
    """New connections are covered; `heard`: since when the server is waited for."""
    outside = _cutting.set(cut)
    try:
        yield
    except DBAPIError as error:
        if cut.over or isinstance(error.orig, ConnectionTimeout):
            waited = f"{time.monotonic() - heard():.0f}"
            raise HistoryAway(f"{_place(engine)}: no answer for {waited} seconds") from error
        raise
    finally:
        _cutting.reset(outside)
        cut.close()


def _place(engine: Engine) -> HistoryPlace:
    return HistoryPlace(engine.url, embedded=False)


def connected(dialect: Dialect, _record: object, arguments: Any, options: Any) -> Any:
    """A new connection of the driver, covered before anything is asked on it."""
    connection = dialect.connect(*arguments, **options)
    cut = _cutting.get()
    if cut is not None:
        cut.covers(connection)
    return connection
