"""What is stored of a commit, and what can be read of it: the public part, and the whole where it opens.

An `Entry` is what the archive has; a `Commit` is that, read. Nothing here says whether it is true: that is
folding's. Changes with commit.lua of the table service, store.proto and `servito_history.rows`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from servito.table.v1.store_pb2 import CommitSecrets, StoredCommit
from servito_platform.audit_seal import AuditOpener, bound
from servito_platform.seal_keys import SealError
from servito_replay.differences import Difference, Kind
from servito_wire.secrets import joined, parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servito.table.v1.store_pb2 import StoredEvent
    from servito_history.rows import Row


@dataclass(frozen=True, slots=True)
class Entry:
    """A commit as it is archived."""

    table_id: str
    version: int
    lineage: int
    parent: int
    """The lineage of the version before."""
    at: int
    """When it was made, in milliseconds of the state server's clock."""
    public: bytes
    """A StoredCommit without what is hidden."""
    sealed: bytes = b""
    """A CommitSecrets for the auditor; empty where nothing is hidden."""
    lost: bool = False
    """A failover lost it: the table went on from an earlier version."""

    @classmethod
    def of(cls, row: Row) -> Entry:
        """An archived row."""
        events, seal = row.fields.get("e", b""), row.fields.get("s", b"")
        return cls(row.table_id, row.version, row.lineage, row.parent, row.at, events, seal, row.lost)


@dataclass(frozen=True, slots=True)
class Commit:
    """An entry that was read."""

    entry: Entry
    public: StoredCommit
    whole: StoredCommit | None
    """All that happened; None where the seal was not opened."""
    whole_digest: bytes
    """Of the state after it; only where there was a seal and the commit changed the hand."""


def read(entry: Entry, opener: AuditOpener | None) -> Commit:
    """Read it, and unseal it if there is somebody to. Raises Difference where that cannot be done."""
    try:
        public = StoredCommit.FromString(entry.public)
    except DecodeError as error:
        raise Difference(Kind.UNREADABLE, entry.version, detail=str(error)) from None
    if public.version != entry.version:
        raise Difference(Kind.MISPLACED, entry.version, detail=f"version {public.version}")
    if opener is None:
        return Commit(entry, public, None, b"")
    if not entry.sealed:
        missing = next((place for place, event in enumerate(public.events) if _stands_in(event)), None)
        if missing is not None:
            raise Difference(Kind.NOT_SEALED, entry.version, missing)
        return Commit(entry, public, public, b"")
    to = bound(entry.table_id, entry.version, entry.lineage, entry.parent, entry.public)
    try:
        secrets = CommitSecrets.FromString(opener.open(to, entry.sealed))
        whole = joined(public, secrets)
    except (SealError, DecodeError, ValueError) as error:
        raise Difference(Kind.SEAL, entry.version, detail=str(error)) from None
    told, _ = parted(whole)
    for place, (event, expected) in enumerate(zip(public.events, told.events, strict=True)):
        if event != expected:
            raise Difference(Kind.PARTS, entry.version, place)
    return Commit(entry, public, whole, secrets.whole_digest)


def read_all(entries: Iterable[Entry], opener: AuditOpener | None) -> Iterator[Commit]:
    """Those of the branch that stayed, read one after the other. Raises Difference."""
    return (read(entry, opener) for entry in entries if not entry.lost)


def _stands_in(event: StoredEvent) -> bool:
    """Whether it only stands for something hidden. That nobody may open cannot be told from hidden openers;
    they come with the deal.
    """
    match event.WhichOneof("event"):
        case "hidden":
            return True
        case "cards_dealt":
            return not all(hand.cards for hand in event.cards_dealt.hands)
        case "seat_acted":
            return bool(event.seat_acted.discarded) and not event.seat_acted.discards
        case "cards_drawn":
            return bool(event.cards_drawn.count) and not event.cards_drawn.cards
        case _:
            return False
