"""The event streams of the tables and the wake-ups about them: implements `app.ports.Feed`.

Wake-ups come over one shard channel per partition, on a connection of their own that is subscribed to the
partitions of watched tables only. They may be lost in silence: when the connection breaks, what was missed is
found by the hub's look around.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import redis.exceptions
import structlog

from servito_platform.redis import Script, StateUnavailable, within
from servito_table.adapters.codec import told_from_bytes
from servito_table.app.refusals import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import redis.asyncio

    from servito_platform.keys import Keys
    from servito_table.app.told import Told

_VERSIONS: Final = Script.of_package("servito_table.adapters", "versions.lua")
_AT_ONCE: Final = 500
"""Tables asked about in one script."""
_RECONNECT_SECONDS: Final = 0.5
_BROKEN: Final = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError, OSError)

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class RedisFeed:
    """See the module. `seconds`: how long the state server may take for one answer."""

    def __init__(self, client: redis.asyncio.Redis, keys: Keys, seconds: float) -> None:
        self._client = client
        self._keys = keys
        self._seconds = seconds
        self._pubsub = client.pubsub(ignore_subscribe_messages=True)
        self._followers: Counter[int] = Counter()
        self._subscribed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def after(self, table_id: str, version: int) -> Sequence[tuple[Told, int]]:
        """See `app.ports.Feed`."""
        command = self._client.xrange(self._keys.events(table_id), f"{version + 1}-0", "+")
        entries: Any = await self._answered(command)
        return [(told_from_bytes(fields[b"c"]), int(fields[b"d"])) for _, fields in entries]

    async def versions(self, table_ids: Sequence[str]) -> Sequence[int]:
        """See `app.ports.Feed`."""
        by_partition: dict[int, list[str]] = {}
        for table_id in table_ids:
            by_partition.setdefault(self._keys.partition(table_id), []).append(table_id)
        found: dict[str, int] = {}
        for ids in by_partition.values():
            for start in range(0, len(ids), _AT_ONCE):
                some = ids[start : start + _AT_ONCE]
                found.update(zip(some, await self._versions(some), strict=True))
        return [found[table_id] for table_id in table_ids]

    async def follow(self, table_id: str) -> None:
        """See `app.ports.Feed`."""
        partition = self._keys.partition(table_id)
        self._followers[partition] += 1
        if self._followers[partition] == 1:
            await self._answered(self._pubsub.ssubscribe(self._keys.wakeups(partition)))
            self._subscribed.set()

    def unfollow(self, table_id: str) -> None:
        """See `app.ports.Feed`."""
        partition = self._keys.partition(table_id)
        self._followers[partition] -= 1
        if self._followers[partition] == 0:
            task = asyncio.create_task(self._unsubscribe(partition))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def listen(self, stir: Callable[[str, int], None]) -> None:
        """Call `stir` with table and version for every wake-up, until cancelled."""
        while True:
            await self._subscribed.wait()
            try:
                message = await self._pubsub.get_message(timeout=None)
            except _BROKEN as error:
                _log.warning("wakeups_interrupted", error=type(error).__name__)
                await asyncio.sleep(_RECONNECT_SECONDS)
                continue
            if message is not None and message["type"] == "smessage":
                table_id, _, version = message["data"].decode().partition(" ")
                stir(table_id, int(version))

    async def close(self) -> None:
        """Give the connection of the wake-ups back."""
        await self._pubsub.aclose()

    async def _unsubscribe(self, partition: int) -> None:
        if self._followers[partition]:
            return  # somebody came back meanwhile
        try:
            await self._answered(self._pubsub.sunsubscribe(self._keys.wakeups(partition)))
        except Unavailable:
            _log.warning("unsubscribe_failed")  # a wake-up that nobody needs costs nothing

    async def _versions(self, table_ids: Sequence[str]) -> list[int]:
        keys = [self._keys.table(table_id) for table_id in table_ids]
        try:
            answer: list[int] = await _VERSIONS.run(self._client, keys, [], seconds=self._seconds)
        except StateUnavailable:
            raise Unavailable("the state server") from None
        return answer

    async def _answered(self, command: Any) -> Any:
        try:
            return await within(self._seconds, command)
        except StateUnavailable:
            raise Unavailable("the state server") from None
