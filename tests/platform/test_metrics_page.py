"""A metrics page is read as it was written: totals, labels, histograms and their differences."""

from __future__ import annotations

import math

import pytest
from prometheus_client import CollectorRegistry, Counter, Histogram

from servito_platform.metrics import serve_metrics
from servito_platform.metrics_page import Buckets, read_page


def test_what_a_process_counts_is_read_from_its_page() -> None:
    """Counters by label, and the buckets of a histogram, over HTTP."""
    registry = CollectorRegistry()
    refused = Counter("servito_refusals", "By reason.", ("reason", "rpc"), registry=registry)
    refused.labels("STALE", "Act").inc(2)
    refused.labels("STALE", "Sit").inc()
    refused.labels("LATE", "Act").inc(5)
    late = Histogram("servito_late_seconds", "Lateness.", buckets=(0.1, 0.5), registry=registry)
    for seconds in (0.05, 0.2, 0.3, 7.0):
        late.observe(seconds)
    served = serve_metrics(registry, "127.0.0.1:0")
    try:
        page = read_page(served.address)
    finally:
        served.close()
    assert page.total("servito_refusals_total") == 8
    assert page.total("servito_refusals_total", reason="STALE") == 3
    assert page.by_label("servito_refusals_total", "reason") == {"LATE": 5, "STALE": 3}
    assert page.total("servito_nothing_total") == 0
    buckets = page.buckets("servito_late_seconds")
    assert (buckets.count, buckets.narrow) == (4, {0.1: 1, 0.5: 2, math.inf: 1})
    assert [buckets.within(percentile) for percentile in (25, 50, 75, 99)] == [0.1, 0.5, 0.5, math.inf]


def test_differences_and_sums_of_histograms() -> None:
    """Two processes are added; what was there before a run is taken off, unless the process began anew."""
    before, after = Buckets({0.1: 2.0, math.inf: 3.0}), Buckets({0.1: 4.0, math.inf: 9.0})
    assert after.since(before).narrow == {0.1: 2, math.inf: 4}
    assert before.since(after) is before
    assert (before + after).count == 12
    assert (Buckets() + after).within(50) == math.inf
    assert Buckets().within(99) == 0.0


def test_a_page_that_is_not_there_is_an_error() -> None:
    """Nobody takes silence for zero."""
    with pytest.raises(OSError, match="refused"):
        read_page("127.0.0.1:1")
