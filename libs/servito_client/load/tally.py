"""What players measured: latencies as HDR histograms, counts, and sentences about what went wrong.

Tallies of processes are added; histograms travel in their own encoding. Latencies are microseconds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from hdrh.histogram import HdrHistogram

LONGEST_US: Final = 120_000_000
FEW: Final = 20
"""Sentences that are kept of each process."""


def histogram() -> HdrHistogram:
    """Microseconds up to two minutes, as in a bot's report, three significant digits."""
    return HdrHistogram(1, LONGEST_US, 3)


def record(into: HdrHistogram, seconds: float) -> None:
    """One latency."""
    into.record_value(max(1, min(LONGEST_US, round(seconds * 1e6))))


@dataclass(slots=True)
class Tally:
    """Of one process, or of all of them added up."""

    answer_us: HdrHistogram = field(default_factory=histogram)
    event_us: HdrHistogram = field(default_factory=histogram)
    actions: int = 0
    hands: int = 0
    late: int = 0
    """Acts whose turn the clock had ended."""
    rebuys: int = 0
    retries: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    """Refusals that ended a player's game, by reason."""
    errors: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    """Tables at which nothing happened any more."""
    cpu_seconds: float = 0.0
    resident_bytes: int = 0

    def add(self, other: Packed) -> None:
        """Takes in what another process counted."""
        self.answer_us.decode_and_add(other.answer_us)
        self.event_us.decode_and_add(other.event_us)
        for name in ("actions", "hands", "late", "rebuys", "retries", "cpu_seconds", "resident_bytes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refusals.update(other.refusals)
        self.errors += other.errors
        self.stuck += other.stuck

    def packed(self) -> Packed:
        """For the way to another process."""
        return Packed(
            self.answer_us.encode(),
            self.event_us.encode(),
            self.actions,
            self.hands,
            self.late,
            self.rebuys,
            self.retries,
            dict(self.refusals),
            self.errors,
            self.stuck,
            self.cpu_seconds,
            self.resident_bytes,
        )


@dataclass(frozen=True, slots=True)
class Packed:
    """A tally that can be sent; fields as in `Tally`."""

    answer_us: bytes
    event_us: bytes
    actions: int
    hands: int
    late: int
    rebuys: int
    retries: int
    refusals: dict[str, int]
    errors: list[str]
    stuck: list[str]
    cpu_seconds: float
    resident_bytes: int
