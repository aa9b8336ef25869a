"""Bots play hands at several tables at once until there are enough, something fails or a table stands still.

Here: the course of a run against a running system. Not here: starting that system, chips, printing
(command.py)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, Final, Self

from servito_cli.demo.at_table import AtTable, Seating
from servito_cli.rules_given import Rules
from servito_cli.texts import Language
from servito_client.bots.report import Report
from servito_client.client import Servito

STUCK_SECONDS: Final = 15.0
"""A table at which nothing happens for so long is stuck: a turn is over long before."""
LEAVE_SECONDS: Final = 30.0
LEAVE_STUCK_SECONDS: Final = 5.0
"""How long bots may take to leave; less where a table stands still and will not let them go."""
LOOK_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play. `seed` decides what the bots do, never the cards: those come from the dealer."""

    tables: int = 4
    hands: int = 200
    """In all; a few more are counted, because hands under way are ended."""
    players: int = 4
    seed: int = 1
    rules: Rules = field(default_factory=Rules)
    language: Language = Language.EN
    """In which hands are told."""


class Playing:
    """One run, as a context that leaves no task behind.

    `errors` are sentences, `stuck` names of tables; `look` is called again and again while hands are played.
    """

    def __init__(
        self, servito: Servito, plan: Plan, look: Callable[[Playing], None] = lambda _: None
    ) -> None:
        self._servito, self._plan, self._look = servito, plan, look
        self.report = Report()
        self.tables: list[AtTable] = []
        self.errors: list[str] = []
        self.stuck: list[str] = []
        self.seconds = 0.0
        """From the first table opened until every bot has left."""
        self._began = monotonic()
        self._tasks: list[asyncio.Task[None]] = []
        self._bots: list[asyncio.Task[None]] = []

    @property
    def hands(self) -> int:
        """Deals that are over, at all tables."""
        return sum(table.chronicle.hands for table in self.tables)

    @property
    def timeouts(self) -> int:
        """Turns that the clock ended."""
        return sum(table.chronicle.timeouts for table in self.tables)

    @property
    def began(self) -> bool:
        """Whether a first hand has been dealt."""
        return any(table.chronicle.hands or table.chronicle.running for table in self.tables)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def play(self) -> None:
        """Opens the tables and plays until there are enough hands, or `errors` or `stuck` say why not."""
        self._began = monotonic()
        await self._open()
        self._bots = [
            self._start(f"{player} at {table.name}", bot.play())
            for table in self.tables
            for player, bot in table.bots.items()
        ]
        while self.hands < self._plan.hands and not self.errors and not self.stuck:
            await asyncio.sleep(LOOK_SECONDS)
            self.stuck = [table.name for table in self.tables if table.silent_for() > STUCK_SECONDS]
            self._look(self)

    async def leave(self) -> None:
        """Makes every bot stand up and waits until its hand has let it go; ends what is counted."""
        leaving = [
            self._start(f"{player} leaving {table.name}", bot.leave())
            for table in self.tables
            for player, bot in table.bots.items()
        ]
        seconds = LEAVE_STUCK_SECONDS if self.stuck else LEAVE_SECONDS
        _, still = await asyncio.wait([*leaving, *self._bots], timeout=seconds)
        self.errors += [f"{task.get_name()}: not done after {seconds:g} s" for task in still]
        self.seconds = monotonic() - self._began

    async def _open(self) -> None:
        rng = Random(self._plan.seed)  # noqa: S311 - chooses actions, never cards
        for number in range(self._plan.tables):
            seating = Seating(
                self._plan.rules, self._plan.players, number * self._plan.players, rng, self.report
            )
            table = await AtTable.open(self._servito, f"Sala {number + 1}", seating)
            self.tables.append(table)
            self._start(f"spectator of {table.name}", table.watch())

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(self._note_failure)
        self._tasks.append(task)
        return task

    def _note_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.errors.append(f"{task.get_name()}: {type(error).__name__}: {error}")
