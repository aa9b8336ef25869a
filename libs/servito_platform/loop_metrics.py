"""Counters and histograms for what happens with every call: counting costs an addition.

The same metrics as prometheus_client's, which take a lock and look at their labels each time (1.2 us a count,
3 an observation). These are for the thread of the event loop alone; the page may be read by any other.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

import prometheus_client
from prometheus_client.samples import Sample
from prometheus_client.utils import floatToGoString

if TYPE_CHECKING:
    from collections.abc import Iterable


class Counter(prometheus_client.Counter):
    """See the module."""

    def _metric_init(self) -> None:
        self._count = 0.0

    def inc(self, amount: float = 1, exemplar: dict[str, str] | None = None) -> None:  # noqa: ARG002 - the base's
        """Count `amount` more, never less than none."""
        self._count += amount

    def _child_samples(self) -> Iterable[Sample]:
        return (Sample("_total", {}, self._count, None, None),)


class Histogram(prometheus_client.Histogram):
    """See the module."""

    def _metric_init(self) -> None:
        self._counts = [0] * len(self._upper_bounds)
        self._whole = 0.0

    def observe(self, amount: float, exemplar: dict[str, str] | None = None) -> None:  # noqa: ARG002 - the base's
        """Count `amount` into its bucket."""
        self._counts[bisect_left(self._upper_bounds, amount)] += 1
        self._whole += amount

    def _child_samples(self) -> Iterable[Sample]:
        counts = list(accumulate(self._counts))
        buckets = zip(self._upper_bounds, counts, strict=True)
        yield from (
            Sample("_bucket", {"le": floatToGoString(bound)}, count, None, None) for bound, count in buckets
        )
        yield Sample("_count", {}, counts[-1], None, None)
        yield Sample("_sum", {}, self._whole, None, None)
