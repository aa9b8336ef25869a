"""The tables that this process has decoded, and a lock for each that is at work.

The cache is a convenience and never the truth: every decision is made on what it says and is checked by the
commit, every refusal is checked against the store. Bounded; the tables used longest ago go first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
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
    """One lock per table, for as long as somebody holds or awaits it: a process does not race with itself.

    By hand, because an asyncio.Lock and what keeps it would be made and thrown away with every act.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Of each table that is locked, who waits for it, the first first."""

    async def acquire(self, table_id: str) -> None:
        """Wait for the lock of a table; who gets it has to `release` it."""
        waiting = self._waiting.get(table_id)
        if waiting is None:
            self._waiting[table_id] = deque()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.release(table_id)  # it was ours already
            raise

    def release(self, table_id: str) -> None:
        """Hand it to the next one who still waits."""
        waiting = self._waiting[table_id]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._waiting[table_id]
