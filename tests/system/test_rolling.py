"""Replacing every process of a system under play, one after the other: the players do not notice.

Two replicas of each service, connections that grow only two seconds old, bots that play over Play and bots
that watch and call Act. Each process is told to stop, and a new one takes its place.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import Action, HandEnded, Offer, TableConfig, TurnExpired
from servito_client.retries import Effort
from servito_client.seat import Seat
from servito_client.updates import Told, Update
from servito_local.chips import read_chips
from servito_local.layout import SERVICES
from servito_local.system import LocalSystem
from servito_platform.metrics_page import read_page
from tests.local.parts import until
from tests.system.background import Background

pytestmark = [pytest.mark.system, pytest.mark.timeout(240)]

_log = logging.getLogger(__name__)
AGE_SECONDS = 2
TABLES = 4
PLAYERS = TABLES * (len(STYLES) + 1)
"""With those who look on; each may meet a process in the moment in which it ends, on a slow machine."""
CONFIG = TableConfig(name="Cambio", preset="italiana", seats=3, min_buy_in=60, max_buy_in=200, turn_ms=20_000)


class ByCalls(Servito):
    """A player without a stream of his own: he watches, and calls Act."""

    def play(
        self,
        table_id: str,
        after_version: int | None = None,  # noqa: ARG002 - as in Servito
        after_lineage: int = 0,  # noqa: ARG002 - as in Servito
    ) -> Seat:
        """In the form in which bots play."""
        return cast("Seat", _Calls(self, table_id))


class _Calls:
    def __init__(self, servito: Servito, table_id: str) -> None:
        self._servito = servito
        self._table_id = table_id

    async def __aenter__(self) -> _Calls:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def __aiter__(self) -> AsyncIterator[Told]:
        return self._servito.watch(self._table_id)

    async def act(self, offer: Offer, action: Action) -> int:
        return await self._servito.act(self._table_id, offer, action)


@dataclass
class Played:
    """What happened at the tables, as somebody sees it who looks on."""

    tables: list[str]
    report: Report = field(default_factory=Report)
    effort: Effort = field(default_factory=Effort)
    hands: dict[str, int] = field(default_factory=dict)
    expired: int = 0

    async def look_on(self, servito: Servito, table_id: str) -> None:
        """Count the hands of a table, and the turns that ran out."""
        self.hands[table_id] = 0
        async for told in servito.watch(table_id):
            if isinstance(told, Update):
                self.hands[table_id] += sum(isinstance(event, HandEnded) for event in told.events)
                self.expired += sum(isinstance(event, TurnExpired) for event in told.events)


@pytest.fixture(scope="module")
def twofold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LocalSystem, Path]]:
    """A system with two replicas of everything, and where its logs are."""
    data = tmp_path_factory.mktemp("twofold")
    aging = {"SERVITO_CONNECTION_AGE_SECONDS": str(AGE_SECONDS)}
    system = LocalSystem(data, replicas=dict.fromkeys(SERVICES, 2), environment=aging)
    with Background(system) as background:
        yield background.system, data


@asynccontextmanager
async def playing(system: LocalSystem, tables: int) -> AsyncIterator[Played]:
    """Bots at so many tables, every other one without streams; they leave with their chips in the end."""
    target = system.target("table")
    async with AsyncExitStack() as stack:
        casa = await stack.enter_async_context(Servito(target, player="casa"))
        played = Played([await casa.create_table(CONFIG) for _ in range(tables)])
        bots = []
        for number, table_id in enumerate(played.tables):
            kind = ByCalls if number % 2 else Servito
            for style, strategy in STYLES.items():
                name = f"{style}-{number}"
                player = await stack.enter_async_context(kind(target, name, effort=played.effort))
                rng = Random(name)
                bots.append(
                    Bot(
                        player,
                        table_id,
                        strategy=strategy,
                        rng=rng,
                        buy_in=60,
                        report=played.report,
                        think=lambda: 0.03,
                    )
                )
        onlooker = await stack.enter_async_context(Servito(target, effort=played.effort))
        async with asyncio.TaskGroup() as group:
            watching = [group.create_task(played.look_on(onlooker, table)) for table in played.tables]
            for bot in bots:
                group.create_task(bot.play())
            yield played
            for bot in bots:
                await bot.leave()
            for task in watching:
                task.cancel()


async def replace(system: LocalSystem, part: str) -> None:
    """SIGTERM to the process of a part; wait until another one serves in its place, and clients know it: they
    try again once a second.
    """
    pid = system.pids()[part]
    os.kill(pid, signal.SIGTERM)
    await until(lambda: system.pids().get(part, pid) != pid, 60)
    await asyncio.sleep(1.2)


async def more_hands(played: Played, hands: int) -> None:
    """Until every table has played so many more."""
    goal = {table_id: done + hands for table_id, done in played.hands.items()}
    await until(lambda: all(played.hands[table_id] >= goal[table_id] for table_id in goal), 60)


def events_of(log: Path) -> list[Any]:
    """What a part said in its log, line by line."""
    return [json.loads(line)["event"] for line in log.read_text().splitlines() if line.startswith("{")]


ROUNDS = [
    ["table-1"],
    ["table-2"],
    ["dealer-1", "evaluator-1", "timers-1"],
    ["dealer-2", "evaluator-2", "timers-2"],
]


async def test_every_process_is_replaced_under_play(twofold: tuple[LocalSystem, Path]) -> None:
    """No error, no turn that ran out, no table that stands still, no chip missing; all end by themselves."""
    system, data = twofold
    async with playing(system, TABLES) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        for parts in ROUNDS:
            await asyncio.gather(*(replace(system, part) for part in parts))
            await more_hands(played, 2)
    assert played.expired == played.report.late == 0
    assert played.effort.retries <= 4 * PLAYERS
    assert played.effort.led_on > 0
    for service in SERVICES:
        for number in (1, 2):
            said = events_of(data / f"{service}-{number}.log")
            assert "drain_cut_short" not in said
            assert service == "timers" or "stopped" in said
    chips = await asyncio.to_thread(read_chips, system.state_url)
    assert chips.wrong == ()
    _log.info(
        "hands %d, acts %d, %s, act p99 %.0f ms, longest %.0f ms",
        sum(played.hands.values()),
        played.report.actions,
        played.effort,
        played.report.latency_ms(99),
        played.report.latency_ms(100),
    )


async def test_a_replica_that_comes_later_gets_its_share(twofold: tuple[LocalSystem, Path]) -> None:
    """While one of two was gone the other had every stream; soon after it is back, both have some, and nobody
    was told of any failure.
    """
    system, _ = twofold
    async with playing(system, TABLES) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        retries = played.effort.retries
        await replace(system, "table-1")
        await until(lambda: watchers(system, "table-1") > 0 < watchers(system, "table-2"), 10 * AGE_SECONDS)
        await more_hands(played, 2)
        assert played.effort.retries - retries <= 2 * PLAYERS
    assert played.expired == 0


def watchers(system: LocalSystem, part: str) -> float:
    """Streams that a table process serves now."""
    return read_page(system.addresses()[part]["metrics"]).total("servito_table_watchers")
