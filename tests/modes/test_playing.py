"""Tables are played while a primary of the state is killed: the hands go on, and every chip is there."""

from __future__ import annotations

import asyncio
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig
from servito_client.updates import Update
from servito_local.chips import read_chips
from servito_platform.keys import Keys
from tests.modes.servers import Cluster
from tests.modes.until import until

if TYPE_CHECKING:
    from tests.modes.conftest import Servers, System

KEYS = Keys(64)
CONFIG = TableConfig(
    name="Prova", preset="italiana", seats=3, min_buy_in=60, max_buy_in=60, turn_ms=10_000, pause_ms=0
)
STANDSTILL = 6.0
"""Seconds: the goal for a failover."""


async def test_a_primary_is_killed_while_tables_are_played(
    system: System, url: str, servers: Servers
) -> None:
    """Bots play on through the loss of a primary: at every table further hands end within the goal, what
    happened twice or not at all would show in the chips, and in the end all of them are cashed out.
    """
    ended: dict[str, int] = {}
    report = Report()
    async with (
        Servito(system.table.grpc, player="casa") as servito,
        asyncio.timeout(90),
        asyncio.TaskGroup() as playing,
    ):
        tables = await _tables_everywhere(servito, servers)
        bots = [
            Bot(
                servito.acting_as(f"{style}-{place}"),
                table_id,
                strategy=strategy,
                rng=Random(place),
                buy_in=60,
                report=report,
            )
            for place, table_id in enumerate(tables)
            for style, strategy in STYLES.items()
        ]
        following = [playing.create_task(_count_hands(servito, table_id, ended)) for table_id in tables]
        seats = [playing.create_task(bot.play()) for bot in bots]
        await _all_beyond(ended, tables, 3)
        await asyncio.to_thread(until, servers.ready_to_fail_over)
        victim = servers.holder(KEYS.table(tables[0])) if isinstance(servers, Cluster) else servers.primary
        await asyncio.to_thread(victim.kill)
        began = monotonic()
        await asyncio.sleep(0.5)
        await _all_beyond(ended, tables, 1)
        assert monotonic() - began < STANDSTILL
        assert (await asyncio.to_thread(read_chips, url)).wrong == ()
        for bot in bots:
            playing.create_task(bot.leave())
        await asyncio.gather(*seats)
        carried = {table_id: (await servito.table(table_id)).carried for table_id in tables}
        for follower in following:
            follower.cancel()
    chips = await asyncio.to_thread(read_chips, url)
    assert chips.wrong == ()
    assert {table.table_id: table.bought_in for table in chips.tables} == carried
    victim.start()
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)


async def _tables_everywhere(servito: Servito, servers: Servers) -> list[str]:
    """Two tables with each primary."""
    found: dict[int, list[str]] = {}
    primaries = 3 if isinstance(servers, Cluster) else 1
    while len(found) < primaries or any(len(tables) < 2 for tables in found.values()):
        table_id = await servito.create_table(CONFIG)
        port = servers.holder(KEYS.table(table_id)).port if isinstance(servers, Cluster) else 0
        found.setdefault(port, []).append(table_id)
    return [table_id for tables in found.values() for table_id in tables]


async def _count_hands(servito: Servito, table_id: str, ended: dict[str, int]) -> None:
    async for told in servito.watch(table_id):
        if isinstance(told, Update):
            over = sum(isinstance(event, HandEnded) for event in told.events)
            ended[table_id] = ended.get(table_id, 0) + over


async def _all_beyond(ended: dict[str, int], tables: list[str], hands: int) -> None:
    goal = {table_id: ended.get(table_id, 0) + hands for table_id in tables}
    for _ in range(2000):
        if all(ended.get(table_id, 0) >= goal[table_id] for table_id in tables):
            return
        await asyncio.sleep(0.02)
    raise TimeoutError(f"hands ended: {ended}, wanted: {goal}")
