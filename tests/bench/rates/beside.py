"""Turns read out of the state server: every few milliseconds one request for all tables that wait for one,
which is answered by those that have it. Whoever generates load is not to be what is measured.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from servito_platform.redis import Script
from servito_table.app.commits import Place
from tests.bench.rates.acting import action_for
from tests.bench.rates.turns import Turn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from tests.bench.rates.seats import Table
    from tests.bench.rates.stored import Reader

LOOK_SECONDS: Final = 0.01
"""Between two looks: with twice as many tables as acts in flight there are enough to go on with."""

LOOK: Final = Script("""
-- KEYS: hashes of tables; ARGV: for each the turn that was seen last.
-- Returns for each table that has another one now: its place in KEYS, turn, version, lineage, state.
local found = {}
for place, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'turn') ~= ARGV[place] then
    found[#found + 1] = { place, unpack(redis.call('HMGET', key, 'turn', 'v', 'l', 's')) }
  end
end
return found
""")


class _Waiting(NamedTuple):
    """A table whose next turn is awaited: its key, and the turn that was seen last."""

    table: Table
    key: str
    seen: bytes


class Beside:
    """See Turns, and the module; `looking` has to run meanwhile."""

    def __init__(self, lane: Lane, keys: Keys, reader: Reader, tables: Sequence[Table], rng: Random) -> None:
        self._lane = lane
        self._reader = reader
        self._rng = rng
        self._keys = {table.id: keys.table(table.id) for table in tables}
        self._waiting = [_Waiting(table, self._keys[table.id], b"0") for table in tables]
        self._come: asyncio.Queue[Turn] = asyncio.Queue()

    async def next(self) -> Turn:
        """See Turns."""
        return await self._come.get()

    def over(self, turn: Turn) -> None:
        """See Turns."""
        table = turn.table
        self._waiting.append(_Waiting(table, self._keys[table.id], b"%d" % turn.number))

    async def looking(self) -> None:
        """Look for turns until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            looked, self._waiting = self._waiting, []
            found = await self._lane.run(LOOK, [one.key for one in looked], [one.seen for one in looked])
            changed = {place - 1: stored for place, *stored in found}
            for place, waiting in enumerate(looked):
                still = self._read(waiting, *changed[place]) if place in changed else waiting
                if still is not None:
                    self._waiting.append(still)

    def _read(
        self, waiting: _Waiting, turn: bytes, version: bytes, lineage: bytes, stored: bytes
    ) -> _Waiting | None:
        """What waits on; None where the turn of a seat has come."""
        choices = self._reader.choices(stored, Place(int(version), int(lineage)))
        if choices is None:
            return waiting._replace(seen=turn)
        action = action_for(choices, self._rng)
        self._come.put_nowait(Turn(waiting.table, choices.seat, int(turn), action))
        return None
