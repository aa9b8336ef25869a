"""A table in memory with a hub: who watches it, what they were sent, and a feed that a test can cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from servito.table.v1 import table_pb2 as pb
from servito_core.events import HandEnded, HandStarted
from servito_platform.metrics import new_registry
from servito_table.adapters.hub import Hub
from servito_table.adapters.meters import Meters
from servito_table.adapters.watcher import Watcher
from servito_table.app.commits import Commit, Place
from servito_table.app.events import RulesChanged, TableEvent
from servito_table.app.ports import Kept
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
            (self._told(commit), 0)
            for commit in commits
            if commit.version > version and commit.version >= self.kept_from
        ]

    async def versions(self, table_ids: Sequence[str]) -> Sequence[Place]:
        """See the port."""
        known = map(self._store.tables.get, table_ids)
        return [Place(0) if each is None else each.place for each in known]

    def _told(self, commit: Commit) -> Told:
        told = told_by(commit.version, commit.state, commit.events)
        return replace(told, lineage=self._store.made[commit.state.id, commit.version])

    def follow(self, table_id: str) -> None:
        """See the port."""
        self.followed.append(table_id)

    def unfollow(self, table_id: str) -> None:
        """See the port."""
        self.followed.remove(table_id)


class MemoryHands:
    """`app.ports.Hands` over the commits of the twin; what is before `kept_from` was trimmed."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.kept_from = 0

    async def outlines(self, table_id: str) -> Sequence[Kept]:
        """See the port."""
        return self._kept(table_id, lambda _told, event: isinstance(event, (HandStarted, HandEnded)))

    async def of_hand(self, table_id: str, number: int) -> Sequence[Kept]:
        """See the port."""
        return self._kept(
            table_id, lambda told, event: told.hand == number or isinstance(event, RulesChanged)
        )

    def _kept(self, table_id: str, wanted: Callable[[Told, TableEvent], bool]) -> list[Kept]:
        kept = []
        for commit, at in zip(self._store.commits, self._store.times, strict=True):
            if commit.state.id == table_id and commit.version >= self.kept_from:
                told = told_by(commit.version, commit.state, commit.events)
                events = tuple(event for event in told.events if wanted(told, event))
                kept.append(Kept(replace(told, events=events), at))
        return kept


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

    async def watch(self, player: str | None = None, after: int | None = None, lineage: int = 0) -> Watcher:
        """Somebody who watches."""
        place = None if after is None else Place(after, lineage)
        return await self.hub.join(self.room.table_id, player, place)


async def sent(watcher: Watcher) -> list[pb.WatchResponse]:
    """What a watcher is sent now, part by part."""
    return [pb.WatchResponse.FromString(message) for message in await watcher.next()]


def versions(messages: Sequence[pb.WatchResponse]) -> list[int]:
    """The versions of updates."""
    return [update.version for message in messages for update in message.updates]


def kinds(messages: Sequence[pb.WatchResponse]) -> list[str]:
    """What is in each message."""
    return [field.name for message in messages for field, _ in message.ListFields()]
