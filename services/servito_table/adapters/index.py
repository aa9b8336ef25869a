"""All tables in the order of their ids, in pages, from the indexes of all partitions: implements
`app.ports.Index`.

Each partition is asked for a share of the page that is usually enough, all in one go; what lies behind the
first partition that gave a full share is not yet certain, and then the shares are doubled. A filter is held
against a bounded number of tables, however few of them it lets through.
"""

from __future__ import annotations

import asyncio
from itertools import cycle
from random import sample
from typing import TYPE_CHECKING, Any, Final

import structlog

from servito_core.rules import InvalidRules
from servito_table.adapters.answers import answered
from servito_table.adapters.sealing import SealedState
from servito_table.app.status import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_table.adapters.codec import Codec
    from servito_table.app.listing import Listed, Wanted

EXAMINED: Final = 200
"""Tables that are looked at for one page of a filtered list; as many as the longest page has."""
_SPARE: Final = 4
"""How many more ids than its average part a partition is asked for at first."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class RedisIndex:
    """See the module."""

    def __init__(self, lane: Lane, keys: Keys, codec: Codec) -> None:
        self._lane = lane
        self._keys = keys
        self._codec = codec
        self._partitions = cycle(sample(range(keys.partitions), keys.partitions))

    async def page(self, after: str, size: int, wanted: Wanted) -> tuple[Sequence[Listed], str]:
        """See `app.ports.Index`."""
        closed = wanted.status is Status.CLOSED
        ids, more = await self._ids(after, size if wanted.everything else EXAMINED, closed=closed)
        stored = await self._stored(ids)
        if closed:
            await self._forget([gone for gone, blob in zip(ids, stored, strict=True) if blob is None])
        found = [self._listed(table_id, blob) for table_id, blob in zip(ids, stored, strict=True)]
        tables = [table for table in found if table is not None and wanted.matches(table)]
        if len(tables) > size:
            return tables[:size], tables[size - 1].id
        return tables, ids[-1] if more else ""

    async def tables(self, ids: Sequence[str]) -> Sequence[Listed | None]:
        """See `app.ports.Index`."""
        stored = zip(ids, await self._stored(ids), strict=True)
        return [None if blob is None else self._codec.listed(blob, table_id) for table_id, blob in stored]

    async def forget_gone(self) -> int:
        """See `app.ports.Index`; one partition after the other, in pages."""
        partition, after, forgotten = next(self._partitions), "", 0
        while True:
            ids = [name.decode() for name in await self._some(partition, after)]
            there = await self._all([("EXISTS", self._keys.table(table_id)) for table_id in ids])
            gone = [table_id for table_id, exists in zip(ids, there, strict=True) if not exists]
            await self._forget(gone)
            forgotten += len(gone)
            if len(ids) < EXAMINED:
                return forgotten
            after = ids[-1]

    async def _stored(self, ids: Sequence[str]) -> list[bytes | None]:
        """What is stored of each; None where nothing is."""
        return await self._all([("HGET", self._keys.table(table_id), "s") for table_id in ids])

    def _listed(self, table_id: str, blob: bytes | None) -> Listed | None:
        """What a list says of it. A table that is damaged is left out: it keeps nobody from the others."""
        try:
            return None if blob is None else self._codec.listed(blob, table_id)
        except SealedState:  # told and counted where it was read
            return None
        except InvalidRules as error:
            _log.error("table_unreadable", table_id=table_id, error=type(error).__name__)
            return None

    async def _some(self, partition: int, after: str) -> list[bytes]:
        """The next closed tables of a partition."""
        command = self._behind(partition, after, EXAMINED, closed=True)
        found: list[bytes] = await answered(self._lane.execute(*command))
        return found

    async def _ids(self, after: str, size: int, *, closed: bool) -> tuple[list[str], bool]:
        """The ids of a page, and whether there are more behind it."""
        share = size // self._keys.partitions + _SPARE
        while True:
            lists = await self._all(
                [self._behind(partition, after, share, closed) for partition in range(self._keys.partitions)]
            )
            ends = [ids[-1] for ids in lists if len(ids) == share]
            found = sorted(name for ids in lists for name in ids if not ends or name <= min(ends))
            if len(found) > size or not ends:
                return [name.decode() for name in found[:size]], len(found) > size
            share *= 2

    async def _forget(self, ids: Sequence[str]) -> None:
        """The state of these closed tables has come to its end; their places in the index go with it."""
        keys = self._keys
        await self._all([("ZREM", keys.closed(keys.partition(table_id)), table_id) for table_id in ids])

    def _behind(self, partition: int, after: str, count: int, closed: bool) -> tuple[str | int, ...]:
        index = self._keys.closed(partition) if closed else self._keys.tables(partition)
        return ("ZRANGE", index, f"({after}" if after else "-", "+", "BYLEX", "LIMIT", 0, count)

    async def _all(self, commands: Sequence[tuple[str | int, ...]]) -> list[Any]:
        """The answers to all commands, sent in one go."""
        return await answered(asyncio.gather(*(self._lane.execute(*command) for command in commands)))
