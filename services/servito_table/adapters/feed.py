"""The event streams of the tables and the wake-ups about them: implements `app.ports.Feed`.

Wake-ups come over one shard channel per partition; the service listens to those of watched tables. They may
be lost in silence: what was missed is found by the hub's look around.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from servito_platform.redis import Script
from servito_table.adapters.answers import answered
from servito_table.adapters.schema import UnreadableState
from servito_table.adapters.sealing import SealedState
from servito_table.app.commits import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.ear import Ear
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_table.adapters.codec import Codec
    from servito_table.app.told import Told

_VERSIONS: Final = Script.of_package("servito_table.adapters", "versions.lua")
_AT_ONCE: Final = 500
"""Tables asked about in one script."""


class RedisFeed:
    """See the module."""

    def __init__(self, lane: Lane, ear: Ear, keys: Keys, codec: Codec) -> None:
        self._lane = lane
        self._codec = codec
        self._ear = ear
        self._keys = keys
        self._followers: Counter[int] = Counter()

    async def after(self, table_id: str, version: int) -> Sequence[tuple[Told, int]]:
        """See `app.ports.Feed`; nothing, as if it were trimmed, where a newer release told what is unknown
        here, or a seal does not open: the table itself is sealed, and what is shown instead.
        """
        command = ("XRANGE", self._keys.events(table_id), f"{version + 1}-0", "+")
        entries: list[Any] = await answered(self._lane.execute(*command))
        found = (dict(zip(parts[::2], parts[1::2], strict=True)) for _, parts in entries)
        try:
            return [self._told(table_id, fields) for fields in found]
        except (UnreadableState, SealedState):
            return []

    async def versions(self, table_ids: Sequence[str]) -> Sequence[Place]:
        """See `app.ports.Feed`."""
        by_partition: dict[int, list[str]] = {}
        for table_id in table_ids:
            by_partition.setdefault(self._keys.partition(table_id), []).append(table_id)
        some = [ids[i : i + _AT_ONCE] for ids in by_partition.values() for i in range(0, len(ids), _AT_ONCE)]
        answers = await asyncio.gather(*(self._versions(ids) for ids in some))
        found = {
            table_id: version
            for ids, versions in zip(some, answers, strict=True)
            for table_id, version in zip(ids, versions, strict=True)
        }
        return [found[table_id] for table_id in table_ids]

    def follow(self, table_id: str) -> None:
        """See `app.ports.Feed`."""
        partition = self._keys.partition(table_id)
        self._followers[partition] += 1
        if self._followers[partition] == 1:
            self._ear.subscribe(self._keys.wakeups(partition))

    def unfollow(self, table_id: str) -> None:
        """See `app.ports.Feed`."""
        partition = self._keys.partition(table_id)
        self._followers[partition] -= 1
        if self._followers[partition] == 0:
            self._ear.unsubscribe(self._keys.wakeups(partition))

    async def _versions(self, table_ids: Sequence[str]) -> list[Place]:
        keys = [self._keys.table(table_id) for table_id in table_ids]
        found: list[int] = await answered(self._lane.run(_VERSIONS, keys, []))
        return [Place(*at) for at in zip(found[::2], found[1::2], strict=True)]

    def _told(self, table_id: str, fields: dict[bytes, bytes]) -> tuple[Told, int]:
        told = self._codec.read_told(fields[b"c"], table_id, int(fields.get(b"l", 0)))
        return told, int(fields[b"d"])
