"""No client sends again what it has no answer for (PITFALLS R1): answers get lost, effects stay single.

redis-py would, ten times, if it were let. Every kind of client is tried in every way of running the servers,
which are reached through a proxy that swallows what answers a marked request: cut off, or left waiting.
redis-py's pipeline on a Cluster does so all the same, so nothing of ours uses it (`send_each` instead).
"""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

import pytest
import redis
from pydantic import SecretStr

from servito_platform.clients import blocking_state_client, state_client
from servito_platform.firm import new_firm_lane
from servito_platform.metrics import new_registry
from servito_platform.place import Mode
from servito_platform.redis import Script, StateUnavailable, send_each, within
from servito_platform.replicas import Replicas
from servito_platform.settings import ServiceSettings
from servito_platform.state import new_lane
from tests.modes.behind import behind_proxy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Ask = Callable[[ServiceSettings], Awaitable[None]]

NAME = "{p007}:count"
ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
SECONDS = 0.3
LOST = (StateUnavailable, redis.ConnectionError, redis.TimeoutError)


async def _by_lane(settings: ServiceSettings) -> None:
    lane = new_lane(settings.state, SECONDS)
    try:
        await lane.run(ADD, [NAME], [1])
    finally:
        await lane.close()


async def _by_firm_lane(settings: ServiceSettings) -> None:
    lane = new_firm_lane(settings.state, SECONDS, Replicas(1, SECONDS), new_registry())
    assert lane is not None
    try:
        await lane.run(ADD, [NAME], [1])
    finally:
        await lane.close()


async def _by_client(settings: ServiceSettings) -> None:
    client = state_client(settings)
    try:
        await ADD.run(client, [NAME], [1], seconds=SECONDS)
    finally:
        await client.aclose()


async def _by_command(settings: ServiceSettings) -> None:
    client = state_client(settings)
    try:
        await within(SECONDS, client.incrby(NAME, 1))
    finally:
        await client.aclose()


def _blocking(
    use: Callable[[redis.Redis | redis.RedisCluster], object],
) -> Ask:
    async def ask(settings: ServiceSettings) -> None:
        def work() -> None:
            with blocking_state_client(settings) as client:
                use(client)

        await asyncio.to_thread(work)

    return ask


def _in_pipeline(client: redis.Redis | redis.RedisCluster) -> None:
    with client.pipeline(transaction=False) as pipe:
        pipe.incrby(NAME, 1)
        pipe.expire(NAME, 100)
        pipe.execute()


def _in_one_go(client: redis.Redis | redis.RedisCluster) -> None:
    [answer] = send_each(client, [(NAME, ("INCRBY", NAME, 1))])
    if isinstance(answer, StateUnavailable):
        raise answer


CLIENTS = {
    "lane": _by_lane,
    "firm lane": _by_firm_lane,
    "script": _by_client,
    "command": _by_command,
    "blocking script": _blocking(lambda client: ADD.run_blocking(client, [NAME], [1])),
    "blocking command": _blocking(lambda client: client.incrby(NAME, 1)),
    "blocking pipeline": _blocking(_in_pipeline),
    "sweep": _blocking(_in_one_go),
}


# redis-py's asynchronous client of a Cluster leaves broken connections to the collector (PITFALLS R11). Only
# tests use it; what it left is collected here, so that it is no other test's.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "mode",
    [
        pytest.param(mode, id=mode.value, marks=[] if mode is Mode.SINGLE else pytest.mark.all_failovers)
        for mode in Mode
    ],
)
async def test_a_lost_answer_is_asked_for_by_the_caller_alone(mode: Mode, tmp_path: Path) -> None:
    """By every kind of client: what was sent once is done once, whether the connection broke or nothing
    came; who asked is told that he does not know. (All in one test: the servers take longer than the rest.)
    """
    async with behind_proxy(mode, tmp_path) as (url, server, proxy):
        settings = ServiceSettings(state_url=SecretStr(url), state_timeout=SECONDS)
        for name, ask in CLIENTS.items():
            if (mode, name) == (Mode.CLUSTER, "blocking pipeline"):
                continue
            for silent in (False, True):
                server.client.set(NAME, 0)
                server.client.script_load(ADD.text)
                await ask(settings)
                assert int(server.client.get(NAME)) == 1, name
                proxy.marked, proxy.silent = NAME.encode(), silent
                with pytest.raises(LOST):
                    await ask(settings)
                proxy.marked = None
                await asyncio.sleep(SECONDS if silent else 0.05)
                assert int(server.client.get(NAME)) == 2, (name, silent)
        gc.collect()
