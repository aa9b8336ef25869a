"""What the table service counts, for Prometheus. Labels come from closed sets; never a table, hand, player or
card.
"""

from __future__ import annotations

import structlog
from prometheus_client import CollectorRegistry, Gauge

from servito_platform.loop_metrics import Counter, Histogram

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_CALL_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_LATE_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Watching:
    """For the hub: who watches, and what is sent to them."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.tables = Gauge("servito_table_watched", "Tables that somebody watches now.", registry=registry)
        self.watchers = Gauge("servito_table_watchers", "Streams that follow a table now.", registry=registry)
        self.messages = Counter(
            "servito_table_stream_messages", "Messages handed to streams.", registry=registry
        )
        self.updates = Counter(
            "servito_table_stream_updates", "Commits told in them, once for each stream.", registry=registry
        )
        self.dropped = Counter(
            "servito_table_watcher_drops",
            "Commits that a slow watcher was not told, a snapshot having taken their place.",
            registry=registry,
        )
        self.collapses = Counter(
            "servito_table_watcher_collapses", "Slow watchers that were given a snapshot.", registry=registry
        )
        self.warnings = Counter(
            "servito_table_warnings", "Warnings to streams that a turn is about to end.", registry=registry
        )
        self.catch_ups = Counter(
            "servito_table_stream_reads", "Readings of what other processes committed.", registry=registry
        )
        self.rewinds = Counter(
            "servito_table_rewinds", "Watched tables found to have lost commits.", registry=registry
        )


class Meters:
    """Implements `app.ports.Monitor`; the rest is for the adapters."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._actions = Counter(
            "servito_table_actions",
            "Players' commands by kind.",
            ("kind", "outcome"),
            registry=registry,
        )
        self._hands = Counter(
            "servito_table_hands", "Hands ended, by outcome.", ("outcome",), registry=registry
        )
        self._refusals = Counter(
            "servito_table_refusals", "Refusals, by rpc and reason.", ("method", "reason"), registry=registry
        )
        self._events = Counter(
            "servito_table_events",
            "The table's own events, each commit of one.",
            ("event",),
            registry=registry,
        )
        self._bought_in = Counter("servito_table_chips_in", "Chips that came into play.", registry=registry)
        self._cashed_out = Counter("servito_table_chips_out", "Chips that left play.", registry=registry)
        self._conflicts = Counter(
            "servito_table_commit_conflicts", "Commits that found another version.", registry=registry
        )
        self._unknown = Counter(
            "servito_table_unknown_outcomes", "Commits that were not answered.", registry=registry
        )
        self._unreadable = Counter(
            "servito_table_unreadable",
            "Tables met that a newer release stored in a form that this one does not read.",
            registry=registry,
        )
        self._seals = Counter(
            "servito_table_seals_broken",
            "Tables and commits that did not open or were no messages, by why.",
            ("why",),
            registry=registry,
        )
        for why in ("broken", "unknown_key", "unreadable"):
            self._seals.labels(why)
        self.backlog = Gauge(
            "servito_table_audit_entries",
            "Commits that wait to be archived, in all partitions.",
            registry=registry,
        )
        self.longest_backlog = Gauge(
            "servito_table_audit_entries_most",
            "Commits that wait to be archived in the partition that has most of them.",
            registry=registry,
        )
        self._kept = Counter(
            "servito_table_template_tables",
            "Tables opened and closed for templates.",
            ("what",),
            registry=registry,
        )
        self._stalls = Counter(
            "servito_table_stalls", "Tables that did not go on by themselves at once.", registry=registry
        )
        self._mended = Counter(
            "servito_table_deadlines_mended",
            "Deadlines that were missing where the timers look, and were put back.",
            registry=registry,
        )
        self._maintenance = Gauge(
            "servito_table_maintenance",
            "1 while no hand may begin because of maintenance, as this process last read.",
            registry=registry,
        )
        self._lateness = Histogram(
            "servito_table_deadline_lateness_seconds",
            "From a deadline to the commit that acted on it.",
            buckets=_LATE_SECONDS,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "servito_table_commit_seconds", "One commit.", buckets=_CALL_SECONDS, registry=registry
        )
        self.dealer_seconds = Histogram(
            "servito_table_dealer_seconds",
            "One answer of the dealer.",
            buckets=_CALL_SECONDS,
            registry=registry,
        )
        self.evaluator_seconds = Histogram(
            "servito_table_evaluator_seconds", "One judgement.", buckets=_CALL_SECONDS, registry=registry
        )
        self.watching = Watching(registry)
        self._actions_by: dict[tuple[str, str], Counter] = {}

    def acted(self, kind: str, outcome: str) -> None:
        """See `app.ports.Monitor`."""
        key = kind, outcome
        counter = self._actions_by.get(key)
        if counter is None:
            counter = self._actions_by[key] = self._actions.labels(kind, outcome)
        counter.inc()

    def refused(self, method: str, reason: str) -> None:
        """See `app.ports.Monitor`."""
        self._refusals.labels(method, reason).inc()

    def happened(self, event: str) -> None:
        """See `app.ports.Monitor`."""
        self._events.labels(event).inc()

    def moved(self, chips: int) -> None:
        """See `app.ports.Monitor`."""
        (self._bought_in if chips > 0 else self._cashed_out).inc(abs(chips))

    def hand_ended(self, outcome: str) -> None:
        """See `app.ports.Monitor`."""
        self._hands.labels(outcome).inc()

    def conflict(self) -> None:
        """See `app.ports.Monitor`."""
        self._conflicts.inc()

    def expired(self, late_ms: int) -> None:
        """See `app.ports.Monitor`."""
        self._lateness.observe(late_ms / 1000)

    def kept(self, what: str) -> None:
        """See `app.ports.Monitor`."""
        self._kept.labels(what).inc()

    def mended(self, deadlines: int) -> None:
        """So many were lost, and are there again."""
        self._mended.inc(deadlines)

    def maintenance(self, *, on: bool) -> None:
        """See `app.ports.Monitor`."""
        self._maintenance.set(on)

    def unknown_outcome(self) -> None:
        """A commit got no answer."""
        self._unknown.inc()

    def unreadable(self) -> None:
        """A stored table is of a form that is not known here."""
        self._unreadable.inc()

    def seal_broken(self, why: str) -> None:
        """What is stored does not open: it is "broken", "unreadable", or its key is an "unknown_key" here."""
        self._seals.labels(why).inc()

    def stalled(self, table_id: str, why: str) -> None:
        """See `app.ports.Monitor`."""
        self._stalls.inc()
        _log.warning("table_stalled", table_id=table_id, why=why)
