"""A table's store on a real state server, and what a test looks up there by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from servito.table.v1.store_pb2 import JournalEntry, StoredCommit, StoredTable
from servito_platform.clients import state_client
from servito_platform.clock import ServerClock
from servito_platform.keys import Keys
from servito_platform.metrics import new_registry
from servito_platform.seal_keys import DEVELOPMENT_KEYS
from servito_platform.settings import ServiceSettings
from servito_platform.state import new_lane
from servito_table.adapters.codec import Codec
from servito_table.adapters.meters import Meters
from servito_table.adapters.schema import NEWEST
from servito_table.adapters.store import RedisStore
from tests.table.opened import sealing


@dataclass
class RealStore:
    """The store of one process, and a client of the test's own."""

    store: RedisStore
    client: Any
    """Untyped: the published result types allow for everything that any server might send."""
    keys: Keys
    clock: ServerClock
    meters: Meters

    async def fields(self, table_id: str) -> dict[str, bytes]:
        """The hash of a table."""
        held: dict[bytes, bytes] = await self.client.hgetall(self.keys.table(table_id))
        return {name.decode(): value for name, value in held.items()}

    async def stored(self, table_id: str) -> StoredTable:
        """The encoded state."""
        return StoredTable.FromString((await self.fields(table_id))["s"])

    async def deadlines(self, table_id: str) -> dict[str, int]:
        """The deadlines of the table's partition."""
        found = await self.client.zrange(
            self.keys.deadlines(self.keys.partition(table_id)), 0, -1, withscores=True
        )
        return {member.decode(): int(score) for member, score in found}

    async def commits(self, table_id: str) -> dict[str, StoredCommit]:
        """The stream of a table, by entry id."""
        entries: list[tuple[bytes, dict[bytes, Any]]] = await self.client.xrange(self.keys.events(table_id))
        return {name.decode(): StoredCommit.FromString(fields[b"c"]) for name, fields in entries}

    async def journal(self, table_id: str) -> list[JournalEntry]:
        """The money that moved in the table's partition."""
        key = self.keys.journal(self.keys.partition(table_id))
        return [JournalEntry.FromString(fields[b"j"]) for _, fields in await self.client.xrange(key)]

    async def sleep_until(self, server_ms: int) -> None:
        """Until the state server's clock shows that."""
        await asyncio.sleep(max(0, server_ms - self.clock.now_ms() + 3) / 1000)


@asynccontextmanager
async def real_store(
    url: str,
    seconds: float = 2.0,
    backlog: int = 0,
    keys: str = DEVELOPMENT_KEYS,
    schema: int = NEWEST,
) -> AsyncIterator[RealStore]:
    """A store of one process at the state server `url`, which seals under the first of `keys`."""
    settings = ServiceSettings(state_url=SecretStr(url))
    client = state_client(settings)
    named, clock, lane = Keys(64), ServerClock(), new_lane(settings.state, seconds)
    meters = Meters(new_registry())
    codec = Codec(schema, sealing=sealing(keys, meters.seal_broken))
    store = RedisStore(lane, named, codec, clock, meters, 2_000, backlog)
    yield RealStore(store, client, named, clock, meters)
    await lane.close()
    await client.aclose()
