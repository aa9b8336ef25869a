"""Maintenance in the state server: implements `app.maintenance.Marks`.

Every change is an entry of one stream, and the last one holds, so what is true now and who wanted it cannot
disagree. A change is answered for when replicas have it: a failover must not turn it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito_platform.redis import Script
from servito_table.adapters.answers import NoAnswer, answered
from servito_table.adapters.schema import FIRST, NotYet
from servito_table.app.maintenance import NEVER, Mark
from servito_table.app.refusals import OutcomeUnknown, Unsafe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.firm import FirmLane
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane

KEPT: Final = 1_000
"""Changes that the stream keeps, and up to a hundred more."""
_READ: Final = Script.of_package("servito_table.adapters", "changes.lua")
_SET: Final = Script.of_package("servito_table.adapters", "maintenance.lua")


class RedisMarks:
    """See the module. `firm`: None where no replica is waited for; `schema`: the form in which tables are
    written.
    """

    def __init__(self, lane: Lane, firm: FirmLane | None, keys: Keys, schema: int) -> None:
        self._lane = lane
        self._firm = firm
        self._keys = keys
        self._schema = schema

    async def latest(self) -> Mark:
        """See `app.maintenance.Marks`."""
        found, _ = await self.changes(1)
        return found[0] if found else NEVER

    async def changes(self, most: int) -> tuple[Sequence[Mark], int]:
        """See `app.maintenance.Marks`."""
        key = self._keys.maintenance_changes()
        now, entries = await answered(self._lane.run(_READ, [key], (most,)))
        return [_mark(entry) for entry in entries], now

    async def put(self, *, on: bool, by: str, why: str) -> tuple[Mark, int]:
        """See `app.maintenance.Marks`."""
        if on and self._schema == FIRST:
            raise NotYet("maintenance")
        keys = [self._keys.maintenance_changes(), self._keys.maintenance_asked()]
        args = ("1" if on else "0", by, why, KEPT)
        try:
            if self._firm is None:
                reply, safe = await answered(self._lane.run(_SET, keys, args)), True
            else:
                reply, safe = await answered(self._firm.run(_SET, keys, args))
        except NoAnswer:
            raise OutcomeUnknown from None
        if not safe:
            raise Unsafe
        now, entry = reply
        return (_mark(entry) if entry else NEVER), now

    async def mine(self, what: str, ms: int) -> bool:
        """See `app.maintenance.Marks`."""
        command = ("SET", self._keys.maintenance_look(what), "1", "NX", "PX", ms)
        return await answered(self._lane.execute(*command)) is not None


def _mark(entry: list[Any]) -> Mark:
    """An entry of the stream. What cannot be read counts as on: a hand that is not dealt harms nobody."""
    name, parts = entry
    fields = dict(zip(parts[::2], parts[1::2], strict=True))
    at = int(name.split(b"-")[0])
    on = fields.get(b"on") != b"0"
    return Mark(name.decode(), on, fields.get(b"by", b"").decode(), fields.get(b"why", b"").decode(), at)
