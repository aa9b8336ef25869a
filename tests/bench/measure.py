"""Comparisons: repetitions of ours and theirs in turn, and what is said of them.

A row's ratio is taken within each repetition, where both had the same machine; more than 1 is better than
theirs. Nothing here prints or knows what is measured.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tests.bench.quiet import Quiet


@dataclass(frozen=True)
class Goal:
    """What a ratio has to reach, and what it is to aim for."""

    least: float
    aim: float | None = None

    def verdict(self, ratio: float) -> str:
        """The goal, and whether `ratio` reaches it."""
        aim = "" if self.aim is None else f", aim {self.aim:g}"
        return f">= {self.least:g}{aim}: {'reached' if ratio >= self.least else 'MISSED'}"


@dataclass(frozen=True)
class Row:
    """One comparison: a value of each repetition, ours and theirs."""

    what: str
    ours: Sequence[float]
    peer: str
    theirs: Sequence[float]
    unit: str = "/s"
    better: Literal["more", "less"] = "more"
    goal: Goal | None = None
    note: str = ""
    """Another line about it: where the comparison is not quite one of like with like."""

    def ratios(self) -> list[float]:
        """How many times better than theirs, by repetition."""
        pairs = zip(self.ours, self.theirs, strict=True)
        return [ours / theirs if self.better == "more" else theirs / ours for ours, theirs in pairs]


@dataclass(frozen=True)
class Context:
    """What every measurement is given.

    `part`: how much of what takes time is done, 1 to measure; with little of it is seen whether all still
    works. `until`: nothing is repeated after that moment of `time.monotonic`.
    """

    quiet: Quiet
    repetitions: int
    part: float = 1.0
    until: float = inf

    def repeats(self) -> Iterator[None]:
        """One for each repetition; the first always, the others while there is time."""
        for number in range(self.repetitions):
            if number and time.monotonic() > self.until:
                return
            yield

    def seconds(self, whole: float) -> float:
        """Of so many."""
        return whole * self.part

    def some(self, whole: int) -> int:
        """Of so many, at least one."""
        return max(1, round(whole * self.part))

    @property
    def partial(self) -> bool:
        """Whether nothing is measured."""
        return self.part < 1


def interleaved(context: Context, works: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Each work once per repetition, in turn: machines change their speed while they are measured."""
    values: dict[str, list[float]] = {name: [] for name in works}
    for _ in context.repeats():
        for name, work in works.items():
            values[name].append(context.quiet.run(work))
    return values


def cpu_rate(work: Callable[[], int], seconds: float) -> float:
    """How many things `work`, which says how many it did, does per second of this process's CPU time.

    For work of one thread that waits for nothing: on an idle machine the same as by the clock, and on another
    one not the others' business.
    """
    done, begun = 0, time.process_time()
    while (took := time.process_time() - begun) < seconds:
        done += work()
    return done / took


def spread(values: Sequence[float], digits: int = 2) -> str:
    """`median (min-max)`."""
    middle, least, most = (f"{value:,.{digits}f}" for value in (median(values), min(values), max(values)))
    return f"{middle} ({least}-{most})"
