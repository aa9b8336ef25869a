"""Measuring on a machine that others use too: wait until they are quiet, repeat what they disturbed.

Waits and repetitions are bounded by one patience for the whole run, so a busy machine makes a run less exact,
never endless; how busy it was is said at the end.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final, TypeVar

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

LIMIT: Final = 0.25
"""Cores that others may use before a measurement counts as disturbed."""
TRIES: Final = 3
PAUSE: Final = 0.5


@dataclass
class Quiet:
    """`patience`: seconds that waiting and repeating may cost in all."""

    patience: float
    others: list[float] = field(default_factory=list)
    """Cores that other processes used during each kept measurement."""

    def run(self, work: Callable[[], Result]) -> Result:
        """The result of `work`, of the least disturbed of up to three times."""
        kept: tuple[float, Result] | None = None
        for _ in range(TRIES):
            self._wait()
            begun, before = time.perf_counter(), _used()
            result = work()
            took = time.perf_counter() - begun
            other = max(0.0, (_used() - before) / took)
            if kept is None or other < kept[0]:
                kept = other, result
            if other < LIMIT or self.patience <= 0:
                break
            self.patience -= took
        assert kept is not None
        self.others.append(kept[0])
        return kept[1]

    def summary(self) -> str:
        """How quiet the machine was."""
        if not self.others:
            return "nothing was compared"
        calm = sum(other < LIMIT for other in self.others)
        return (
            f"other processes used {median(self.others):.2f} cores (at most {max(self.others):.2f}); "
            f"{calm} of {len(self.others)} measurements were undisturbed"
        )

    def _wait(self) -> None:
        while self.patience > 0:
            before = _used()
            time.sleep(PAUSE)
            if _used() - before < LIMIT * PAUSE:
                return
            self.patience -= PAUSE


def _used() -> float:
    """CPU seconds spent by everybody but this process and its children, the dead ones included."""
    times = psutil.cpu_times()
    idle = sum(getattr(times, kind, 0.0) for kind in ("idle", "iowait", "guest", "guest_nice"))
    own = 0.0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            own += sum(process.cpu_times()[:4])
    return float(sum(times) - idle - own)
