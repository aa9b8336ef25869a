"""One table of a demo: its bots, its spectator, and whether it still moves.

Here: who sits there and how they come and go. Not here: when it is enough (playing.py).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from typing import Final

from servito_cli.demo.chronicle import Chronicle
from servito_cli.rules_given import Rules
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import TableConfig

NAMES: Final = (
    *("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Gina", "Hugo", "Irene"),
    *("Luca", "Maria", "Nino", "Olga", "Paolo", "Quinto", "Rosa", "Sandro", "Tina"),
    *("Ugo", "Vera", "Walter", "Zita", "Aldo", "Bice", "Ciro", "Dina", "Enzo"),
    *("Fosca", "Guido", "Ida", "Lea", "Mario", "Nora", "Otto", "Pia", "Remo"),
)
TURN_MS: Final = 10_000
LEAST_BUY_IN: Final = 40
GREATEST_BUY_IN: Final = 200


@dataclass(frozen=True, slots=True)
class Seating:
    """What the bots of a table are made of."""

    rules: Rules
    players: int
    first_name: int
    """Where its names begin in the list; names come again with a number behind."""
    rng: Random
    report: Report


class AtTable:
    """A table with its bots. `chronicle` is what the spectator saw."""

    def __init__(self, servito: Servito, table_id: str, config: TableConfig, seating: Seating) -> None:
        self._servito, self._table_id, self.name = servito, table_id, config.name
        self.chronicle = Chronicle(config)
        self.bots = {
            player: self._bot(player, style, seating)
            for player, style in zip(_names(seating), _styles(seating.players), strict=True)
        }
        self._last_told = asyncio.get_running_loop().time()

    @staticmethod
    async def open(servito: Servito, name: str, seating: Seating) -> AtTable:
        """Creates the table; nobody sits there yet. `Refusal` names every defect of the rules."""
        config = TableConfig(
            name=name,
            preset=seating.rules.preset,
            options=seating.rules.options,
            seats=seating.players,
            min_buy_in=LEAST_BUY_IN,
            max_buy_in=GREATEST_BUY_IN,
            turn_ms=TURN_MS,
            pause_ms=0,
        )
        return AtTable(servito, await servito.create_table(config), config, seating)

    async def watch(self) -> None:
        """Follows the table as a spectator until it is cancelled."""
        async for told in self._servito.watch(self._table_id):
            self._last_told = asyncio.get_running_loop().time()
            self.chronicle.told(told)

    def silent_for(self) -> float:
        """Seconds since anything happened here."""
        return asyncio.get_running_loop().time() - self._last_told

    def _bot(self, player: str, style: str, seating: Seating) -> Bot:
        rng = Random(seating.rng.getrandbits(64))  # noqa: S311 - chooses actions, never cards
        return Bot(
            self._servito.acting_as(player),
            self._table_id,
            strategy=STYLES[style],
            rng=rng,
            buy_in=rng.randint(LEAST_BUY_IN, GREATEST_BUY_IN),
            report=seating.report,
            listener=self.chronicle.own_cards,
        )


def _names(seating: Seating) -> list[str]:
    numbers = range(seating.first_name, seating.first_name + seating.players)
    return [NAMES[n % len(NAMES)] + (str(n // len(NAMES) + 1) if n >= len(NAMES) else "") for n in numbers]


def _styles(players: int) -> list[str]:
    styles = list(STYLES)
    return [styles[n % len(styles)] for n in range(players)]
