"""Maintenance: whether it is on, and whether the tables follow.

Changes with maintenance.lua of the table service, which writes what is read here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from servito.table.v1 import store_pb2, table_pb2
from servito_local.doctor.findings import Finding, Kind, note, warning
from servito_platform.clients import server_of

if TYPE_CHECKING:
    from servito_platform.clients import BlockingClient
    from servito_platform.keys import Keys

FOLLOWED: Final = 60.0
"""Seconds after which every table should have followed a change."""
_FOLLOWS: Final = (
    table_pb2.TABLE_STATUS_UNSPECIFIED,
    table_pb2.TABLE_STATUS_OPEN,
    table_pb2.TABLE_STATUS_PAUSED,
)


@dataclass
class Held:
    """How many tables are held, and how many are not; closed ones do not count."""

    held: int = 0
    free: int = 0

    def take(self, state: store_pb2.StoredTable) -> None:
        """Count one."""
        if state.status in _FOLLOWS:
            self.held += state.held
            self.free += not state.held

    def findings(self, client: BlockingClient, keys: Keys) -> Iterator[Finding]:
        """What there is to say; Redis errors."""
        server = server_of(client, keys.maintenance_changes())
        seconds, _ = server.time()
        latest: Any = server.xrevrange(keys.maintenance_changes(), count=1)
        on, age = False, FOLLOWED + 1
        for name, fields in latest:
            on = fields.get(b"on") != b"0"
            age = seconds - int(name.split(b"-")[0]) / 1000
            if on:
                by = fields.get(b"by", b"").decode(errors="replace")
                yield note(Kind.MAINTENANCE_ON, by=by, minutes=round(age / 60))
        if age > FOLLOWED and (behind := self.free if on else self.held):
            yield warning(Kind.MAINTENANCE_BEHIND, tables=behind, state="on" if on else "off")
