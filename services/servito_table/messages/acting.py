"""Acting beside the acts: events about time banks, which are stored and shown in one form.

Changes with `app.events` and table.proto.
"""

from __future__ import annotations

from typing import Final

from servito.table.v1 import table_pb2 as pb
from servito_table.app.events import ActingEvent, TimeBankReturned, TimeBankUsed

ActingMessage = pb.TimeBankUsed | pb.TimeBankReturned
ACTING_FIELDS: Final = frozenset({"time_bank_used", "time_bank_returned"})
"""Their names in TableEvent and StoredEvent."""


def acting_to_proto(event: ActingEvent) -> tuple[str, ActingMessage]:
    """The message of an event, and the name of its field."""
    match event:
        case TimeBankUsed(seat, left, ms):
            return "time_bank_used", pb.TimeBankUsed(seat=seat, left=left, ms=ms)
        case TimeBankReturned(seat, left):
            return "time_bank_returned", pb.TimeBankReturned(seat=seat, left=left)


def acting_from_proto(stored: ActingMessage) -> ActingEvent:
    """Read one."""
    match stored:
        case pb.TimeBankUsed():
            return TimeBankUsed(stored.seat, stored.left, stored.ms)
        case _:
            return TimeBankReturned(stored.seat, stored.left)
