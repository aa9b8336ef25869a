"""Compose comes up, plays, survives the kill of each container, a restart under load, and goes down clean.

One stack for all tests of this file, in this order; the last one ends it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import docker
import pytest
import yaml

from servito_client.bots.strategies import STYLES
from servito_local.chips import read_chips
from tests.containers.engine import obtain
from tests.containers.stack import Stack
from tests.deploy.compose import PROFILES, image_of, services
from tests.deploy.manifests import ROOT
from tests.local.parts import until
from tests.system.playing import Played, more_hands, playing

pytestmark = pytest.mark.timeout(600)

TABLES = 2
PLAYERS = TABLES * (len(STYLES) + 1)
ROUNDS = (["table-1", "timers-1"], ["table-2", "timers-2"], ["dealer"], ["evaluator"])
"""What is restarted together: one of two, and then what there is one of, for which its callers wait."""
_log = logging.getLogger(__name__)


@pytest.fixture(scope="module")
def stack(images: docker.DockerClient) -> Iterator[Stack]:
    """Everything, up and healthy."""
    stack = Stack(images)
    try:
        stack.up()
        yield stack
    finally:
        stack.compose("down", "--volumes", everything=True)


@asynccontextmanager
async def bots(stack: Stack) -> AsyncIterator[Played]:
    """Play at every table; afterwards every chip is counted."""
    async with playing(stack.table, TABLES) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        yield played
    chips = await asyncio.to_thread(read_chips, stack.state_url)
    assert chips.wrong == ()
    left = {each.table_id: each.in_play for each in chips.tables}
    assert {table: left[table] for table in played.tables} == dict.fromkeys(played.tables, 0)
    _log.info(
        "%d hands, %d acts, %s, act p99 %.0f ms, longest %.0f ms, %d turns ran out",
        sum(played.hands.values()),
        played.report.actions,
        played.effort,
        played.report.latency_ms(99),
        played.report.latency_ms(100),
        played.expired,
    )


async def test_it_plays(stack: Stack) -> None:
    """Without a retry, and no turn runs out."""
    async with bots(stack) as played:
        await more_hands(played, 3)
    assert played.expired == played.late == played.effort.retries == 0


@pytest.mark.long
async def test_it_is_watched(stack: Stack, images: docker.DockerClient) -> None:
    """The profile comes up: Prometheus reads every replica and both servers, and judges by every rule."""
    for name in ("prometheus", "redis-exporter"):
        obtain(images, image_of(name))
    await asyncio.to_thread(stack.up, "prometheus", "redis-exporter")
    await until(lambda: _read_by(stack) == READ, 90)
    rules = [rule for group in stack.prometheus("rules")["groups"] for rule in group["rules"]]
    written = [
        yaml.safe_load(file.read_text()) for file in (ROOT / "deploy/observability/rules").glob("*.yml")
    ]
    names = {
        rule.get("alert") or rule["record"] for each in written for g in each["groups"] for rule in g["rules"]
    }
    assert {rule["name"] for rule in rules} == names
    assert [rule for rule in rules if rule["health"] == "err"] == []
    (hands,) = stack.prometheus("query?query=sum(servito_table_hands_total)")["result"]
    assert float(hands["value"][1]) > 0


READ = {
    "servito-dealer": 1,
    "servito-evaluator": 1,
    "servito-table": 2,
    "servito-timers": 2,
    "servito-servers": 2,
}
"""Replicas."""


def _read_by(stack: Stack) -> Counter[str]:
    targets = stack.prometheus("targets?state=active")["activeTargets"]
    return Counter(each["labels"]["job"] for each in targets if each["health"] == "up")


@pytest.mark.long
async def test_dashboards_are_shown(stack: Stack, images: docker.DockerClient) -> None:
    """To whoever reaches Grafana: every file, and its source is there."""
    for name in ("prometheus", "grafana"):
        obtain(images, image_of(name))
    await asyncio.to_thread(stack.up, "prometheus", "grafana")
    files = (ROOT / "deploy/observability/dashboards").glob("*.json")
    titles = {json.loads(file.read_text())["title"] for file in files}
    await until(lambda: {each["title"] for each in stack.grafana("search?type=dash-db")} == titles, 60)


@pytest.mark.long
async def test_it_survives_the_kill_of_each_container(stack: Stack) -> None:
    """Each is started again by itself, every table plays on, and the chips agree."""
    async with bots(stack) as played:
        for name in services():
            before = await asyncio.to_thread(stack.kill, name)
            await stack.is_back(name, before)
            await more_hands(played, 1)
            _log.info("%s was killed and is back", name)


@pytest.mark.long
async def test_a_rolling_restart_is_no_more_than_retries(stack: Stack) -> None:
    """Every service ends by itself with 0 under play; no bot fails, no turn runs out, retries are few."""
    async with bots(stack) as played:
        for names in ROUNDS:
            await asyncio.to_thread(stack.compose, "stop", *names)
            ended = {name: stack.containers()[name].attrs["State"]["ExitCode"] for name in names}
            assert ended == dict.fromkeys(names, 0)
            await asyncio.to_thread(stack.compose, "start", *names)
            for name in names:
                await stack.is_back(name, 0)
            await more_hands(played, 2)
    assert played.expired == played.late == 0
    assert played.effort.retries <= 4 * PLAYERS
    assert played.effort.led_on > 0


def test_it_goes_down_clean(stack: Stack) -> None:
    """Every container ends by itself in its time, none for want of memory, and nothing is left over."""
    stack.compose("rm", "--stop", "--force", *services(*PROFILES), everything=True)
    stack.compose("stop")
    states = {name: each.attrs["State"] for name, each in stack.containers().items()}
    assert {name: (state["ExitCode"], state["OOMKilled"]) for name, state in states.items()} == dict.fromkeys(
        services(), (0, False)
    )
    for name, each in stack.containers().items():
        assert "drain_cut_short" not in each.logs().decode(), name
    stack.compose("down", "--volumes", everything=True)
    assert stack.left_over() == []
