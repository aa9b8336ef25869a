"""The tally as a Prometheus counter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from servito_evaluator.app.ports import Purpose


class MetricTally:
    """`servito_evaluator_hands_total`, by purpose (rank, open, win, odds)."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._hands = Counter(
            "servito_evaluator_hands_total", "Hands judged.", ("purpose",), registry=registry
        )

    def judged(self, purpose: Purpose, hands: int) -> None:
        """See `servito_evaluator.app.ports.Tally`."""
        self._hands.labels(purpose).inc(hands)
