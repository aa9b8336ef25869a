"""Every section and every client of the bench still works: a little of each, and nothing is said of speed.

The sections that need no system are run by the command itself; the others at one system that they share. What
each says is not looked into, but that it counted something in every process that it names.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from servito_local.system import LocalSystem
from tests.bench import idle
from tests.bench.__main__ import SECTIONS
from tests.bench.measure import Context, Row
from tests.bench.quiet import Quiet
from tests.bench.rates import listing, section, traces
from tests.bench.report import line
from tests.system.background import Background
from tests.system.sixes import measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.one_server

ALONE = ("hands", "evaluation", "deal", "wire", "history", "sealing")
AT_A_SYSTEM = {"tables", "listing", "traces", "idle"}
ELSEWHERE = {"deadlines"}
"""In tests/timers/test_bench.py, beside workers that are there already."""
LITTLE = Context(Quiet(patience=0), repetitions=1, part=0.05)
HANDS = 2


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the system keeps its data."""
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def system(place: Path) -> Iterator[LocalSystem]:
    """A system for the bench alone."""
    with Background(LocalSystem(place)) as background:
        yield background.system


def told(results: Iterable[Row | str]) -> list[str]:
    """Their lines; every row of them compares something."""
    kept = list(results)
    for row in kept:
        if isinstance(row, Row):
            assert all(value > 0 for value in (*row.ours, *row.theirs))
    return [line(row) if isinstance(row, Row) else row for row in kept]


def test_every_section_is_tried() -> None:
    """One that is new needs a test here."""
    assert {*ALONE, *AT_A_SYSTEM, *ELSEWHERE} == set(SECTIONS)


def test_sections_that_need_no_system() -> None:
    """The command measures them, one after the other, under their titles."""
    command = [sys.executable, "-m", "tests.bench", *ALONE, "--repetitions", "1", "--patience", "0"]
    done = subprocess.run(
        [*command, "--part", "0.02"], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    for name in ALONE:
        assert f"\n{name}: {SECTIONS[name].title}\n" in done.stdout


def test_players_and_the_ceiling(system: LocalSystem, place: Path) -> None:
    """Each client plays, and what it did costs every process something that it is said to cost."""
    works, rates = section.in_turn(LITTLE, system, place)
    assert len(told(section.rows(works, rates))) == len(works) == 8
    for name in ("act", "asking", "play"):
        [sample] = works[name].samples
        assert set(sample.cpu_us) == {*system.pids(), "client"}


async def test_pages_of_tables(system: LocalSystem) -> None:
    """Tables are made and listed."""
    created, page = told(await listing.at(LITTLE, system))
    assert created.startswith("50 tables created")
    assert page.startswith("a page of 50 tables out of 500 ")


def test_traces(system: LocalSystem) -> None:
    """Systems take turns; here it is one by two names, which traces nothing."""
    [row] = told(traces.in_turn(LITTLE, {traces.OFF: system, "all": system}))
    assert row.startswith("Play, traces of all ")


async def test_an_idle_table(system: LocalSystem) -> None:
    """Six bots play, and their table is weighed."""
    assert len(told(idle.told(await measured(system, HANDS), HANDS))) == 4
