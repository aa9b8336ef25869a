"""The page about sizes has the figures of the bench, and its example is worked out from them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

SIZING: Final = Path("docs/operations/sizing.md").read_text(encoding="utf-8")
BENCH: Final = Path("tests/bench/README.md").read_text(encoding="utf-8")
SERVICES: Final = ("table", "dealer", "evaluator", "state server", "timers")
ACTIONS: Final = 1_650


def costs() -> dict[str, int]:
    """Microseconds of an action by process, as the page says."""
    row = re.search(r"\| table \| dealer .*\n\|[-|]+\|\n\|(.*)\|\n", SIZING)
    assert row is not None
    return dict(zip(SERVICES, (int(cell) for cell in row[1].split("|")), strict=True))


def test_the_costs_are_those_that_were_measured() -> None:
    """Of `Play`, as it is now: when the bench is measured anew, the page follows."""
    row = re.search(r"\| Play, as it is now \|(.*)\|\n", BENCH)
    assert row is not None
    assert list(costs().values()) == [int(cell) for cell in row[1].split("|")[: len(SERVICES)]]


def test_the_example_is_right() -> None:
    """Cores by the formula of the page, rounded to two places."""
    for service, micros in costs().items():
        row = re.search(rf"^\| {service} \|.*?([0-9.]+) \|", SIZING, re.MULTILINE)
        assert row is not None
        assert f"{ACTIONS * micros / 1_000_000 / 0.5:.2f}" == row[1], service
    assert f"{ACTIONS:,} actions a second" in SIZING
    assert round(5_000 * 0.33) == ACTIONS
