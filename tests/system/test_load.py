"""The load tool on the real system: it measures from when acts were due, counts chips, and fails aloud."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from servito_cli.load.figures import ChipsFound, Cost, figures_of
from servito_client import actions
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.load.plan import LoadPlan, Pace
from servito_client.load.tally import Tally, record
from servito_client.messages import Offer
from servito_local.system import LocalSystem
from tests.system.demo import SERVITO

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]
PLAN = LoadPlan("127.0.0.1:1", tables=5, players=3, seconds=8.0, pace=Pace.FAST)


async def test_a_short_load_is_measured_and_its_chips_are_counted(
    system: LocalSystem, tmp_path: Path
) -> None:
    """Two spawned processes play; every act is answered and told to the others; pages and chips are read."""
    file = tmp_path / "load.json"
    words = ["--tables", "2", "--players", "3", "--duration", "3", "--ramp-up", "0.2", "--pace", "fast"]
    where = ["--target", system.target("table"), "--state-url", system.state_url, "--json", str(file)]
    for part in ("table", "timers"):
        where += ["--metrics", system.addresses()[part]["metrics"]]
    done = await asyncio.to_thread(load, *words, *where)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No promise broken." in done.stdout
    figures = json.loads(file.read_text())
    assert figures["failures"] == figures["errors"] == figures["stuck"] == []
    assert figures["hands"] > 0
    assert figures["act_to_answer"]["count"] == figures["actions"] > 20
    assert figures["act_to_event"]["count"] > figures["actions"]  # two others hear of nearly every act
    for latency in (figures["act_to_answer"], figures["act_to_event"]):
        assert 0 < latency["ms"]["50"] <= latency["ms"]["99"] <= latency["ms"]["100"]
    assert figures["chips"]["most"] > 0
    assert figures["lateness"].keys() == {"deadline to commit (table)", "deadline to claim (timers)"}
    assert figures["processes"]["players"]["cpu_s"] > 0


async def test_an_act_that_is_sent_late_counts_from_when_it_was_due() -> None:
    """What keeps the process from sending in time is part of the latency, not left out of it."""
    report = Report()

    def slow(*_: object) -> Any:
        time.sleep(0.08)
        return actions.check()

    async def act(*_: object) -> int:
        return 1

    bot = Bot(
        cast(Any, None), "t1", strategy=slow, rng=Random(1), buy_in=1, report=report, think=lambda: 0.01
    )
    await bot._act(cast(Any, SimpleNamespace(act=act)), Offer(turn_id=1))
    assert report.latency_ms(50) >= 80


def test_tallies_of_processes_are_added_up() -> None:
    """Histograms and counts of two processes are those of one that did both."""
    one, other, total = Tally(), Tally(), Tally()
    for tally, seconds in ((one, 0.001), (other, 0.1)):
        record(tally.answer_us, seconds)
        tally.actions, tally.errors = 1, ["no"]
        total.add(tally.packed())
    assert (total.actions, len(total.errors), total.answer_us.get_total_count()) == (2, 2, 2)
    assert total.answer_us.get_max_value() == pytest.approx(100_000, rel=0.01)
    tables = [number for process in range(2) for number in PLAN.share(process, 2)]
    assert sorted(tables) == list(range(5))


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ({"errors": ["player 1: gone"]}, "1 errors"),
        ({"stuck": ["load 3"]}, "load 3 stands still"),
        ({"actions": 0}, "nobody acted"),
        ({"wrong": ["t7"]}, "chips do not add up at table t7"),
        ({"in_play": 9}, "10 bought in, 9 in play"),
        ({}, ""),
    ],
)
def test_every_broken_promise_fails_the_run(broken: dict[str, Any], says: str) -> None:
    """Chips, errors, stuck tables, and a run in which nothing happened; retries and slowness do not."""
    tally = Tally(actions=4, retries=9, late=2)
    for name in broken.keys() & {"errors", "stuck", "actions"}:
        setattr(tally, name, broken[name])
    chips = ChipsFound(2, 10, broken.get("in_play", 10), 10, broken.get("wrong", []))
    figures = figures_of(
        PLAN, tally, refusals={}, lateness={}, processes={"table": Cost(1.0, 2.0)}, chips=chips
    )
    assert "; ".join(figures.failures) == "" if not says else says in "; ".join(figures.failures)
    assert json.loads(json.dumps(figures.as_json()))["failures"] == figures.failures


def test_a_target_that_nobody_serves_fails_the_run(tmp_path: Path) -> None:
    """The metrics page cannot be read: said at once, exit code 2."""
    where = ["--target", "127.0.0.1:1", "--metrics", "127.0.0.1:1"]
    done = load(*where)
    assert done.returncode == 2
    assert "refused" in done.stderr
    assert "Traceback" not in done.stderr


def load(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([SERVITO, "load", *words], capture_output=True, text=True, check=False, timeout=100)
