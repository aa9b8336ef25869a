"""Tables for tests of the whole system, by the public API alone."""

from __future__ import annotations

import asyncio

from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig, TurnExpired
from servito_client.updates import Update

QUICK = TableConfig(
    name="Prova",
    preset="italiana",
    seats=4,
    min_buy_in=40,
    max_buy_in=200,
    turn_ms=1_000,
    pause_ms=0,
    away_after=100,
)
"""Who never acts is dealt in all the same, for as long as these tests watch."""


async def silent_table(servito: Servito, players: int = 2, config: TableConfig = QUICK) -> str:
    """A table where nobody acts: every turn and every hand ends by its deadline. Its id."""
    table_id = await servito.acting_as("host").create_table(config)
    for number in range(players):
        await servito.acting_as(f"silent{number}").sit(table_id, buy_in=config.max_buy_in)
    return table_id


async def next_expiries(
    servito: Servito, table_id: str, *, turns: int = 1, hands: int = 0, spectator: Servito | None = None
) -> None:
    """Watch a table until so many turns were ended by the clock and so many hands are over, from now on; as
    `spectator`, by default one of development.
    """
    async with asyncio.timeout(60):
        async for told in (spectator or servito.acting_as("spectator")).watch(table_id):
            if not isinstance(told, Update):
                continue
            turns -= sum(isinstance(event, TurnExpired) for event in told.events)
            hands -= sum(isinstance(event, HandEnded) for event in told.events)
            if turns <= 0 and hands <= 0:
                return
