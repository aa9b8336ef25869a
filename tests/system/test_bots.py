"""Bots against the running system: they play every preset, buy in again, and leave with their chips."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from servito_client.actions import draw
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES, Strategy, cautious
from servito_client.client import Servito
from servito_client.messages import Action, ActionKind, HandEnded, Offer, TableConfig
from servito_client.updates import Update
from servito_core.rules import PRESETS
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from servito_platform.metrics_page import read_page

pytestmark = pytest.mark.system


async def play(
    servito: Servito, config: TableConfig, hands: int, styles: Mapping[str, Strategy] = STYLES
) -> tuple[str, Report]:
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
        for number, (style, strategy) in enumerate(styles.items())
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


async def test_an_opener_who_may_not_break_his_opening_stands_pat(system: LocalSystem) -> None:
    """Where splitting is forbidden a bot that tries is refused, keeps its cards, and the hands go on."""
    rules = {"draw.opener_split": "forbidden", "draw.max": "5"}
    config = TableConfig(
        name="intera",
        preset="italiana",
        options=rules,
        seats=3,
        min_buy_in=60,
        max_buy_in=60,
        turn_ms=10_000,
    )
    before = await refusals(system)
    async with Servito(system.target("table"), player="casa") as servito:
        _, report = await play(servito, config, 15, dict.fromkeys(("anna", "bruno", "carla"), wrecker))
    assert report.late == 0
    assert await refusals(system) > before


def wrecker(cards: Sequence[int], offer: Offer, rng: Random) -> Action:
    """Opens and bets whenever it can, gives up nothing, and throws all its cards away."""
    kinds = {legal.kind: legal for legal in offer.actions}
    if ActionKind.ACTION_KIND_DRAW in kinds:
        return draw(cards)
    wager = kinds.get(ActionKind.ACTION_KIND_OPEN) or kinds.get(ActionKind.ACTION_KIND_BET)
    if wager is not None:
        return Action(kind=wager.kind, to=wager.least)
    return cautious([], offer, rng)


async def refusals(system: LocalSystem) -> float:
    """How often the table refused because openers are required."""
    page = await asyncio.to_thread(read_page, system.addresses()["table"]["metrics"])
    return page.total("servito_table_refusals_total", reason="openers_required")


async def test_short_stacks_that_are_not_dealt_in_buy_in_again(system: LocalSystem) -> None:
    """With `ante.short=sit_out` a stack below the ante has to be bought anew for the table to go on."""
    config = TableConfig(
        name="inviti",
        preset="italiana",
        options={"ante": "5", "ante.short": "sit_out"},
        seats=3,
        min_buy_in=12,
        max_buy_in=12,
        turn_ms=10_000,
    )
    async with Servito(system.target("table"), player="casa") as servito:
        _, report = await play(servito, config, hands=25)
    assert report.rebuys > 0


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
