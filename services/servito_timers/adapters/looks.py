"""What the looks see, as Prometheus metrics. A worker that does not look shows 0 of everything, so that the
greatest of all workers is what is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge

from servito_timers.app.look import Round, Sight

_STORED: Final = {
    "tables": ("servito_stored_tables", "Tables that are kept, closed ones included."),
    "hands": ("servito_stored_hands", "Hands that are being played."),
    "stuck": ("servito_stored_tables_stuck", "Tables that stand still."),
    "deadlines": ("servito_stored_deadlines", "Deadlines that are set."),
    "overdue": ("servito_stored_deadlines_overdue", "Deadlines that are due for over a second, unclaimed."),
    "in_play": ("servito_stored_chips", "Chips in play by the states of all tables."),
    "bought_in": ("servito_stored_chips_bought_in", "Buy-ins less cash-outs by the money journal."),
    "difference": (
        "servito_stored_chips_difference",
        "Chips too many or too few, table by table.",
    ),
    "unreadable": ("servito_stored_unreadable", "Tables and partitions of which something cannot be read."),
}
"""Name and meaning, by the field of a Sight."""


class Looks:
    """See `app.look.LookTally`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._rounds = Counter(
            "servito_looks_total",
            "Looks at everything that is stored, by what came of them.",
            ("outcome",),
            registry=registry,
        )
        for outcome in Round:
            self._rounds.labels(outcome)
        self._stored = {
            field: Gauge(name, about, registry=registry) for field, (name, about) in _STORED.items()
        }

    def watch(self, age: Callable[[], float]) -> None:
        """Show what is read off when Prometheus asks."""
        Gauge(
            "servito_look_age_seconds",
            "Since this worker saw everything that is stored; only one of them looks.",
            registry=self._registry,
        ).set_function(age)

    def looked(self, outcome: Round, sight: Sight) -> None:
        """See LookTally. What broke off says nothing of the whole: the last whole one stays."""
        self._rounds.labels(outcome).inc()
        if outcome is not Round.UNANSWERED:
            self._show(sight)

    def looks_elsewhere(self) -> None:
        """See LookTally."""
        self._show(Sight())

    def _show(self, sight: Sight) -> None:
        for name, gauge in self._stored.items():
            gauge.set(getattr(sight, name))
