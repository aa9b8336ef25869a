"""Puts lost deadlines back, partition by partition: implements `app.mending.Mender`.

A table waits with a deadline in its hash, and the timers look for it in the partition's sorted set; every
commit writes both. Where the set has lost one (somebody deleted it, keys were put back from another moment),
the hash says what it was.
"""

from __future__ import annotations

from itertools import cycle
from random import sample
from typing import TYPE_CHECKING, Final

from servito_platform.redis import Script
from servito_table.adapters.answers import answered

if TYPE_CHECKING:
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane

AT_ONCE: Final = 100
"""Tables that one script looks at, so that it holds nobody up."""
_MEND: Final = Script.of_package("servito_table.adapters", "mend.lua")


class RedisMender:
    """See the module."""

    def __init__(self, lane: Lane, keys: Keys) -> None:
        self._lane = lane
        self._keys = keys
        self._order = cycle(sample(range(keys.partitions), keys.partitions))

    async def mend(self) -> int:
        """See `app.mending.Mender`."""
        keys, partition = self._keys, next(self._order)
        index, after, mended = keys.tables(partition), "-", 0
        while True:
            page = ("ZRANGE", index, after, "+", "BYLEX", "LIMIT", 0, AT_ONCE)
            ids = [name.decode() for name in await answered(self._lane.execute(*page))]
            if ids:
                tables = [keys.table(table_id) for table_id in ids]
                asked = self._lane.run(_MEND, [keys.deadlines(partition), *tables], ids)
                mended += await answered(asked)
            if len(ids) < AT_ONCE:
                return mended
            after = f"({ids[-1]}"
