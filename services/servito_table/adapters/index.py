"""All tables in the order of their ids, in pages, from the indexes of all partitions: implements
`app.ports.Index`.

Each partition is asked for a share of the page that is usually enough, all in one go; what lies behind the
first partition that gave a full share is not yet certain, and then the shares are doubled.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from servito_table.adapters.answers import answered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_table.adapters.codec import Codec
    from servito_table.app.state import TableState

_SPARE: Final = 4
"""How many more ids than its average part a partition is asked for at first."""


class RedisIndex:
    """See the module."""

    def __init__(self, lane: Lane, keys: Keys, codec: Codec) -> None:
        self._lane = lane
        self._keys = keys
        self._codec = codec

    async def page(self, after: str, size: int) -> tuple[Sequence[TableState], str]:
        """See `app.ports.Index`."""
        ids, more = await self._ids(after, size)
        stored = await self._all([("HGET", self._keys.table(table_id), "s") for table_id in ids])
        tables = [self._codec.decode(blob) for blob in stored if blob is not None]
        return tables, ids[-1] if more else ""

    async def _ids(self, after: str, size: int) -> tuple[list[str], bool]:
        """The ids of a page, and whether there are more behind it."""
        share = size // self._keys.partitions + _SPARE
        while True:
            lists = await self._all(
                [self._behind(partition, after, share) for partition in range(self._keys.partitions)]
            )
            ends = [ids[-1] for ids in lists if len(ids) == share]
            found = sorted(name for ids in lists for name in ids if not ends or name <= min(ends))
            if len(found) > size or not ends:
                return [name.decode() for name in found[:size]], len(found) > size
            share *= 2

    def _behind(self, partition: int, after: str, count: int) -> tuple[str | int, ...]:
        least = f"({after}" if after else "-"
        return ("ZRANGE", self._keys.tables(partition), least, "+", "BYLEX", "LIMIT", 0, count)

    async def _all(self, commands: Sequence[tuple[str | int, ...]]) -> list[Any]:
        """The answers to all commands, sent in one go."""
        return await answered(asyncio.gather(*(self._lane.execute(*command) for command in commands)))
