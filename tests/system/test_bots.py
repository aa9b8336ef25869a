"""Bots against the running system: they play every preset, buy in again, and leave with their chips."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig
from servito_client.updates import Update
from servito_core.rules import PRESETS
from servito_local.chips import read_chips
from servito_local.system import LocalSystem

pytestmark = pytest.mark.system


async def play(servito: Servito, config: TableConfig, hands: int) -> tuple[str, Report]:
    """Bots of every style play so many hands and leave; the table's id and what they did."""
    table_id, report = await servito.create_table(config), Report()
    bots = [
        Bot(
            servito.acting_as(f"{style}-{table_id}"[:60]),
            table_id,
            strategy=strategy,
            rng=Random(number),
            buy_in=config.min_buy_in,
            report=report,
        )
        for number, (style, strategy) in enumerate(STYLES.items())
    ]
    async with asyncio.timeout(60), asyncio.TaskGroup() as playing:
        for bot in bots:
            playing.create_task(bot.play())
        async for told in servito.watch(table_id):
            if isinstance(told, Update):
                hands -= sum(isinstance(event, HandEnded) for event in told.events)
            if hands <= 0:
                break
        for bot in bots:
            playing.create_task(bot.leave())
    return table_id, report


@pytest.mark.parametrize("preset", sorted(PRESETS))
async def test_bots_play_every_preset(system: LocalSystem, preset: str) -> None:
    """They know the game from their offers alone: nothing that they do is refused, whatever the rules."""
    config = TableConfig(name=preset, preset=preset, seats=3, min_buy_in=60, max_buy_in=60, turn_ms=10_000)
    async with Servito(system.target("table"), player="casa") as servito:
        _, report = await play(servito, config, hands=15)
    assert report.late == 0
    assert report.actions > 15
    assert 0 < report.latency_ms(50) <= report.latency_ms(99)


async def test_bots_buy_in_again_and_leave_with_all_that_is_theirs(system: LocalSystem) -> None:
    """Short stacks go broke and come back; in the end nobody sits there and only a carried pot remains."""
    config = TableConfig(name="corta", preset="italiana", seats=3, min_buy_in=5, max_buy_in=5, turn_ms=10_000)
    async with Servito(system.target("table"), player="casa") as servito:
        table_id, report = await play(servito, config, hands=25)
        left = await servito.table(table_id)
    assert report.rebuys > 0
    assert not left.seats
    chips = await asyncio.to_thread(read_chips, system.state_url)
    [table] = [table for table in chips.tables if table.table_id == table_id]
    assert table.in_play == table.bought_in == left.carried
