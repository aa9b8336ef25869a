"""A table whose players have all gone away, under the real timers."""

from __future__ import annotations

import asyncio
from statistics import median
from time import monotonic

import pytest

from servito_client.client import Servito
from servito_client.messages import HandEnded, HandStarted, Outcome, TableConfig, TurnExpired
from servito_client.updates import Update
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from tests.system.tables import silent_table

pytestmark = pytest.mark.system

TURN_SECONDS, GRACE_SECONDS = 1.0, 1.0
CONFIG = TableConfig(
    name="Deserta", preset="italiana", seats=4, min_buy_in=40, max_buy_in=40, turn_ms=1_000, pause_ms=0
)


@pytest.mark.slow
async def test_a_table_where_nobody_answers(system: LocalSystem) -> None:
    """TR-11: four players never act: every deal is passed out within four turns, and once each has missed as
    many turns as makes him away, the table stops dealing. What was carried over stays in its books.
    """
    lasted: list[float] = []
    async with Servito(system.target("table")) as servito:
        table_id = await silent_table(servito, players=4, config=CONFIG)
        table, begin, expired = await servito.table(table_id), monotonic(), 0
        async with asyncio.timeout(40):
            async for told in servito.acting_as("spectator").watch(table_id):
                for event in told.events if isinstance(told, Update) else ():
                    if isinstance(event, HandStarted):
                        begin, expired = monotonic(), 0
                    expired += isinstance(event, TurnExpired)
                    if isinstance(event, HandEnded):
                        assert event.outcome in (Outcome.OUTCOME_PASSED_OUT, Outcome.OUTCOME_CARRIED_OVER)
                        assert expired <= 4
                        lasted.append(monotonic() - begin)
                table = await servito.table(table_id)
                if len(table.seats) == 4 and all(seat.sitting_out for seat in table.seats):
                    break
        assert median(lasted) < 4 * TURN_SECONDS + GRACE_SECONDS  # the machine may stand still in one
        await asyncio.sleep(2 * TURN_SECONDS)
        still = await servito.table(table_id)
        assert (still.version, still.hand.number) == (table.version, table.hand.number)
        assert still.hand.number == len(lasted) <= 4
        assert still.carried == 160 - sum(seat.stack for seat in still.seats) > 0
    assert table_id not in {wrong.table_id for wrong in read_chips(system.state_url).wrong}
