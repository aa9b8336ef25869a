"""The tally as Prometheus metrics."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Callable, Sequence
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from servito_timers.app.ports import Due, Result, Route

_LATENESS: Final = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SWEEP: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0)

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Metrics:
    """See `app.ports.Tally`. Lateness is that at the claim; at a repeated one, since the last lease ended."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._sweep_seconds = Histogram(
            "servito_sweep_seconds", "Time to claim in all partitions.", buckets=_SWEEP, registry=registry
        )
        self._sweeps_failed = Counter(
            "servito_sweeps_failed_total", "Sweeps that the state server did not answer.", registry=registry
        )
        self._outages = Counter(
            "servito_outages_total",
            "Times without sweeps that were noted as outages, after which players get their time again.",
            registry=registry,
        )
        self._claimed = Counter("servito_deadlines_claimed_total", "Deadlines claimed.", registry=registry)
        self._lateness = Histogram(
            "servito_deadline_claim_lateness_seconds",
            "How long a deadline was due when it was claimed.",
            buckets=_LATENESS,
            registry=registry,
        )
        self._unreadable = Counter(
            "servito_deadlines_unreadable_total",
            "Members that name no deadline, each time.",
            registry=registry,
        )
        self._claims = Counter(
            "servito_deadline_claims_total", "Claims sent on their way.", ("route",), registry=registry
        )
        self._lost = Counter(
            "servito_deadline_claims_lost_total", "Published claims that nobody began.", registry=registry
        )
        self._results = Counter(
            "servito_deadlines_carried_out_total",
            "What the table service did with claimed deadlines.",
            ("route", "result"),
            registry=registry,
        )
        self._failed = Counter(
            "servito_expire_calls_failed_total",
            "Claims that the table service did not answer.",
            ("route",),
            registry=registry,
        )
        for route in Route:  # so that a rate can be built from the first event on
            self._claims.labels(route)
            self._failed.labels(route)
            for result in Result:
                self._results.labels(route, result)

    def watch(
        self, *, age: Callable[[], float], in_flight: Callable[[], int], broker_good: Callable[[], bool]
    ) -> None:
        """Show what is read off when Prometheus asks."""
        Gauge("servito_sweep_age_seconds", "Since the last sweep.", registry=self._registry).set_function(age)
        Gauge("servito_deadline_claims_in_flight", "Claims under way.", registry=self._registry).set_function(
            in_flight
        )
        Gauge(
            "servito_broker_good", "1 while claims go through the broker.", registry=self._registry
        ).set_function(broker_good)

    def swept(self, seconds: float) -> None:
        """See Tally."""
        self._sweep_seconds.observe(seconds)

    def sweep_failed(self) -> None:
        """See Tally."""
        self._sweeps_failed.inc()

    def outage(self, seconds: float) -> None:
        """See Tally."""
        self._outages.inc()
        _log.warning("outage_noted", seconds=round(seconds, 1))

    def claimed(self, due: Sequence[Due]) -> None:
        """See Tally."""
        self._claimed.inc(len(due))
        for deadline in due:
            self._lateness.observe(deadline.late_seconds)

    def unreadable(self, members: int) -> None:
        """See Tally."""
        self._unreadable.inc(members)

    def handed_over(self, route: Route) -> None:
        """See Tally."""
        self._claims.labels(route).inc()

    def lost(self, claims: int) -> None:
        """See Tally."""
        self._lost.inc(claims)

    def carried_out(self, route: Route, results: Sequence[Result]) -> None:
        """See Tally."""
        for result, number in Count(results).items():
            self._results.labels(route, result).inc(number)

    def failed(self, route: Route) -> None:
        """See Tally."""
        self._failed.labels(route).inc()
