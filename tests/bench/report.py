"""How a run is told: one line a comparison, under one that says what machine it was."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

from tests.bench.measure import spread

if TYPE_CHECKING:
    from tests.bench.measure import Row

PEERS: Final = ("pokerkit", "treys", "numpy", "grpcio", "redis", "hiredis", "uvloop")
LINE: Final = "{:<46} {:>14}   {:<14}{:>14}   {:<22} {}"
HEADING: Final = LINE.format("what", "ours", "against", "theirs", "x theirs", "goal")


def machine() -> str:
    """Cores, processor, Python, load, and the versions of what we are compared with."""
    packages = ", ".join(f"{name} {version(name)}" for name in PEERS)
    return (
        f"{os.cpu_count()} cores ({_processor()}), Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.2f}; {packages}"
    )


def line(row: Row) -> str:
    """Medians, the ratio with its spread, the goal, and beneath it the note."""
    ratios = row.ratios()
    said = LINE.format(
        row.what,
        _amount(median(row.ours), row.unit),
        row.peer,
        _amount(median(row.theirs), row.unit),
        spread(ratios) if len(ratios) > 1 else f"{ratios[0]:,.2f}",
        "" if row.goal is None else row.goal.verdict(median(ratios)),
    ).rstrip()
    return f"{said}\n    {row.note}" if row.note else said


def _amount(value: float, unit: str) -> str:
    return f"{value:,.{0 if value >= 100 else 2}f}{unit}"


def _processor() -> str:
    """As Linux names it, where there is a Linux."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    names = [text.partition(":")[2].strip() for text in lines if text.startswith("model name")]
    return names[0] if names else platform.machine()
