"""Replicas share the work, and every process is replaced under play, one after the other: the players do not
notice.

Two replicas of each service, connections that grow only two seconds old, bots that play over Play and bots
that watch and call Act. Each process is told to stop, and a new one takes its place.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_local.layout import SERVICES
from servito_local.system import LocalSystem
from servito_platform.metrics_page import read_page
from tests.local.parts import until
from tests.system.background import Background
from tests.system.playing import more_hands, playing
from tests.system.tables import next_expiries, silent_table

pytestmark = [pytest.mark.system, pytest.mark.timeout(240)]

_log = logging.getLogger(__name__)
AGE_SECONDS = 2
TABLES = 4
PLAYERS = TABLES * (len(STYLES) + 1)
"""With those who look on; each may meet a process in the moment in which it ends, on a slow machine."""


@pytest.fixture(scope="module")
def twofold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LocalSystem, Path]]:
    """A system with two replicas of everything, and where its logs are."""
    data = tmp_path_factory.mktemp("twofold")
    aging = {"SERVITO_CONNECTION_AGE_SECONDS": str(AGE_SECONDS)}
    system = LocalSystem(data, replicas=dict.fromkeys(SERVICES, 2), environment=aging)
    with Background(system) as background:
        yield background.system, data


async def replace(system: LocalSystem, part: str) -> None:
    """SIGTERM to the process of a part; wait until another one serves in its place, and clients know it: they
    try again once a second.
    """
    pid = system.pids()[part]
    os.kill(pid, signal.SIGTERM)
    await until(lambda: system.pids().get(part, pid) != pid, 60)
    await asyncio.sleep(1.2)


def events_of(log: Path) -> list[Any]:
    """What a part said in its log, line by line."""
    return [json.loads(line)["event"] for line in log.read_text().splitlines() if line.startswith("{")]


ROUNDS = [
    ["table-1"],
    ["table-2"],
    ["dealer-1", "evaluator-1", "timers-1"],
    ["dealer-2", "evaluator-2", "timers-2"],
]


async def test_several_replicas_serve_one_table(twofold: tuple[LocalSystem, Path]) -> None:
    """With two table processes and two timers every turn still ends, whoever is asked."""
    system, _ = twofold
    assert {"table-1", "table-2", "timers-1", "timers-2"} <= set(system.pids())
    async with Servito(system.target("table")) as servito:
        tables = [await silent_table(servito) for _ in range(4)]
        await asyncio.gather(*(next_expiries(servito, table_id, turns=2, hands=1) for table_id in tables))
        for table_id in tables:
            await servito.acting_as("host").close_table(table_id)


async def test_every_process_is_replaced_under_play(twofold: tuple[LocalSystem, Path]) -> None:
    """No error, no turn that ran out, no table that stands still, no chip missing; all end by themselves."""
    system, data = twofold
    async with playing(system.target("table"), TABLES) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        for parts in ROUNDS:
            await asyncio.gather(*(replace(system, part) for part in parts))
            await more_hands(played, 2)
    assert played.expired == played.late == 0
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
    async with playing(system.target("table"), TABLES) as played:
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
