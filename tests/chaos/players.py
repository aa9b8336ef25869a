"""Who plays in the chaos: bots of the SDK, and rude ones.

Polite players act over their Play stream; impatient ones by unary calls; slow ones a millisecond before their
deadline; silent ones never, so that the clock ends their turns. Whatever fails comes to `Reports.errors` by
reason, and the player comes back as a person would. Not here: copies of requests (witness.py).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Seated
from servito_client.errors import Refusal, TableError
from servito_client.messages import TableConfig

if TYPE_CHECKING:
    from servito_client.client import Servito
    from servito_client.messages import Action, Offer
    from servito_client.seat import Seat

THOUGHT: Final = (0.05, 0.5)
"""Seconds that a player thinks."""
TURN_MS: Final = 2_000
BUY_IN: Final = 60
MANNERS: Final = ("polite", "impatient", "slow", "silent")
_COMES_BACK: Final = 0.5


@dataclass
class Reports:
    """What all players counted together."""

    play: Report = field(default_factory=Report)
    errors: Counter[str] = field(default_factory=Counter)
    """What came out of SDK and bots, by reason: the player had to begin anew."""
    worst: list[str] = field(default_factory=list)


class Player(Bot):
    """A bot that comes back after an error, with the manner given."""

    def __init__(
        self, servito: Servito, table_id: str, manner: str, *, rng: Random, reports: Reports
    ) -> None:
        style = rng.choice(list(STYLES))
        super().__init__(
            servito,
            table_id,
            strategy=STYLES[style],
            rng=rng,
            buy_in=BUY_IN,
            report=reports.play,
            think=lambda: rng.uniform(*THOUGHT),
        )
        self._manner = manner
        self._reports = reports

    async def stay(self) -> None:
        """Plays until `leave` was called, whatever happens."""
        while True:
            try:
                return await self.play()
            except TableError as error:
                self.note(error)
                if self._leaving:
                    with suppress(TableError):
                        return await self._see_the_end()
            await asyncio.sleep(_COMES_BACK)

    def note(self, error: TableError) -> None:
        """Something failed for good."""
        reason = error.reason if isinstance(error, Refusal) else "no answer"
        self._reports.errors[reason] += 1
        if len(self._reports.worst) < 20:
            self._reports.worst.append(f"{self._servito.player} at {self._table_id}: {error}")

    async def _sit(self) -> Seated:
        try:
            return await super()._sit()
        except Refusal as refusal:
            if refusal.reason != "ALREADY_SEATED":
                raise
            table = await self._servito.table(self._table_id)
            return Seated(table.own_seat, 0)

    async def _see_the_end(self) -> None:
        """Waits until the seat is given back."""
        there = True
        while there:
            await asyncio.sleep(_COMES_BACK)
            there = (await self._servito.table(self._table_id)).HasField("own_seat")

    async def _act(self, stream: Seat, offer: Offer) -> None:
        if self._manner == "silent" and not self._leaving:
            return
        if self._manner == "slow" and offer.turn_id > self._last_turn:
            await asyncio.sleep(offer.remaining_ms / 1000 - 0.001 if offer.remaining_ms else 0)
            self._think = None
        await super()._act(stream, offer)

    async def _ask(self, stream: Seat, offer: Offer, action: Action) -> None:
        if self._manner == "impatient":
            await self._servito.act(self._table_id, offer, action)
        else:
            await super()._ask(stream, offer, action)


def config(
    name: str, preset: str, *, seats: int, turn_ms: int = TURN_MS, away_after: int = 100
) -> TableConfig:
    """A table for chaos: hands follow each other at once."""
    return TableConfig(
        name=name,
        preset=preset,
        seats=seats,
        min_buy_in=BUY_IN,
        max_buy_in=2 * BUY_IN,
        turn_ms=turn_ms,
        pause_ms=0,
        away_after=away_after,
    )


async def everybody_leaves(players: list[Player], playing: list[asyncio.Task[None]], seconds: float) -> int:
    """All stand up; how many had not got away after `seconds`."""

    async def leave(player: Player) -> None:
        while True:
            try:
                return await player.leave()
            except Refusal as refusal:
                if refusal.reason in ("NOT_SEATED", "ALREADY_LEAVING", "TABLE_CLOSED"):
                    return None
                player.note(refusal)
            except TableError as error:
                player.note(error)
            await asyncio.sleep(_COMES_BACK)

    leaving = [asyncio.create_task(leave(player)) for player in players]
    _, still = await asyncio.wait([*leaving, *playing], timeout=seconds)
    for task in still:
        task.cancel()
    await asyncio.gather(*still, return_exceptions=True)
    return len(still)


def manner_of(seat: int, table: int) -> str:
    """Every manner at some tables, and two who play quickly at each."""
    if seat < 2:
        return ("polite", "impatient")[seat]
    return MANNERS[(table + seat) % len(MANNERS)]
