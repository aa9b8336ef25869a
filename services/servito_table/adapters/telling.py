"""A commit as the streams have it: `Told` <-> StoredCommit, and an entry of the money journal.

Events of hands are `servito_wire`'s, the table's own `messages`'; it runs with every action, hence bytes
(`servito_wire.fields`). What of it is hidden is parted here and sealed by codec.py. Changes with store.proto
and `app.told`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito.table.v1 import store_pb2 as store
from servito_table.adapters.schema import UnreadableState
from servito_table.app.told import Told
from servito_table.messages.own_events import FROM_STORE, PRIVATE, TO_STORE
from servito_wire.digests import Piece
from servito_wire.events import event_from_proto, event_to_bytes
from servito_wire.fields import Block, Values, record
from servito_wire.secrets import NOTHING
from servito_wire.secrets import STANDS as OF_HANDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servito_table.app.events import TableEvent

_VERSION: Final = Values(store.StoredCommit, "version")
_EVENT: Final = Block(store.StoredCommit, "events")
_COURSE: Final = record(store.StoredCommit, "turn to_act hand")
_PLAYER: Final = Block(store.StoredCommit, "players")
_PLACES: Final = Block(store.CommitSecrets, "places")
_HIDDEN_EVENT: Final = Block(store.CommitSecrets, "events")
STANDS: Final[dict[type[Any], Callable[[Any], bytes]]] = {
    **OF_HANDS,
    **dict.fromkeys(PRIVATE, lambda _: NOTHING),
}
"""By type of event: what stands in its place (`servito_wire.secrets`)."""
ALL: Final = frozenset(field.name for field in store.StoredEvent.DESCRIPTOR.fields)
"""Every kind of event."""


def told_to_piece(told: Told) -> Piece:
    """A StoredCommit with what everybody may know, and the rest: a CommitSecrets, b"" where there is none."""
    shown, hidden, places = [], [], []
    for place, event in enumerate(told.events):
        whole, stands = _event_to_bytes(event), STANDS.get(type(event))
        stand = stands(event) if stands is not None else b""
        shown.append(_EVENT(stand or whole))
        if stand:
            places.append(place)
            hidden.append(_HIDDEN_EVENT(whole))
    secrets = b"".join((_PLACES(bytes(places)), *hidden)) if hidden else b""
    return Piece(_commit(told, shown), secrets)


def told_to_bytes(told: Told) -> bytes:
    """A StoredCommit with everything in it, as forms before the sealed one have it."""
    return _commit(told, [_EVENT(_event_to_bytes(event)) for event in told.events])


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


def _commit(told: Told, events: Iterable[bytes]) -> bytes:
    players = [_PLAYER(player.encode()) for player in told.players]
    return b"".join((_VERSION[told.version], *events, _COURSE(told), *players))


def _event_to_bytes(event: TableEvent) -> bytes:
    own = TO_STORE.get(type(event))
    if own is None:
        return event_to_bytes(event)  # type: ignore[arg-type]  # what is not the table's is the hand's
    field, message = own(event)
    return store.StoredEvent(**{field: message}).SerializeToString()


def _event_from_proto(stored: store.StoredEvent) -> TableEvent:
    field = stored.WhichOneof("event")
    if field is None or field == "hidden":
        raise UnreadableState("an event of the table is of a kind that this server does not know")
    own = FROM_STORE.get(field)
    return event_from_proto(stored) if own is None else own(getattr(stored, field))
