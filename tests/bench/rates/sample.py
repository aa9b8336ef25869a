"""What one client process measured: actions per second, their times, and what they cost each process.

Clients print a Sample as one line of JSON; whoever started them reads it.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

WARM_UP_SECONDS: Final = 0.5


@dataclass(frozen=True)
class Sample:
    """`cpu_us`: microseconds of CPU time per action, by process; `cores`: how many it kept busy."""

    per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us: Mapping[str, float]
    cores: Mapping[str, float]
    repeated: int
    """Requests that were sent again because the service could not answer in time; they count as one."""

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Sample:
        """Read it again."""
        return cls(**json.loads(line))


@dataclass
class Counter:
    """Counts actions while it is `live`; `pids` are the processes that serve, by name."""

    pids: Mapping[str, int]
    live: bool = False
    repeated: int = 0
    _seconds: list[float] = field(default_factory=list)

    def count(self, began: float) -> None:
        """An action that began at that moment of `time.perf_counter` has its answer."""
        if self.live:
            self._seconds.append(time.perf_counter() - began)

    async def beside(self, work: Iterable[Coroutine[Any, Any, None]], seconds: float) -> Sample:
        """Count for so long while all of `work` runs; what ends before has failed."""
        tasks = [asyncio.create_task(each) for each in work]
        counting = asyncio.create_task(self._warmed_up(seconds))
        try:
            done, _ = await asyncio.wait([counting, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done - {counting}:
                task.result()
                raise RuntimeError("a player stopped playing")
            return counting.result()
        finally:
            for task in (counting, *tasks):
                task.cancel()
            await asyncio.gather(counting, *tasks, return_exceptions=True)

    async def _warmed_up(self, seconds: float) -> Sample:
        await asyncio.sleep(WARM_UP_SECONDS)
        return await self.over(seconds)

    async def over(self, seconds: float) -> Sample:
        """Count for so long, and on until there is something to tell of."""
        pids = {**self.pids, "client": os.getpid()}
        self.live, began = True, time.perf_counter()
        before = {name: _cpu_seconds(pid) for name, pid in pids.items()}
        await asyncio.sleep(seconds)
        while not self._seconds:  # noqa: ASYNC110 - an event would cost every count something
            await asyncio.sleep(seconds)
        self.live, took = False, time.perf_counter() - began
        used = {name: _cpu_seconds(pid) - before[name] for name, pid in pids.items()}
        times = sorted(self._seconds)
        return Sample(
            per_second=len(times) / took,
            p50_ms=1e3 * times[len(times) // 2],
            p99_ms=1e3 * times[len(times) * 99 // 100],
            cpu_us={name: 1e6 * spent / len(times) for name, spent in used.items()},
            cores={name: spent / took for name, spent in used.items()},
            repeated=self.repeated,
        )


def _cpu_seconds(pid: int) -> float:
    """By the process's own clock (clock_getcpuclockid(3), of Linux): exact where /proc counts hundredths."""
    return time.clock_gettime(~pid << 3 | 2)
