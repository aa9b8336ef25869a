"""Deadlines across the real services: timers claim them, the table carries them out, each once."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
import redis

from servito_client.client import Servito
from servito_client.messages import HandEnded, TurnExpired
from servito_client.updates import Update
from servito_local.system import LocalSystem
from servito_platform.deadlines import member
from servito_platform.keys import Keys
from tests.local.parts import until
from tests.system.processes import kill
from tests.system.tables import next_expiries, silent_table

pytestmark = pytest.mark.system


async def turns_and_hands(servito: Servito, table_id: str, hands: int) -> tuple[Counter[int], int]:
    """The turns that the clock ended at a table until `hands` hands are over, and how many there were."""
    expired: Counter[int] = Counter()
    turn = over = 0
    async with asyncio.timeout(90):
        async for told in servito.acting_as("spectator").watch(table_id):
            if isinstance(told, Update):
                expired[turn] += sum(isinstance(event, TurnExpired) for event in told.events)
                over += sum(isinstance(event, HandEnded) for event in told.events)
                turn = told.turn_id
                if over >= hands:
                    break
    return expired, over


async def test_silent_tables_play_on_while_timers_are_killed(tmp_path: Path) -> None:
    """With nobody acting, every turn of many tables is ended by the clock once, also through kills of the
    timers.
    """
    async with (
        LocalSystem(tmp_path, replicas={"timers": 2}) as system,
        Servito(system.target("table")) as servito,
    ):
        tables = [await silent_table(servito, players=3) for _ in range(12)]
        watching = asyncio.gather(*(turns_and_hands(servito, table_id, 2) for table_id in tables))
        for name in ("timers-1", "timers-2", "timers-1"):
            await asyncio.sleep(1.5)
            await kill(system, name)
        for expired, over in await watching:
            assert over >= 2
            assert max(expired.values()) == 1


async def test_stale_member_is_removed(system: LocalSystem) -> None:
    """A member whose turn is over, or whose table never was, leaves the sorted set without an effect."""
    keys = Keys(64)
    async with Servito(system.target("table")) as servito:
        table_id = await silent_table(servito)
        await next_expiries(servito, table_id)
        with redis.Redis.from_url(system.state_url) as client:
            stale = {keys.partition(name): member(name, 1) for name in (table_id, "nobody")}
            for partition, name in stale.items():
                client.zadd(keys.deadlines(partition), {name: 1})
            await until(
                lambda: all(
                    client.zscore(keys.deadlines(each), name) is None for each, name in stale.items()
                ),
                20,
            )
        await next_expiries(servito, table_id)
