"""Claiming the deadlines that are due.

Here: the claim of one partition, for the sweepers of the timers service (synchronous, it runs in a thread),
and the name of a member. Not here: setting, moving and removing deadlines, which is done by the table's
commit in the same script as the state; carrying them out. Changes with claim.lua and keys.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import redis

from servito_platform.keys import Keys, is_id
from servito_platform.redis import Script

_CLAIM: Final = Script.of_package("servito_platform", "claim.lua")


@dataclass(frozen=True)
class Due:
    """A deadline that somebody has to carry out: the turn (an integer of the table's own) that it may end."""

    table_id: str
    turn: int
    late_ms: int
    """How long ago it was due. After a claim that came to nothing: how long ago that claim's lease ended."""

    @classmethod
    def of_member(cls, name: bytes, *, late_ms: int) -> Self:
        """The deadline that a member of the sorted set names; the opposite of `member`."""
        table_id, _, turn = name.decode().rpartition(":")
        return cls(table_id, int(turn), late_ms)


@dataclass(frozen=True)
class Claim:
    """What one claim found. `wait_ms`: until the next deadline or lease of the partition, None: has none."""

    server_ms: int
    wait_ms: int | None
    due: tuple[Due, ...]


class Deadlines:
    """Claims for a fixed number of partitions; one for each thread."""

    def __init__(self, client: redis.Redis, keys: Keys) -> None:
        self._client = client
        self._keys = keys

    def claim(self, partition: int, *, limit: int, lease_ms: int) -> Claim:
        """Take at most `limit` due deadlines out of others' reach for `lease_ms`, or StateUnavailable."""
        reply = _CLAIM.run_blocking(self._client, [self._keys.deadlines(partition)], [limit, lease_ms])
        now, wait = reply[0], reply[1]
        due = tuple(
            Due.of_member(name, late_ms=now - int(float(score)))
            for name, score in zip(reply[2::2], reply[3::2], strict=True)
        )
        return Claim(now, None if wait < 0 else wait, due)


def member(table_id: str, turn: int) -> str:
    """The name of a deadline in the sorted set: <table>:<turn>."""
    if not is_id(table_id) or turn < 0:
        raise ValueError("a deadline needs a table id and a turn of 0 or more")
    return f"{table_id}:{turn}"
