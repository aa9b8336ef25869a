"""A table in memory with a hub: who watches it, what they were sent, and a feed that a test can cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from servito.table.v1 import table_pb2 as pb
from servito_platform.metrics import new_registry
from servito_table.adapters.hub import Hub
from servito_table.adapters.meters import Meters
from servito_table.adapters.watcher import Watcher
from servito_table.app.told import Told, told_by
from tests.table.room import Room
from tests.table.twins import MemoryStore


class MemoryFeed:
    """`app.ports.Feed` over the commits of the twin; what is before `kept_from` was trimmed."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.kept_from = 0
        self.followed: list[str] = []

    async def after(self, table_id: str, version: int) -> Sequence[tuple[Told, int]]:
        """See the port."""
        commits = [commit for commit in self._store.commits if commit.state.id == table_id]
        return [
            (told_by(commit.version, commit.state, commit.events), 0)
            for commit in commits
            if commit.version > version and commit.version >= self.kept_from
        ]

    async def versions(self, table_ids: Sequence[str]) -> Sequence[int]:
        """See the port."""
        return [self._store.tables[table_id].version for table_id in table_ids]

    def follow(self, table_id: str) -> None:
        """See the port."""
        self.followed.append(table_id)

    def unfollow(self, table_id: str) -> None:
        """See the port."""
        self.followed.remove(table_id)


class StoreClock:
    """The clock of the twin."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def now_ms(self) -> int:
        """See the port."""
        return self._store.now


@dataclass
class Gallery:
    """A room whose process has a hub."""

    store: MemoryStore = field(default_factory=MemoryStore)
    pace_seconds: float = 0.0
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.feed = MemoryFeed(self.store)
        meters = Meters(new_registry())
        self.hub = Hub(self.store, self.feed, StoreClock(self.store), meters, "here", self.pace_seconds)
        self.room = Room(store=self.store, listener=self.hub)

    async def watch(self, player: str | None = None, after: int | None = None) -> Watcher:
        """Somebody who watches."""
        return await self.hub.join(self.room.table_id, player, after)


async def sent(watcher: Watcher) -> list[pb.WatchResponse]:
    """What a watcher is sent now, part by part."""
    return [pb.WatchResponse.FromString(message) for message in await watcher.next()]


def versions(messages: Sequence[pb.WatchResponse]) -> list[int]:
    """The versions of updates."""
    return [update.version for message in messages for update in message.updates]


def kinds(messages: Sequence[pb.WatchResponse]) -> list[str]:
    """What is in each message."""
    return [field.name for message in messages for field, _ in message.ListFields()]
