"""What the bots of one run did, counted together: acts, their latency, and answers that came too late.

Latency is from the moment an act is handed to the SDK until its answer is back, retries included, in
microseconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hdrh.histogram import HdrHistogram

LONGEST_US: Final = 120_000_000


def _histogram() -> HdrHistogram:
    return HdrHistogram(1, LONGEST_US, 3)


@dataclass(slots=True)
class Report:
    """Shared by all bots of one event loop."""

    actions: int = 0
    """Acts that the table accepted."""
    late: int = 0
    """Acts whose turn was over when they arrived: the clock had acted."""
    rebuys: int = 0
    latency_us: HdrHistogram = field(default_factory=_histogram)

    def acted(self, seconds: float) -> None:
        """One act was accepted after so long."""
        self.actions += 1
        self.latency_us.record_value(max(1, min(LONGEST_US, round(seconds * 1e6))))

    def latency_ms(self, percentile: float) -> float:
        """The latency that `percentile` (0..100) of the acts kept, in milliseconds; 0 when there was none."""
        return float(self.latency_us.get_value_at_percentile(percentile)) / 1000
