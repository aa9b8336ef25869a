"""Reading the metrics page of a process: what it counted, at one moment.

For who observes a system from outside (load runs, tests); the pages are made by metrics.py. Blocking: call
it in a thread. Nothing here knows which metrics there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

READ_SECONDS = 10.0


@dataclass(frozen=True)
class Buckets:
    """A histogram: how many observations were at most each bound, the last bound being infinity."""

    at_most: Mapping[float, float] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """All observations."""
        return round(max(self.at_most.values(), default=0.0))

    def __add__(self, other: Buckets) -> Buckets:
        """Both together, as of two processes."""
        bounds = sorted(self.at_most.keys() | other.at_most.keys())
        return Buckets({b: self.at_most.get(b, 0.0) + other.at_most.get(b, 0.0) for b in bounds})

    def since(self, before: Buckets) -> Buckets:
        """What came after `before`; everything, when the process was started again in between."""
        later = {b: number - before.at_most.get(b, 0.0) for b, number in self.at_most.items()}
        return self if min(later.values(), default=0.0) < 0 else Buckets(later)

    def within(self, percentile: float) -> float:
        """The least bound that `percentile` (0..100) of the observations kept; 0 without an observation.

        Infinity: more than the rest lie above the greatest bound that is measured."""
        wanted = max(self.at_most.values(), default=0.0) * percentile / 100
        return next((b for b in sorted(self.at_most) if self.at_most[b] >= wanted > 0), 0.0)

    @property
    def narrow(self) -> dict[float, int]:
        """Observations by bound, those above the bound before only; without the empty ones."""
        bounds = sorted(self.at_most)
        steps = [0.0, *(self.at_most[b] for b in bounds)]
        return {
            b: round(high - low) for b, (low, high) in zip(bounds, pairwise(steps), strict=True) if high > low
        }


class Page:
    """One reading of one page."""

    def __init__(self, text: str) -> None:
        self._samples = [
            sample for family in text_string_to_metric_families(text) for sample in family.samples
        ]

    def total(self, name: str, **labels: str) -> float:
        """The sum of a sample over all series that have these labels; 0 when there is none yet."""
        return sum(
            sample.value
            for sample in self._samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def by_label(self, name: str, label: str) -> dict[str, float]:
        """A sample for each value of one label."""
        values = {sample.labels[label] for sample in self._samples if sample.name == name}
        return {value: self.total(name, **{label: value}) for value in sorted(values)}

    def buckets(self, name: str) -> Buckets:
        """A histogram over all its series; empty when there is none."""
        bounds = {float(s.labels["le"]): s.labels["le"] for s in self._samples if s.name == f"{name}_bucket"}
        return Buckets({b: self.total(f"{name}_bucket", le=label) for b, label in sorted(bounds.items())})


def read_page(address: str, seconds: float = READ_SECONDS) -> Page:
    """The page at HOST:PORT, now; OSError when it cannot be read, or not within `seconds`."""
    with urlopen(f"http://{address}/metrics", timeout=seconds) as answer:
        return Page(answer.read().decode())
