"""The drain as Prometheus metrics, and how far it is behind: asked of the state server when Prometheus asks.

So the lag is true while nobody drains: it is the age of the oldest entry that still waits, whoever should
have taken it, and it grows on while the state server does not answer either.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from servito_history.streams import Behind
from servito_platform.redis import StateUnavailable
from servito_timers.app.drain import Failure, Stored

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_FRESH: Final = 1.0
"""Seconds for which what was asked for one metric is good for the other."""
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class DrainMetrics:
    """See `app.drain.DrainTally`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._rows = Counter(
            "servito_history_rows_total", "Rows that the archive took.", ("kind",), registry=registry
        )
        self._failures = Counter(
            "servito_history_failures_total",
            "Attempts to archive that came to nothing, and entries that cannot be read, each time.",
            ("what",),
            registry=registry,
        )
        self._seconds = Histogram(
            "servito_history_drain_seconds",
            "From taking a batch in the state server until it is archived and thrown away there.",
            buckets=_SECONDS,
            registry=registry,
        )
        for kind in KINDS:
            self._rows.labels(kind)
        for what in Failure:
            self._failures.labels(what)

    def watch(self, look: Callable[[], Behind] | None, clock: Callable[[], float]) -> None:
        """Show what is read off when Prometheus asks. `look` may raise StateUnavailable; None: there is no
        archive, and nothing is behind.
        """
        lag = Lag(look, clock)
        for name, about, read in (
            (
                "servito_history_lag_seconds",
                "Age of the oldest entry that waits for the archive, whoever drains; 0: none does.",
                lambda: lag.now().seconds,
            ),
            (
                "servito_history_entries_behind",
                "Entries that wait for the archive.",
                lambda: float(lag.now().entries),
            ),
            ("servito_history_on", "1 where there is an archive.", lambda: float(look is not None)),
        ):
            Gauge(name, about, registry=self._registry).set_function(read)

    def drained(self, stored: Stored, seconds: float) -> None:
        """See DrainTally."""
        self._rows.labels("events").inc(stored.events)
        self._rows.labels("money").inc(stored.money)
        self._seconds.observe(seconds)

    def failed(self, what: Failure, problem: Exception | int) -> None:
        """See DrainTally."""
        if isinstance(problem, int):
            self._failures.labels(what).inc(problem)
            _log.error("history_unreadable", entries=problem)
        else:
            self._failures.labels(what).inc()
            _log.error("history_behind", what=what.value, problem=str(problem) or type(problem).__name__)


KINDS: Final = ("events", "money")


class Lag:
    """How far the archive is behind; used by the threads that serve metrics. Without an answer what was known
    grows older.
    """

    def __init__(self, look: Callable[[], Behind] | None, clock: Callable[[], float]) -> None:
        self._look = look
        self._clock = clock
        self._lock = Lock()
        self._known = Behind(0, None, 0, ())
        self._answered = self._asked = float("-inf")

    def now(self) -> Behind:
        """As of now."""
        with self._lock:
            if self._look is not None and self._clock() - self._asked >= _FRESH:
                self._ask(self._look)
            if self._known.oldest is None:
                return self._known
            since = round((self._clock() - self._answered) * 1000)
            known = self._known
            return Behind(known.entries, known.oldest, known.now + since, known.waiting)

    def _ask(self, look: Callable[[], Behind]) -> None:
        self._asked = self._clock()
        try:
            self._known = look()
        except StateUnavailable:
            return  # its outage has metrics of its own
        self._answered = self._clock()
