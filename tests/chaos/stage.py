"""What faults act on: the world, and what witnesses know of it.

Here: the few things that kinds of faults need besides killing: members of the sorted sets, a crowd of silent
tables, the moment when another primary has taken over. Not here: the course of a run (run.py).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, cast

import redis

from servito_platform.clients import blocking_client
from servito_platform.place import read_place
from servito_platform.redis import StateUnavailable, send_each
from tests.chaos.history import KEYS
from tests.chaos.players import BUY_IN, config

if TYPE_CHECKING:
    from random import Random

    from servito_client.client import Servito
    from tests.chaos.history import Histories
    from tests.chaos.world import World
    from tests.modes.servers import Server

_REMEMBERED: Final = 400
_AT_ONCE: Final = 40
_CROWD_TURN_MS: Final = 20_000
_OPENED_AT_ONCE: Final = 32
_TAKE_OVER_SECONDS: Final = 30.0


class Stage:
    """See the module. `pace` shortens what faults wait for (the short form)."""

    def __init__(self, world: World, servito: Servito, histories: Histories, *, pace: float = 1.0) -> None:
        self.world = world
        self.pace = pace
        self.delivered = 0
        """Deadlines that were delivered besides what the timers did."""
        self.outages: list[tuple[int, int]] = []
        """When no server answered, by their clock in ms."""
        self.crowds: list[str] = []
        """Tables where nobody acts."""
        self._servito = servito
        self._histories = histories
        self._members: deque[str] = deque(maxlen=_REMEMBERED)

    async def pause(self, seconds: float) -> None:
        """A fault lasts so long."""
        await asyncio.sleep(self.pace * seconds)

    async def members(self, rng: Random) -> list[str]:
        """Some deadlines of now and of before."""
        with suppress(redis.RedisError, OSError):
            self._members.extend(await asyncio.to_thread(self._members_now))
        known = list(self._members)
        return rng.sample(known, min(len(known), _AT_ONCE))

    async def taken_over(self, lost: Server) -> None:
        """Wait until everything that a primary held is another one's."""
        async with asyncio.timeout(_TAKE_OVER_SECONDS):
            there = True
            while there:
                await asyncio.sleep(0.1)
                there = await asyncio.to_thread(self._holds, lost)

    async def crowd(self, turns: int) -> None:
        """So many tables with a live turn each, where nobody will ever act."""
        room = asyncio.Semaphore(_OPENED_AT_ONCE)

        async def opened(number: int) -> str:
            async with room:
                table = config(f"crowd {number}", "italiana", seats=2, turn_ms=_CROWD_TURN_MS, away_after=2)
                table_id = await self._servito.acting_as("crowd").create_table(table)
                for seat in range(2):
                    await self._servito.acting_as(f"crowd{number}.{seat}").sit(table_id, buy_in=BUY_IN)
                return table_id

        opened_now = await asyncio.gather(*(opened(number) for number in range(turns)))
        self.crowds += opened_now
        for table_id in opened_now:
            self._histories.follow(table_id)

    def outage_begins(self) -> None:
        """No server answers from now on. They share this clock; a question to them would hang."""
        now = time.time_ns() // 1_000_000
        self.outages.append((now, now))

    async def outage_ends(self) -> None:
        """They answer again."""
        async with asyncio.timeout(_TAKE_OVER_SECONDS):
            while True:
                with suppress(redis.RedisError, OSError, StateUnavailable):
                    now = await asyncio.to_thread(self._histories.server_ms)
                    self.outages[-1] = (self.outages[-1][0], now)
                    return
                await asyncio.sleep(0.05)

    def _members_now(self) -> list[str]:
        names = [KEYS.deadlines(partition) for partition in range(KEYS.partitions)]
        with blocking_client(read_place(self.world.state_url), 0.5) as client:
            answers = send_each(client, [(name, ("ZRANGE", name, 0, 9)) for name in names])
        found = [each for each in answers if not isinstance(each, Exception)]
        return [member.decode() for each in found for member in cast("list[bytes]", each)]

    def _holds(self, lost: Server) -> bool:
        """Whether the others still name it as a primary."""
        if self.world.group is not None:
            return self.world.group.primary is lost
        return lost in self.primaries(but=lost)

    def replicated(self, rng: Random) -> tuple[Server, list[Server]]:
        """A primary and its replicas. Blocking."""
        if self.world.group is not None:
            primary = self.world.group.primary
            return primary, [each for each in self.world.group.servers if each is not primary]
        assert self.world.cluster is not None
        primary = rng.choice(self.primaries())
        port = int(primary.client.info("replication")["slave0"]["port"])
        return primary, [each for each in self.world.cluster.servers if each.port == port]

    def primaries(self, but: Server | None = None) -> list[Server]:
        """The primaries of the Cluster, as a server other than `but` names them, by their ports. Blocking."""
        assert self.world.cluster is not None
        servers = self.world.cluster.servers
        witness = next(server for server in servers if server is not but)
        ports = {port for _, _, (_, port, *_), *_ in witness.client.execute_command("CLUSTER", "SLOTS")}
        return sorted((each for each in servers if each.port in ports), key=lambda each: each.port)
