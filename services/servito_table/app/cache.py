"""The tables that this process has decoded, and a lock for each that is at work.

The cache is a convenience and never the truth: every decision is made on what it says and is checked by the
commit, every refusal is checked against the store. Bounded; the tables used longest ago go first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_table.app.commits import Known


class Cache:
    """Decoded tables by id, `size` at most."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[str, Known] = OrderedDict()

    def get(self, table_id: str) -> Known | None:
        """What was last known of a table."""
        known = self._known.get(table_id)
        if known is not None:
            self._known.move_to_end(table_id)
        return known

    def put(self, known: Known) -> None:
        """Remember what the store says, even if it went back: after a failover it may."""
        self._known[known.state.id] = known
        self._known.move_to_end(known.state.id)
        if len(self._known) > self._size:
            self._known.popitem(last=False)

    def offer(self, known: Known) -> None:
        """Remember a table that was read without its lock, unless something newer is known."""
        held = self._known.get(known.state.id)
        if held is None or held.version < known.version:
            self.put(known)

    def drop(self, table_id: str) -> None:
        """Forget a table whose state is uncertain."""
        self._known.pop(table_id, None)


class Locks:
    """One lock per table, for as long as somebody holds or awaits it: a process does not race with itself."""

    def __init__(self) -> None:
        self._locks: dict[str, _Lock] = {}

    def of(self, table_id: str) -> _Lock:
        """The lock of a table, to be used in one `async with`."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = _Lock(self._locks, table_id)
        return lock


class _Lock:
    """Leaves the dictionary with its last user."""

    __slots__ = ("_all", "_lock", "_table_id", "_users")

    def __init__(self, all_locks: dict[str, _Lock], table_id: str) -> None:
        self._all = all_locks
        self._table_id = table_id
        self._lock = asyncio.Lock()
        self._users = 0

    async def __aenter__(self) -> None:
        self._users += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
        self._leave()

    def _leave(self) -> None:
        self._users -= 1
        if not self._users:
            del self._all[self._table_id]
