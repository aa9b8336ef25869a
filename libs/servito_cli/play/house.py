"""A table of one's own: a local system with bots at every seat but one, for as long as somebody plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from servito_cli.demo.at_table import NAMES
from servito_cli.rules_given import Rules
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import TableConfig
from servito_local.system import LocalSystem

TURN_MS: Final = 60_000
TIME_BANKS: Final = 2
TIME_BANK_HANDS: Final = 10
PAUSE_SECONDS: Final = 4.0
"""Between two hands, at a pace of one second: time to read how the last one ended."""
GREATEST_BUY_IN: Final = 1_000
HOST: Final = "casa"


@dataclass(frozen=True, slots=True)
class House:
    """What kind of table it is. `pace`: seconds that a bot thinks, on the average."""

    name: str
    rules: Rules
    bots: int
    buy_in: int
    pace: float


@dataclass(frozen=True, slots=True)
class Open:
    """A house that is open: the system, and its table."""

    system: LocalSystem
    table_id: str


@asynccontextmanager
async def opened(house: House) -> AsyncIterator[Open]:
    """Runs the house. Raises PartFailed, and `Refusal` INVALID_CONFIG for rules that cannot be played."""
    with TemporaryDirectory(prefix="servito-play-") as data:
        async with LocalSystem(Path(data)) as system, Servito(system.target("table"), HOST) as servito:
            table_id = await servito.create_table(_config(house))
            bots = [asyncio.create_task(bot.play()) for bot in _bots(servito, table_id, house)]
            try:
                yield Open(system, table_id)
            finally:
                for bot in bots:
                    bot.cancel()
                await asyncio.gather(*bots, return_exceptions=True)


def _config(house: House) -> TableConfig:
    return TableConfig(
        name=house.name,
        preset=house.rules.preset,
        options=house.rules.options,
        seats=house.bots + 1,
        min_buy_in=1,
        max_buy_in=max(GREATEST_BUY_IN, house.buy_in),
        turn_ms=TURN_MS,
        time_banks=TIME_BANKS,
        time_bank_ms=TURN_MS,
        time_bank_hands=TIME_BANK_HANDS,
        pause_ms=min(60_000, round(PAUSE_SECONDS * house.pace * 1000)),
    )


def _bots(servito: Servito, table_id: str, house: House) -> list[Bot]:
    rng, styles, report = Random(), list(STYLES.values()), Report()  # noqa: S311 - chooses actions, never cards
    return [
        Bot(
            servito.acting_as(NAMES[number]),
            table_id,
            strategy=styles[number % len(styles)],
            rng=rng,
            buy_in=house.buy_in,
            report=report,
            think=lambda: house.pace * rng.uniform(0.5, 1.5),
        )
        for number in range(house.bots)
    ]
