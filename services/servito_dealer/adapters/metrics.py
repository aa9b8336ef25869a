"""The port `Monitor` as Prometheus metrics. Labels come from closed sets; none names a hand, a seed or a
card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Histogram

from servito_dealer.adapters.alarms import Alarm
from servito_dealer.app.refusals import Reason

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0)


class Metrics:
    """Counts of this process, on `registry`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._hands = Counter("servito_dealer_hands_opened_total", "Hands opened.", registry=registry)
        self._entries = Counter(
            "servito_dealer_entries_total", "Entries recorded.", ("kind",), registry=registry
        )
        self._cards = Counter("servito_dealer_cards_total", "Cards dealt.", ("kind",), registry=registry)
        self._refusals = Counter(
            "servito_dealer_refusals_total", "Requests refused.", ("reason",), registry=registry
        )
        self._seal = Histogram(
            "servito_dealer_seal_seconds",
            "Sealing and storing an element.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._alarms = Counter(
            "servito_dealer_alarms_total",
            "What a person has to look at, by kind.",
            ("alarm",),
            registry=registry,
        )
        for reason in Reason:
            self._refusals.labels(reason.value)
        for alarm in Alarm:
            self._alarms.labels(alarm.value)

    def hand_opened(self) -> None:
        """See `Monitor`."""
        self._hands.inc()

    def entry_recorded(self, kind: str, cards: int) -> None:
        """See `Monitor`."""
        self._entries.labels(kind).inc()
        self._cards.labels(kind).inc(cards)

    def refused(self, reason: Reason) -> None:
        """See `Monitor`."""
        self._refusals.labels(reason.value).inc()

    def alarmed(self, alarm: Alarm) -> None:
        """Something is wrong that no request can put right."""
        self._alarms.labels(alarm.value).inc()

    def sealed(self, seconds: float) -> None:
        """An element was sealed and stored, or found that another one is stored."""
        self._seal.observe(seconds)
