"""Entries of the streams as the state server has them: read, and named for being thrown away.

What cannot be read is left where it is and counted: it stays the oldest entry that nobody drained, so
somebody comes to look. Changes with commit.lua of the table service and store.proto.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from google.protobuf.message import DecodeError

from servito.table.v1 import store_pb2
from servito_history.rows import Commit, Payment, pack
from servito_platform.keys import is_id

_COLUMNS: Final = (b"t", b"v", b"l", b"p")
"""Fields that have columns of their own."""
_MOST: Final = 2**63
Entry = tuple[bytes, Sequence[bytes]]
"""Id, then names and values of the fields in turns."""


class TakenCommit(NamedTuple):
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
        record = pack((str(place), element) for place, element in enumerate(elements))
        return self._replace(commit=self.commit._replace(record=record or None))


class TakenPayment(NamedTuple):
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
    """Entries that are left where they are."""
    between: bool = False
    """Some of these are in the audit stream."""

    @classmethod
    def read(cls, partition: int, audit: Sequence[Entry], journal: Sequence[Entry]) -> Taken:
        """Of entries as XRANGE gives them."""
        taken = cls(partition)
        for name, told in audit:
            try:
                taken.commits.append(_commit(name, told))
            except (ValueError, KeyError):
                taken.between = True
        for name, told in journal:
            with suppress(ValueError, KeyError, DecodeError):  # it is counted below
                taken.payments.append(_payment(name, told))
        taken.unreadable = len(audit) + len(journal) - len(taken)
        return taken

    def __len__(self) -> int:
        return len(self.commits) + len(self.payments)

    def named(self) -> Iterator[bytes | str | int]:
        """Arguments of trim.lua."""
        if self.commits:
            *before, last = self.commits
            one_by_one = [each.id for each in before] if self.between else []
            yield from (last.id, last.name, len(one_by_one))
            yield from one_by_one
        else:
            yield from ("", "", 0)
        for paid in self.payments:
            yield from (paid.id, paid.entry, paid.payment.table_id, paid.payment.amount)


def _commit(name: bytes, told: Sequence[bytes]) -> TakenCommit:
    fields = dict(zip(told[::2], told[1::2], strict=True))
    table, version, lineage, parent = map(fields.pop, _COLUMNS)
    table_id = _id(table)
    hand, ends = hand_of(fields.get(b"e", b""))
    content = pack((key.decode(), value) for key, value in fields.items())
    commit = Commit(
        table_id, _number(version), _number(lineage), _number(parent), *_moment(name), hand, content
    )
    return TakenCommit(name, commit, f"{table_id}-{hand}" if ends else None)


def _payment(name: bytes, told: Sequence[bytes]) -> TakenPayment:
    fields = dict(zip(told[::2], told[1::2], strict=True))
    entry = store_pb2.JournalEntry.FromString(fields[b"j"])
    table_id, player = _id(entry.table_id.encode()), _id(entry.player.encode())
    lineage = _number(fields.get(b"l", b"0"))
    return TakenPayment(
        name,
        fields[b"j"],
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
    at, _, nth = name.partition(b"-")
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
