"""What became of the spans of this process, as metrics; there also where no traces are made, as zeros."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from prometheus_client import Counter

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class SpanOutcome(StrEnum):
    """The values of the label."""

    EXPORTED = "exported"
    DROPPED = "dropped"
    """The queue was full, or the process ended."""
    FAILED = "failed"
    """The collector did not take them."""


class SpanCounts:
    """See the module."""

    def __init__(self, registry: CollectorRegistry) -> None:
        counter = Counter(
            "servito_traces_spans_total",
            "Spans that were recorded, by whether the collector got them.",
            ("outcome",),
            registry=registry,
        )
        self.exported = counter.labels(SpanOutcome.EXPORTED)
        self.dropped = counter.labels(SpanOutcome.DROPPED)
        self.failed = counter.labels(SpanOutcome.FAILED)
