"""Whether money that moved is safe: implements `app.ports.Safety` by asking replicas, over a firm connection.

The commit itself goes over the shared connection like every other, and is found again here (`safe.lua`): that
also holds for a repeated request whose commit another process made. Not here: what a commit is (store.py),
how replicas are asked and when that is alarming (`servito_platform.firm`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito_platform.redis import Script
from servito_table.adapters.answers import answered
from servito_table.app.refusals import Unavailable

if TYPE_CHECKING:
    from servito_platform.firm import FirmLane
    from servito_platform.keys import Keys
    from servito_platform.redis import Argument
    from servito_table.app.commits import Committed, Request

_SAFE: Final = Script.of_package("servito_table.adapters", "safe.lua")


class ReplicaSafety:
    """See the module."""

    def __init__(self, firm: FirmLane, keys: Keys) -> None:
        self._firm = firm
        self._keys = keys

    async def has_request(self, table_id: str, request: Request) -> bool:
        """See `app.ports.Safety`."""
        listed = self._keys.requests(table_id, request.player)
        return await self._is_safe(table_id, listed, (request.id, request.fingerprint, ""))

    async def has_commit(self, committed: Committed) -> bool:
        """See `app.ports.Safety`."""
        known = committed.known
        events = self._keys.events(known.state.id)
        return await self._is_safe(known.state.id, events, ("", committed.now, known.version))

    async def _is_safe(self, table_id: str, proof: str, args: tuple[Argument, ...]) -> bool:
        try:
            found, safe = await answered(self._firm.run(_SAFE, [self._keys.table(table_id), proof], args))
        except Unavailable:
            return False
        return bool(found) and safe
