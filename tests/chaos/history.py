"""What the state server says happened at each table: every commit, read from its stream as it comes.

An independent reader: it knows the stored form and the key names and none of the code that writes them. A
commit that is replaced by another one of its version, or is gone, was lost by a failover: it moves to `lost`.
Here: the reading and the course of a table. Not here: judging it (checks.py).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import redis

from servito.table.v1 import store_pb2 as store
from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.place import read_place
from servito_platform.redis import StateUnavailable, send_each
from tests.table.opened import commit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KEYS: Final = Keys(64)
_SECONDS: Final = 2.0
"""How long a server may take to answer; one that is frozen is asked again later."""
_PAUSE: Final = 0.4
_AT_ONCE: Final = 256
_AWAY: Final = (redis.RedisError, OSError, StateUnavailable)


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit. Times are the server's, in ms; `deadline` 0: the turn has none."""

    version: int
    commit: store.StoredCommit
    now: int
    started: int
    deadline: int

    @classmethod
    def read(cls, table_id: str, raw: Any) -> Entry:
        """Of one entry of a table's stream; its seal is opened."""
        name, told = raw
        fields = dict(zip(told[::2], told[1::2], strict=True))
        commit = commit_of(table_id, fields)
        times = (int(fields[key]) for key in (b"n", b"t", b"d"))
        return cls(int(name.partition(b"-")[0]), commit, *times)


@dataclass
class Course:
    """The commits of one table that hold, in order; those that were lost; how often some were."""

    table_id: str
    entries: list[Entry] = field(default_factory=list)
    lost: list[Entry] = field(default_factory=list)
    rewinds: int = 0
    unread: int = 0
    """Commits that were trimmed before anybody read them: nothing can be said of them."""

    @property
    def version(self) -> int:
        """The last version that was read."""
        return self.entries[-1].version if self.entries else 0

    def extend(self, found: Sequence[Entry]) -> bool:
        """Take in what follows, beginning with the last commit that is known; False: it is not the same."""
        if self.entries:
            if not found or not _same(found[0], self.entries[-1]):
                return False
            found = found[1:]
        for entry in found:
            if entry.version > self.version + 1:
                self.unread += entry.version - self.version - 1
            self.entries.append(entry)
        return True

    def rewind(self, whole: Sequence[Entry]) -> None:
        """The stream, read as a whole, has another past: keep what is common, and go on with it."""
        self.rewinds += 1
        there = {entry.version: entry for entry in whole}
        while self.entries and not (self.version in there and _same(there[self.version], self.entries[-1])):
            self.lost.append(self.entries.pop())
        self.extend([entry for entry in whole if entry.version >= self.version])

    def told(self) -> str:
        """All of it for people, a line each: server ms, whether it was lost, version, turn, hand, events."""
        entries = [(each.now, "lost", each) for each in self.lost]
        entries += [(each.now, "", each) for each in self.entries]
        return "".join(
            f"{now} {fate:4} v{each.version} turn {each.commit.turn} hand {each.commit.hand}"
            f" {' '.join(event.WhichOneof('event') or '?' for event in each.commit.events)}\n"
            for now, fate, each in sorted(entries, key=lambda entry: (entry[0], entry[2].version))
        )


class Histories:
    """The courses of all tables that are followed."""

    def __init__(self, state_url: str) -> None:
        self._client = blocking_client(read_place(state_url), _SECONDS)
        self.courses: dict[str, Course] = {}

    def follow(self, table_id: str) -> None:
        """Read this table's commits from now on."""
        self.courses.setdefault(table_id, Course(table_id))

    async def keep_reading(self) -> None:
        """Until cancelled."""
        while True:
            await asyncio.sleep(_PAUSE)
            with suppress(*_AWAY):
                await asyncio.to_thread(self.read)

    def read(self) -> None:
        """Read all that is new; raises what redis-py raises when a server is away. Blocking."""
        ids = list(self.courses)
        for first in range(0, len(ids), _AT_ONCE):
            self._read(ids[first : first + _AT_ONCE])

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def server_ms(self) -> int:
        """The clock of a state server."""
        answer = send_each(self._client, [(KEYS.deadlines(0), ("TIME",))])[0]
        if isinstance(answer, Exception):
            raise answer
        seconds, micros = answer
        return int(seconds) * 1000 + int(micros) // 1000

    def _read(self, ids: Iterable[str]) -> None:
        courses = [self.courses[table_id] for table_id in ids]
        commands = [
            (KEYS.events(c.table_id), ("XRANGE", KEYS.events(c.table_id), f"{c.version}-0", "+"))
            for c in courses
        ]
        moved = []
        for course, answer in zip(courses, send_each(self._client, commands), strict=True):
            if isinstance(answer, Exception):
                continue  # its server is away; the next reading goes on where this one would have
            if not course.extend([Entry.read(course.table_id, raw) for raw in answer]):
                moved.append(course)
        for course in moved:
            name = KEYS.events(course.table_id)
            answer = send_each(self._client, [(name, ("XRANGE", name, "-", "+"))])[0]
            if not isinstance(answer, Exception):
                course.rewind([Entry.read(course.table_id, raw) for raw in answer])


def _same(one: Entry, other: Entry) -> bool:
    return one == other
