"""The calls of TableService about maintenance: from messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_table.rpc.reading import malformed, readable
from servito_table.rpc.refusing import operator_of_call

if TYPE_CHECKING:
    from servito_platform.grpc_handlers import Context
    from servito_table.app.maintenance import Gate, Mark

WHY_LENGTH: Final = 200
SHOWN: Final = 20


class MaintenanceCalls:
    """A part of `TableServicer`."""

    gate: Gate
    """Set by whoever makes the servicer."""

    async def SetMaintenance(
        self, request: pb.SetMaintenanceRequest | None, context: Context
    ) -> pb.SetMaintenanceResponse:
        """See the proto."""
        asked, operator = readable(request), operator_of_call()
        if len(asked.why) > WHY_LENGTH or not asked.why.isprintable():
            raise malformed(f"why must be at most {WHY_LENGTH} printable characters")
        mark, now = await self.gate.put(on=asked.on, by=operator, why=asked.why)
        return pb.SetMaintenanceResponse(now=_change(mark, now))

    async def GetMaintenance(
        self, request: pb.GetMaintenanceRequest | None, context: Context
    ) -> pb.GetMaintenanceResponse:
        """See the proto."""
        readable(request)
        operator_of_call()
        changes, now = await self.gate.changes(SHOWN)
        return pb.GetMaintenanceResponse(
            on=bool(changes) and changes[0].on, changes=[_change(mark, now) for mark in changes]
        )


def _change(mark: Mark, now_ms: int) -> pb.MaintenanceChange:
    age = max(0, now_ms - mark.at) if mark.id else 0
    return pb.MaintenanceChange(on=mark.on, by=mark.by, why=mark.why, age_ms=age)
