"""Acting beside the acts: events about time banks and pre-actions, as messages and as they are stored.

Changes with `app.acting_events`, table.proto and store.proto. A stored pre-action names its hand and round
besides.
"""

from __future__ import annotations

from typing import Any, Final

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.app.acting_events import (
    ActingEvent,
    ClockRestored,
    PreAction,
    PreActionEnd,
    PreActionEnded,
    PreActionKind,
    PreActionSet,
    TimeBankReturned,
    TimeBankUsed,
)

ACTING_FIELDS: Final = frozenset(
    {"time_bank_used", "time_bank_returned", "clock_restored", "pre_action_set", "pre_action_ended"}
)
"""Their names in TableEvent and StoredEvent."""
_KIND: Final = "PRE_ACTION_KIND_"
_END: Final = "PRE_ACTION_END_"


def acting_to_proto(event: ActingEvent) -> tuple[str, Any]:
    """The message of an event for TableEvent, and the name of its field."""
    match event:
        case TimeBankUsed(seat, left, ms):
            return "time_bank_used", pb.TimeBankUsed(seat=seat, left=left, ms=ms)
        case TimeBankReturned(seat, left):
            return "time_bank_returned", pb.TimeBankReturned(seat=seat, left=left)
        case ClockRestored(seat, ms):
            return "clock_restored", pb.ClockRestored(seat=seat, ms=ms)
        case PreActionSet(seat, wanted):
            return "pre_action_set", pb.PreActionSet(seat=seat, pre_action=pre_action_to_proto(wanted))
        case PreActionEnded(seat, reason):
            end = pb.PreActionEnd.Value(_END + reason.name)
            return "pre_action_ended", pb.PreActionEnded(seat=seat, reason=end)


def acting_to_store(event: ActingEvent) -> tuple[str, Any]:
    """Likewise for StoredEvent."""
    if isinstance(event, PreActionSet):
        wanted = pre_action_to_store(event.pre_action)
        return "pre_action_set", store.StoredPreActionSet(seat=event.seat, pre_action=wanted)
    return acting_to_proto(event)


def acting_from_store(stored: Any) -> ActingEvent:
    """Read one."""
    match stored:
        case pb.TimeBankUsed():
            return TimeBankUsed(stored.seat, stored.left, stored.ms)
        case pb.TimeBankReturned():
            return TimeBankReturned(stored.seat, stored.left)
        case pb.ClockRestored():
            return ClockRestored(stored.seat, stored.ms)
        case store.StoredPreActionSet():
            return PreActionSet(stored.seat, pre_action_from_store(stored.pre_action))
        case _:
            name = pb.PreActionEnd.Name(stored.reason).removeprefix(_END)
            return PreActionEnded(stored.seat, PreActionEnd[name])


def pre_action_to_proto(wanted: PreAction) -> pb.PreAction:
    """As its player is shown it."""
    return pb.PreAction(kind=pb.PreActionKind.Value(_KIND + wanted.kind.name), amount=wanted.amount)


def pre_action_to_store(wanted: PreAction) -> store.StoredPreAction:
    """Write it for the store."""
    kind = pb.PreActionKind.Value(_KIND + wanted.kind.name)
    return store.StoredPreAction(
        hand=wanted.hand, betting_round=wanted.betting_round, kind=kind, amount=wanted.amount
    )


def pre_action_from_store(stored: store.StoredPreAction) -> PreAction:
    """Read it."""
    kind = PreActionKind[pb.PreActionKind.Name(stored.kind).removeprefix(_KIND)]
    return PreAction(stored.hand, stored.betting_round, kind, stored.amount)
