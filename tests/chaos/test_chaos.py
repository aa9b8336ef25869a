"""The short form of `make chaos`: one round of the important faults, and the four zeros."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from servito_platform.place import Mode
from tests.chaos.run import Plan, Run
from tests.chaos.show import show

SECONDS = 11.0


@pytest.mark.system
@pytest.mark.slow
async def test_nothing_is_lost_twice_changed_or_stuck(tmp_path: Path, state_mode: Mode) -> None:
    """Through kills, freezes, lost answers and deliveries out of order; SEED=... for another order."""
    plan = Plan(int(os.environ.get("SEED", "1")), state_mode, SECONDS, tables=8, short=True)
    figures = await Run(plan, tmp_path).play()
    told = StringIO()
    show(figures, Console(file=told, width=110))
    print(told.getvalue())  # noqa: T201 - the table of the run, shown by pytest where it fails
    assert figures.broken == []
    assert sum(figures.faults.values()) >= 3
