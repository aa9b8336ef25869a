"""Play for tests that stop and replace what runs: bots, who looks on at them, and what they noticed.

Some bots play over Play, some watch and call Act.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypedDict, cast

from grpc import ChannelCredentials

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import Action, HandEnded, Offer, TableConfig, TurnExpired
from servito_client.retries import Effort
from servito_client.seat import Seat
from servito_client.updates import Told, Update
from tests.local.parts import until

CONFIG = TableConfig(name="Cambio", preset="italiana", seats=3, min_buy_in=60, max_buy_in=200, turn_ms=20_000)


class ByCalls(Servito):
    """A player without a stream of his own: he watches, and calls Act."""

    def play(
        self,
        table_id: str,
        after_version: int | None = None,  # noqa: ARG002 - as in Servito
        after_lineage: int = 0,  # noqa: ARG002 - as in Servito
    ) -> Seat:
        """In the form in which bots play."""
        return cast("Seat", _Calls(self, table_id))


class _Calls:
    def __init__(self, servito: Servito, table_id: str) -> None:
        self._servito = servito
        self._table_id = table_id

    async def __aenter__(self) -> _Calls:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def __aiter__(self) -> AsyncIterator[Told]:
        return self._servito.watch(self._table_id)

    async def act(self, offer: Offer, action: Action) -> int:
        return await self._servito.act(self._table_id, offer, action)


@dataclass
class Played:
    """What happened at the tables, as somebody sees it who looks on."""

    tables: list[str]
    report: Report = field(default_factory=Report)
    effort: Effort = field(default_factory=Effort)
    hands: dict[str, int] = field(default_factory=dict)
    expired: int = 0
    late: int = 0
    """Acts whose turn was over when they arrived; until the bots leave, which ends the turns of others."""

    async def look_on(self, servito: Servito, table_id: str) -> None:
        """Count the hands of a table, and the turns that ran out."""
        self.hands[table_id] = 0
        async for told in servito.watch(table_id):
            if isinstance(told, Update):
                self.hands[table_id] += sum(isinstance(event, HandEnded) for event in told.events)
                self.expired += sum(isinstance(event, TurnExpired) for event in told.events)


class Shown(TypedDict, total=False):
    """What somebody shows of himself, as Servito takes it."""

    token: str
    credentials: ChannelCredentials


def _nothing(_: str) -> Shown:
    return {}


@asynccontextmanager
async def playing(target: str, tables: int, show: Callable[[str], Shown] = _nothing) -> AsyncIterator[Played]:
    """Bots at so many tables, every other one without streams; they leave with their chips in the end.

    `show`: what a player of that name shows; by default nothing, which development mode believes. `casa`
    opens the tables.
    """
    async with AsyncExitStack() as stack:
        casa = await stack.enter_async_context(Servito(target, player="casa", **show("casa")))
        played = Played([await casa.create_table(CONFIG) for _ in range(tables)])
        bots = []
        for number, table_id in enumerate(played.tables):
            kind = ByCalls if number % 2 else Servito
            for style, strategy in STYLES.items():
                name = f"{style}-{number}"
                player = await stack.enter_async_context(
                    kind(target, name, effort=played.effort, **show(name))
                )
                rng = Random(name)
                bots.append(
                    Bot(
                        player,
                        table_id,
                        strategy=strategy,
                        rng=rng,
                        buy_in=60,
                        report=played.report,
                        think=lambda: 0.03,
                    )
                )
        onlooker = await stack.enter_async_context(Servito(target, effort=played.effort, **show("onlooker")))
        async with asyncio.TaskGroup() as group:
            watching = [group.create_task(played.look_on(onlooker, table)) for table in played.tables]
            for bot in bots:
                group.create_task(bot.play())
            yield played
            played.late = played.report.late
            for bot in bots:
                await bot.leave()
            for task in watching:
                task.cancel()


async def more_hands(played: Played, hands: int) -> None:
    """Until every table has played so many more."""
    goal = {table_id: done + hands for table_id, done in played.hands.items()}
    await until(lambda: all(played.hands[table_id] >= goal[table_id] for table_id in goal), 60)
