"""Claiming the deadlines that are due.

Here: the claim of one partition, for the sweepers of the timers service (synchronous, it runs in a thread),
and the name of a member. Not here: setting, moving and removing deadlines, which is done by the table's
commit in the same script as the state; carrying them out. Changes with claim.lua and keys.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from servito_platform.clients import BlockingClient
from servito_platform.keys import Keys, is_id
from servito_platform.redis import Script, StateUnavailable, send_each

_WAIT: Final = re.compile("[a-z]?[0-9]{1,18}")
_CLAIM: Final = Script.of_package("servito_platform", "claim.lua")


@dataclass(frozen=True)
class Due:
    """A deadline that somebody has to carry out, and the wait that it may end: a number of the table's own,
    or a letter for another kind of wait and a number.
    """

    table_id: str
    wait: str
    late_ms: int
    """How long ago it was due. After a claim that came to nothing: how long ago that claim's lease ended."""

    @classmethod
    def of_member(cls, name: bytes, *, late_ms: int) -> Self:
        """The deadline that a member of the sorted set names; the opposite of `member`."""
        table_id, _, wait = name.decode().rpartition(":")
        if not table_id or not _WAIT.fullmatch(wait):
            raise ValueError("a deadline is named <table>:<wait>")
        return cls(table_id, wait, late_ms)


@dataclass(frozen=True)
class Claim:
    """What one claim found. `wait_ms`: until the next deadline or lease of the partition, None: has none."""

    server_ms: int
    wait_ms: int | None
    due: tuple[Due, ...]
    unreadable: tuple[bytes, ...] = ()
    """Claimed members that name no deadline, so that nobody can carry them out."""
    outage: tuple[int, int] | None = None
    """When the latest outage of the partition began and ended, if one is noted."""

    @classmethod
    def of_reply(cls, reply: Sequence[Any]) -> Self:
        """What claim.lua answered."""
        now, wait, *outage = reply[:4]
        due, unreadable = [], []
        for name, score in zip(reply[4::2], reply[5::2], strict=True):
            try:
                due.append(Due.of_member(name, late_ms=now - int(float(score))))
            except ValueError:
                unreadable.append(name)
        window = (outage[0], outage[1]) if outage[1] else None
        return cls(now, None if wait < 0 else wait, tuple(due), tuple(unreadable), window)


@dataclass(frozen=True)
class Sweep:
    """What is noted of a sweep: that no other one within `outage_ms` was an outage; and for how long nobody
    was seen to carry out what was claimed, so that this is no sweep of now.
    """

    outage_ms: int
    silent_ms: int = 0


class Deadlines:
    """Claims for a fixed number of partitions; one for each thread."""

    def __init__(self, client: BlockingClient, keys: Keys) -> None:
        self._client = client
        self._keys = keys

    def claim(self, partition: int, *, limit: int, lease_ms: int, sweep: Sweep | None = None) -> Claim:
        """Take at most `limit` due deadlines out of others' reach for `lease_ms`, or StateUnavailable."""
        return self.claim_each({partition: limit}, lease_ms=lease_ms, sweep=sweep)[partition]

    def claim_each(
        self, limits: Mapping[int, int], *, lease_ms: int, sweep: Sweep | None = None
    ) -> dict[int, Claim]:
        """Claim in several partitions, each with its limit, in one round trip; or StateUnavailable.

        With `sweep` it is noted that they were swept, and that they were not for long. Of a Cluster that is
        away in part the partitions are left out that nobody answers for.
        """
        noted = (0, 0) if sweep is None else (sweep.outage_ms, sweep.silent_ms)
        calls = [
            ([self._keys.deadlines(partition), self._keys.sweep(partition)], [limit, lease_ms, *noted])
            for partition, limit in limits.items()
        ]
        replies = _CLAIM.run_blocking_each(self._client, calls)
        return {
            partition: Claim.of_reply(reply)
            for partition, reply in zip(limits, replies, strict=True)
            if not isinstance(reply, StateUnavailable)
        }

    def next_each(self, partitions: Iterable[int]) -> dict[int, int | None]:
        """When the next deadline or lease of each partition ends, in server ms; None: it has none. Nothing is
        claimed and no sweep is noted, which costs the server a tenth. StateUnavailable, and what is left out,
        as in claim_each.
        """
        asked = list(partitions)
        keys = [self._keys.deadlines(partition) for partition in asked]
        told = send_each(self._client, [(key, ("ZRANGE", key, 0, 0, "WITHSCORES")) for key in keys])
        found: dict[int, int | None] = {}
        for partition, first in zip(asked, told, strict=True):
            if isinstance(first, StateUnavailable):
                continue
            if isinstance(first, Exception):
                raise first
            found[partition] = int(float(first[1])) if first else None
        if asked and not found:
            raise StateUnavailable
        return found


def member(table_id: str, wait: str | int) -> str:
    """The name of a deadline in the sorted set: <table>:<wait>."""
    if not is_id(table_id) or not _WAIT.fullmatch(str(wait)):
        raise ValueError("a deadline needs a table id and a wait: a number, or a letter a..z and a number")
    return f"{table_id}:{wait}"
