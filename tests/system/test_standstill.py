"""The only process of a kind is killed while people play: they go on as soon as it is back, and it is back as
soon as a program can be.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import uniform
from servito_client.client import Servito
from servito_client.messages import TableConfig
from servito_client.updates import Update
from servito_local.system import LocalSystem
from tests.local.parts import until
from tests.system.background import Background
from tests.system.processes import kill

pytestmark = pytest.mark.system

TABLES, PLAYERS = 3, 4
CONFIG = TableConfig(
    name="Prova", preset="italiana", seats=4, min_buy_in=40, max_buy_in=200, turn_ms=20_000, pause_ms=0
)
NOTICED = 2.0
"""Seconds in which whoever waits finds the new process; on a quiet machine 0.1 to 0.7 are measured."""


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSystem]:
    """A system whose parts may be killed."""
    with Background(LocalSystem(tmp_path_factory.mktemp("mortal"))) as background:
        yield background.system


class Table:
    """The longest time without a commit, as somebody sees it who looks on."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.last = time.monotonic()
        self.commits = 0

    async def watch(self, servito: Servito, table_id: str) -> None:
        """Until cancelled."""
        async for told in servito.acting_as("spectator").watch(table_id):
            if isinstance(told, Update):
                now = time.monotonic()
                self.longest, self.last = max(self.longest, now - self.last), now
                self.commits += 1

    def begin(self) -> None:
        """Look at what comes from now on."""
        self.longest, self.last, self.commits = 0.0, time.monotonic(), 0


async def test_people_go_on_when_the_only_process_is_back(mortal: LocalSystem) -> None:
    """Of each service in turn: no table stands still for longer than its process was away, and the time in
    which that is noticed.
    """
    async with Servito(mortal.target("table")) as servito:
        tables, tasks = [Table() for _ in range(TABLES)], []
        for number, table in enumerate(tables):
            table_id = await servito.acting_as("host").create_table(CONFIG)
            tasks.append(asyncio.create_task(table.watch(servito, table_id)))
            for seat in range(PLAYERS):
                player = servito.acting_as(f"p{number}.{seat}")
                rng = Random(10 * number + seat)
                bot = Bot(
                    player,
                    table_id,
                    strategy=uniform,
                    rng=rng,
                    buy_in=200,
                    report=Report(),
                    think=_think,
                )
                tasks.append(asyncio.create_task(bot.play()))
        try:
            for kind in ("evaluator", "dealer", "table", "timers"):
                await _played(tables)
                for table in tables:
                    table.begin()
                began, restarts = time.monotonic(), mortal.restarts[kind]
                await kill(mortal, kind)
                await until(lambda: mortal.restarts[kind] > restarts and kind in mortal.pids(), 40)  # noqa: B023
                away = time.monotonic() - began
                await _played(tables)
                longest = max(table.longest for table in tables)
                assert longest < away + NOTICED, f"{kind} was away for {away:.1f} s"
        finally:
            for task in tasks:
                task.cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task


def _think() -> float:
    return 0.03


async def _played(tables: list[Table]) -> None:
    """Something is played at every table from now on."""
    before = [table.commits for table in tables]
    await until(lambda: all(table.commits > had + 3 for table, had in zip(tables, before, strict=True)), 40)
