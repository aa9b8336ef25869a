"""Metrics of the loop's thread: on the page they are what prometheus_client's own are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import prometheus_client
from prometheus_client import CollectorRegistry, disable_created_metrics, generate_latest

from servito_platform.loop_metrics import Counter, Histogram

if TYPE_CHECKING:
    from collections.abc import Callable

BOUNDS = (0.001, 0.5, 2.0)
OBSERVED = (0.0, 0.001, 0.0011, 0.5, 0.75, 2.0, 2.25, 100.0)


def page(
    counter: Callable[..., prometheus_client.Counter], histogram: Callable[..., prometheus_client.Histogram]
) -> bytes:
    """What is told after some counting, with labels and without."""
    disable_created_metrics()
    registry = CollectorRegistry()
    plain = counter("calls", "Calls.", registry=registry)
    by_kind = counter("acts", "Acts.", ("kind", "outcome"), registry=registry)
    counter("never", "Nothing.", registry=registry)
    seconds = histogram("seconds", "Seconds.", buckets=BOUNDS, registry=registry)
    by_method = histogram("handling", "Handling.", ("method",), buckets=BOUNDS, registry=registry)
    plain.inc()
    plain.inc(2.5)
    for outcome in ("accepted", "refused", "accepted"):
        by_kind.labels("fold", outcome).inc()
    for amount in OBSERVED:
        seconds.observe(amount)
        by_method.labels(method="Act").observe(amount)
    with by_method.labels("Sit").time():
        pass
    lines = generate_latest(registry).splitlines()
    return b"\n".join(line for line in lines if not line.startswith(b'handling_sum{method="Sit"}'))


def test_the_page_says_the_same() -> None:
    """Buckets hold what is at most their bound, sums and counts add up, and a counter that was never asked to
    count says zero.
    """
    ours = page(Counter, Histogram)
    assert ours == page(prometheus_client.Counter, prometheus_client.Histogram)
    assert b'acts_total{kind="fold",outcome="accepted"} 2.0' in ours
    assert b'seconds_bucket{le="0.5"} 4.0' in ours
