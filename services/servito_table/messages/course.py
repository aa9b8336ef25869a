"""A table's own course: its status and the events about it, which are stored and shown in one form.

Changes with `app.events`, `app.status` and table.proto.
"""

from __future__ import annotations

from typing import Final

from servito.table.v1 import table_pb2 as pb
from servito_table.app.events import (
    CarriedReturned,
    CarriedShare,
    CourseEvent,
    Pause,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
)
from servito_table.app.status import Status

CourseMessage = pb.TablePaused | pb.TableResumed | pb.TableClosing | pb.CarriedReturned | pb.TableClosed
COURSE_FIELDS: Final = frozenset(
    {"table_paused", "table_resumed", "table_closing", "carried_returned", "table_closed"}
)
"""Their names in TableEvent and StoredEvent."""
_STATUS: Final = "TABLE_STATUS_"
_REASONS: Final = {
    Pause.OWNER: pb.PAUSE_REASON_UNSPECIFIED,
    Pause.MAINTENANCE: pb.PAUSE_REASON_MAINTENANCE,
}


def status_to_proto(status: Status) -> pb.TableStatus.ValueType:
    """Write it."""
    return pb.TableStatus.Value(_STATUS + status.name)


def status_from_proto(stored: pb.TableStatus.ValueType) -> Status:
    """Read it; tables of before there was a status are open."""
    return Status[pb.TableStatus.Name(stored).removeprefix(_STATUS)] if stored else Status.OPEN


def course_to_proto(event: CourseEvent) -> tuple[str, CourseMessage]:
    """The message of an event, and the name of its field."""
    match event:
        case TablePaused(reason):
            return "table_paused", pb.TablePaused(reason=_REASONS[reason])
        case TableResumed(reason):
            return "table_resumed", pb.TableResumed(reason=_REASONS[reason])
        case TableClosing():
            return "table_closing", pb.TableClosing()
        case CarriedReturned(shares):
            shown = [pb.CarriedShare(player=own.player, seat=own.seat, amount=own.amount) for own in shares]
            return "carried_returned", pb.CarriedReturned(shares=shown)
        case TableClosed():
            return "table_closed", pb.TableClosed()


def course_from_proto(stored: CourseMessage) -> CourseEvent:
    """Read one."""
    match stored:
        case pb.TablePaused():
            return TablePaused(_reason(stored))
        case pb.TableResumed():
            return TableResumed(_reason(stored))
        case pb.TableClosing():
            return TableClosing()
        case pb.CarriedReturned():
            return CarriedReturned(tuple(_share(own) for own in stored.shares))
        case _:
            return TableClosed()


def _reason(stored: pb.TablePaused | pb.TableResumed) -> Pause:
    return Pause.MAINTENANCE if stored.reason == pb.PAUSE_REASON_MAINTENANCE else Pause.OWNER


def _share(own: pb.CarriedShare) -> CarriedShare:
    return CarriedShare(own.player, own.seat if own.HasField("seat") else None, own.amount)
