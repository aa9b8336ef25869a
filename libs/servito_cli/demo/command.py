"""`servito demo`: the local system, a run of bots, an independent count of the chips, a verdict.

Here: the order of things, and what is done when they go wrong or somebody presses Ctrl-C. The parts are
playing.py, figures.py and show.py."""

from __future__ import annotations

import asyncio
import json as json_format
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp

import psutil
import stamina

from servito_cli.alongside import unless_failed
from servito_cli.console import FAILED, UNUSABLE, complain
from servito_cli.demo.figures import MIB, Figures, ProcessCost
from servito_cli.demo.playing import Plan, Playing
from servito_cli.demo.show import Show
from servito_cli.interrupts import INTERRUPTED, run_interruptible
from servito_cli.story.telling import Tale
from servito_client.client import Servito
from servito_client.errors import Refusal, TableError
from servito_local.chips import read_chips
from servito_local.part import PartFailed
from servito_local.stages import Stage
from servito_local.system import LocalSystem
from servito_local.usage import usage
from servito_witness.chips import Chips

TALES = 3
BOTS = "demo and bots"
"""What this process is called among the others."""
OPERATOR = "casa"
"""Who opens the tables and watches them; sits nowhere."""


@dataclass(slots=True)
class _Run:
    """What is known so far."""

    plan: Plan
    show: Show
    data: Path
    first_hand_s: float = 0.0
    before: Chips = field(default_factory=lambda: Chips(()))
    after: Chips = field(default_factory=lambda: Chips(()))


def run_demo(plan: Plan, json: Path | None) -> int:
    """Plays `plan`, shows it, writes the figures to `json`; the exit code."""
    try:
        if json is not None:
            # Found out now, not after the run; and figures of an earlier run must not pass for this one's.
            json.write_text("", encoding="utf-8")
    except OSError as unusable:
        complain(str(unusable))
        return UNUSABLE
    # Retries are counted and shown at the end; a line for each would tear the progress bar apart.
    stamina.instrumentation.set_on_retry_hooks([])
    run = _Run(plan, Show(plan), Path(mkdtemp(prefix="servito-demo-")))
    run.show.opening()
    try:
        figures = run_interruptible(_demo(run))
    except (PartFailed, TableError) as failure:
        if isinstance(failure, Refusal) and failure.reason == "INVALID_CONFIG":
            shutil.rmtree(run.data)
            complain(failure.message)
            return UNUSABLE
        complain(f"{failure}\nLogs and state are kept in {run.data}")
        return FAILED
    return _close(run, figures, json)


def _close(run: _Run, figures: Figures | None, json: Path | None) -> int:
    """Writes what is to be kept and removes what is not; the exit code."""
    if figures is not None and json is not None:
        json.write_text(json_format.dumps(figures.as_json(), indent=2) + "\n", encoding="utf-8")
    if figures is not None and figures.failures:
        return FAILED
    shutil.rmtree(run.data)
    if figures is None:
        return INTERRUPTED
    run.show.how_to_go_on()
    return 0


async def _demo(run: _Run) -> Figures:
    async with (
        LocalSystem(run.data, tell=run.show.stage) as system,
        Servito(system.target("table"), player=OPERATOR) as servito,
    ):
        with run.show.progress() as progress:

            def look(playing: Playing) -> None:
                progress(playing)
                if not run.first_hand_s and playing.began:
                    run.first_hand_s = _since_command()
                    run.show.stage(Stage("first hand, counted from the command", run.first_hand_s))

            async with Playing(servito, run.plan, look) as playing:
                await unless_failed(system, _play(system, playing, run))
        figures = _figures(run, playing, servito, system)
    run.show.tales(_tales(playing))
    run.show.figures(figures)
    run.show.verdict(figures.failures, playing.errors, str(run.data))
    return figures


async def _play(system: LocalSystem, playing: Playing, run: _Run) -> None:
    await playing.play()
    run.before = await asyncio.to_thread(read_chips, system.state_url)
    await playing.leave()
    run.after = await asyncio.to_thread(read_chips, system.state_url)


def _figures(run: _Run, playing: Playing, servito: Servito, system: LocalSystem) -> Figures:
    wrong = {table.table_id for table in (*run.before.wrong, *run.after.wrong)}
    cashed_out = run.before.bought_in - run.after.bought_in
    report = playing.report
    return Figures(
        hands=playing.hands,
        actions=report.actions,
        chips_start=run.before.bought_in,
        chips_end=run.after.in_play + cashed_out,
        wrong_tables=sorted(wrong),
        errors=len(playing.errors),
        retries=servito.effort.retries,
        timeouts=playing.timeouts,
        stuck=playing.stuck,
        rebuys=report.rebuys,
        action_p50_ms=report.latency_ms(50),
        action_p99_ms=report.latency_ms(99),
        first_hand_s=run.first_hand_s,
        elapsed_s=playing.seconds,
        hands_per_s=playing.hands / playing.seconds if playing.seconds else 0.0,
        processes=_costs(system),
    )


def _costs(system: LocalSystem) -> dict[str, ProcessCost]:
    costs = {**system.usage(), **usage({BOTS: psutil.Process().pid})}
    return {
        name: ProcessCost(cost.cpu_seconds, cost.resident_bytes / MIB, system.restarts.get(name, 0))
        for name in (*system.addresses(), BOTS)
        if (cost := costs.get(name)) is not None
    }


def _tales(playing: Playing) -> list[Tale]:
    """The best hands of all tables."""
    best = sorted(
        (entry for table in playing.tables for entry in table.chronicle.best()),
        key=lambda entry: entry[0],
        reverse=True,
    )
    return [tale for _, tale in best[:TALES]]


def _since_command() -> float:
    """Seconds since this process was started, imports and all."""
    return time.time() - psutil.Process().create_time()
