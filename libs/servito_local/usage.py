"""What the processes of the system cost: CPU time and resident memory, read from the operating system."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Usage:
    """Of one process, since it was started: a part that was restarted counts from there."""

    cpu_seconds: float
    """User and system time."""
    resident_bytes: int


def usage(pids: Mapping[str, int]) -> dict[str, Usage]:
    """Usage by name; a process that is gone is left out."""
    found: dict[str, Usage] = {}
    for name, pid in pids.items():
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            with process.oneshot():
                times = process.cpu_times()
                found[name] = Usage(times.user + times.system, process.memory_info().rss)
    return found
