"""Entries of the streams as the state server has them: read, and named for being thrown away.

What cannot be read is left where it is and counted: it stays the oldest entry that nobody drained, so
somebody comes to look. Changes with commit.lua of the table service and store.proto.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from google.protobuf.message import DecodeError

from servito.table.v1 import store_pb2
from servito_history.rows import Commit, Payment, pack
from servito_platform.keys import is_id

_NAMES: Final = (b"t", b"v", b"l", b"p")
"""Fields that have columns of their own."""
_MOST: Final = 2**63
Entry = tuple[bytes, Sequence[bytes]]
"""Id, then names and values of the fields in turns."""


@dataclass(frozen=True, slots=True)
class TakenCommit:
    """An entry of the audit stream."""

    id: bytes
    commit: Commit
    ends: str | None
    """The hand that it ends, `<table>-<number>`."""

    @property
    def name(self) -> str:
        """By which trim.lua knows it again."""
        return f"{self.commit.table_id} {self.commit.version} {self.commit.lineage}"

    def with_record(self, elements: Sequence[bytes]) -> TakenCommit:
        """With what the dealer recorded of the hand."""
        record = pack([(str(place), element) for place, element in enumerate(elements)])
        return replace(self, commit=replace(self.commit, record=record or None))


@dataclass(frozen=True, slots=True)
class TakenPayment:
    """An entry of the journal."""

    id: bytes
    entry: bytes
    payment: Payment


@dataclass(slots=True)
class Taken:
    """What was taken of one partition."""

    partition: int
    commits: list[TakenCommit] = field(default_factory=list)
    payments: list[TakenPayment] = field(default_factory=list)
    unreadable: int = 0

    @classmethod
    def read(cls, partition: int, audit: Sequence[Entry], journal: Sequence[Entry]) -> Taken:
        """Of entries as take.lua gives them."""
        taken = cls(partition)
        for entries, read, found in (
            (audit, _commit, taken.commits),
            (journal, _payment, taken.payments),
        ):
            for name, told in entries:
                try:
                    found.append(read(name, _fields(told)))  # type: ignore[arg-type]  # pairs fit by row
                except (ValueError, KeyError, DecodeError):
                    taken.unreadable += 1
        return taken

    def __len__(self) -> int:
        return len(self.commits) + len(self.payments)

    def named(self) -> Iterator[bytes | str | int]:
        """Arguments of trim.lua."""
        yield len(self.commits)
        for each in self.commits:
            yield from (each.id, each.name)
        for paid in self.payments:
            yield from (paid.id, paid.entry, paid.payment.table_id, paid.payment.amount)


def _fields(told: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(told[::2], told[1::2], strict=True))


def _commit(name: bytes, told: Mapping[bytes, bytes]) -> TakenCommit:
    table_id = _id(told[b"t"])
    version, lineage, parent = (_number(told[each]) for each in _NAMES[1:])
    hand, ends = hand_of(told.get(b"e", b""))
    content = pack([(key.decode(), value) for key, value in told.items() if key not in _NAMES])
    commit = Commit(table_id, version, lineage, parent, *_moment(name), hand, content)
    return TakenCommit(name, commit, f"{table_id}-{hand}" if ends else None)


def _payment(name: bytes, told: Mapping[bytes, bytes]) -> TakenPayment:
    entry = store_pb2.JournalEntry.FromString(told[b"j"])
    table_id, player = _id(entry.table_id.encode()), _id(entry.player.encode())
    lineage = _number(told.get(b"l", b"0"))
    return TakenPayment(
        name,
        told[b"j"],
        Payment(table_id, entry.version, lineage, *_moment(name), player, entry.amount),
    )


def hand_of(events: bytes) -> tuple[int | None, bool]:
    """Number of the running or last hand, and whether it ends; None and no for what cannot be read."""
    try:
        commit: Any = store_pb2.StoredCommit.FromString(events)
    except DecodeError:
        return None, False
    return commit.hand, any(event.HasField("hand_ended") for event in commit.events)


def _moment(name: bytes) -> tuple[int, int]:
    at, _, nth = name.decode().partition("-")
    return int(at), int(nth)


def _id(name: bytes) -> str:
    text = name.decode()
    if not is_id(text):
        raise ValueError("no id")
    return text


def _number(text: bytes) -> int:
    number = int(text)
    if not 0 <= number < _MOST:
        raise ValueError("no such number")
    return number
