"""Tables of six bots, and what they take in the state server and in the processes."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from random import Random
from typing import Any

import redis

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig
from servito_client.updates import Update
from servito_local.layout import SERVICES
from servito_local.system import LocalSystem
from tests.local.parts import until

SIX = TableConfig(name="Sei", preset="italiana", seats=6, min_buy_in=100, max_buy_in=200, turn_ms=20_000)
MOST_BYTES = 25_000
"""Of an idle table in the state server."""


@dataclass(frozen=True)
class Measured:
    """Bytes. An idle table's are those of its state and its events; requests expire soon."""

    new: int
    after_hands: list[int]
    """Looked at again and again, since a stream is trimmed in steps."""
    requests: int
    record_of_a_hand: float
    grown: dict[str, int]
    """Resident bytes of processes, from a quarter of the hands on."""


async def measured(system: LocalSystem, hands: int) -> Measured:
    """Play so many hands at one table, beside one that is new."""
    keys, sizes = Keys(system.state_url), []
    async with Servito(system.target("table"), player="casa") as servito, asyncio.TaskGroup() as group:
        fresh = await new_table(servito)
        six = await sits(servito, group)
        await until(lambda: six.hands >= hands // 4, 300)
        before = resident(system)
        while six.hands < hands:
            await asyncio.sleep(0.5)
            sizes.append(keys.bytes_of(own(six.table_id)))
        after = resident(system)
        await idle(servito, six.table_id)
        sizes.append(keys.bytes_of(own(six.table_id)))
        records = keys.bytes_of(rf".*:d:{six.table_id}-\d+")
        found = Measured(
            new=keys.bytes_of(own(fresh)),
            after_hands=sizes,
            requests=keys.bytes_of(requests(six.table_id)),
            record_of_a_hand=records / six.hands,
            grown={name: after[name] - before[name] for name in after},
        )
        await closes(servito, six)
    return found


class Keys:
    """The state server, looked at from outside."""

    def __init__(self, url: str) -> None:
        self._client: Any = redis.Redis.from_url(url)  # its type knows asynchronous clients as well

    def all(self) -> list[str]:
        """Every key."""
        return sorted(key.decode() for key in self._client.scan_iter(count=1000))

    def lasting(self) -> list[str]:
        """Keys that never expire."""
        return [key for key in self.all() if self._client.ttl(key) == -1]

    def bytes_of(self, pattern: str) -> int:
        """Memory of the keys that match, as the server counts it."""
        keys = [key for key in self.all() if re.fullmatch(pattern, key)]
        return sum(self._client.memory_usage(key, samples=0) or 0 for key in keys)

    def members(self, pattern: str) -> int:
        """Members of all sorted sets of that kind."""
        return sum(self._client.zcard(key) for key in self.all() if re.fullmatch(pattern, key))


class Six:
    """Six bots at a table."""

    def __init__(self, servito: Servito, table_id: str) -> None:
        self.table_id = table_id
        self._servito = servito
        self.hands = 0
        self.counting: asyncio.Task[None]
        styles = list(STYLES.values())
        self.report = Report()
        self.bots = [
            Bot(
                servito.acting_as(f"{table_id[:20]}-{number}"),
                table_id,
                strategy=styles[number % len(styles)],
                rng=Random(number),
                buy_in=100,
                report=self.report,
            )
            for number in range(6)
        ]

    async def count(self) -> None:
        """Count hands until cancelled."""
        async for told in self._servito.acting_as(None).watch(self.table_id):
            if isinstance(told, Update):
                self.hands += sum(isinstance(event, HandEnded) for event in told.events)


async def sits(servito: Servito, group: asyncio.TaskGroup) -> Six:
    """A new table with its bots at play."""
    six = Six(servito, await servito.create_table(SIX))
    for bot in six.bots:
        group.create_task(bot.play())
    six.counting = group.create_task(six.count())
    return six


async def grown_by(system: LocalSystem, hands: int, tables: int) -> dict[str, int]:
    """Resident bytes that each service's process has more after the second half of so many hands, played at
    several tables.
    """
    async with Servito(system.target("table"), player="casa") as servito, asyncio.TaskGroup() as group:
        sixes = [await sits(servito, group) for _ in range(tables)]
        await until(lambda: sum(six.hands for six in sixes) >= hands // 2, 10 + hands)
        before = resident(system)
        await until(lambda: sum(six.hands for six in sixes) >= hands, 10 + hands)
        after = resident(system)
        for six in sixes:
            await closes(servito, six)
    return {name: after[name] - before[name] for name in after}


async def closes(servito: Servito, six: Six) -> None:
    """The owner closes it; everybody is cashed out when the hand is over."""
    await servito.close_table(six.table_id)
    async with asyncio.timeout(60):
        while (await servito.table(six.table_id)).seats:  # noqa: ASYNC110 - it is asked over the network
            await asyncio.sleep(0.05)
    six.counting.cancel()


async def play_and_close(servito: Servito, tables: int, hands: int) -> None:
    """So many tables are opened, play so many hands each, and are closed."""
    async with asyncio.TaskGroup() as group:
        sixes = [await sits(servito, group) for _ in range(tables)]
        await until(lambda: all(six.hands >= hands for six in sixes), 120)
        for six in sixes:
            await closes(servito, six)


async def idle(servito: Servito, table_id: str) -> None:
    """Pause it and wait for the hand that runs."""
    await servito.pause_table(table_id)
    async with asyncio.timeout(60):
        while (await servito.table(table_id)).hand.HasField("to_act"):  # noqa: ASYNC110 - asked over the network
            await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)


def own(table_id: str) -> str:
    """The keys of a table: its state and its events."""
    return rf"\{{p\d+\}}:[te]:{table_id}"


def requests(table_id: str) -> str:
    """Its players' latest requests, which expire after a quarter of an hour."""
    return rf"\{{p\d+\}}:[a-z]+:{table_id}:.+"


async def new_table(servito: Servito) -> str:
    """Six players who have just sat down, and no hand."""
    table_id = await servito.create_table(SIX)
    await servito.pause_table(table_id)
    for number in range(6):
        await servito.acting_as(f"new{number}").sit(table_id, buy_in=100)
    return table_id


def resident(system: LocalSystem) -> dict[str, int]:
    """Resident bytes of the services' processes."""
    return {name: used.resident_bytes for name, used in system.usage().items() if name in SERVICES}
