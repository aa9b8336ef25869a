"""A commit as the streams have it, with everything in it: `Told` <-> StoredCommit; and an entry of the money
journal.

Events of hands are `servito_wire`'s, the table's own `messages`'. What of it is hidden is parted and sealed
by codec.py. Changes with store.proto and `app.told`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito_table.adapters.schema import UnreadableState
from servito_table.app.told import Told
from servito_table.messages.own_events import FROM_STORE, TO_STORE
from servito_wire.events import event_from_proto, event_to_proto

if TYPE_CHECKING:
    from servito_table.app.events import TableEvent

ALL: Final = frozenset(field.name for field in store.StoredEvent.DESCRIPTOR.fields)
"""Every kind of event."""


def message_of(told: Told) -> store.StoredCommit:
    """A StoredCommit with everything in it."""
    return store.StoredCommit(
        version=told.version,
        turn=told.turn,
        to_act=told.to_act,
        hand=told.hand,
        events=[_event_to_proto(event) for event in told.events],
        players=told.players,
    )


def told_to_bytes(told: Told) -> bytes:
    """The same in bytes, as forms before the sealed one have it."""
    return message_of(told).SerializeToString()


def told_from_bytes(stored: bytes) -> Told:
    """Read one."""
    return told_from(store.StoredCommit.FromString(stored), ALL)


def told_from(commit: store.StoredCommit, kinds: frozenset[str]) -> Told:
    """Read one; of its events those of these kinds."""
    to_act = commit.to_act if commit.HasField("to_act") else None
    wanted = (event for event in commit.events if kinds is ALL or event.WhichOneof("event") in kinds)
    events = tuple(_event_from_proto(event) for event in wanted)
    return Told(commit.version, commit.turn, to_act, commit.hand, events, tuple(commit.players))


def journal_to_bytes(table_id: str, version: int, player: str, amount: int) -> bytes:
    """A JournalEntry."""
    entry = store.JournalEntry(table_id=table_id, player=player, amount=amount, version=version)
    return entry.SerializeToString()


def _event_to_proto(event: TableEvent) -> store.StoredEvent:
    own = TO_STORE.get(type(event))
    if own is None:
        return event_to_proto(event)  # type: ignore[arg-type]  # what is not the table's is the hand's
    field, message = own(event)
    return store.StoredEvent(**{field: message})


def _event_from_proto(stored: store.StoredEvent) -> TableEvent:
    field = stored.WhichOneof("event")
    if field is None or field == "hidden":
        raise UnreadableState("an event of the table is of a kind that this server does not know")
    own = FROM_STORE.get(field)
    return event_from_proto(stored) if own is None else own(getattr(stored, field))
