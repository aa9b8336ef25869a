"""The drain: what tables committed goes from the state server to the archive, and only then is thrown away.

Theory. Entries wait in the state server until this worker or another one has them in the archive; each step
may be done twice and none may be left out. Take (under a lease, nothing is removed), store (all in one
transaction, what is there already is passed over), throw away (each entry that is still the one that was
read). A worker that dies anywhere leaves the entries where they were, and they are taken again when its lease
ends. An archive that is away costs room in the state server and nothing else: play never waits for it.
Where there is no archive at all, commits are thrown away when they are old. Changes with the adapters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Event
from typing import Final, Protocol

from servito_timers.app.ports import StateAway


class ArchiveAway(Exception):  # noqa: N818 - it says what is the case
    """The archive does not answer."""


class ArchiveRefused(Exception):  # noqa: N818 - it says what is the case
    """The archive does not take these entries; nothing of them is stored."""


class Failure(StrEnum):
    """Why something was not drained."""

    STATE = "state"
    """The state server did not answer."""
    SQL = "sql"
    """The archive did not answer."""
    ENTRY = "entry"
    """The archive did not take what it was given, or it could not be read; it waits where it is."""


class Taken(Protocol):
    """What was taken of one partition."""

    @property
    def partition(self) -> int:
        """Its number."""

    @property
    def unreadable(self) -> int:
        """Entries that are left where they are."""

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Stored:
    """Rows that were new."""

    events: int
    money: int


class Waiting(Protocol):
    """What waits in the state server. Every method may raise StateAway."""

    def waiting(self) -> Mapping[int, int]:
        """How many entries wait in each partition that has some."""

    def take(self, partitions: Sequence[int], most: int) -> Sequence[Taken]:
        """At most `most` entries of each stream of those where nobody else is draining."""

    def throw_away(self, taken: Sequence[Taken]) -> None:
        """What is archived now; the partitions are free for others, also those of which nothing was taken."""

    def forget(self, seconds: float) -> None:
        """Throw away commits that are older."""


class Archive(Protocol):
    """The archive. Every method may raise ArchiveAway or ArchiveRefused."""

    def prepare(self) -> None:
        """Get ready to store; to be repeated after a failure."""

    def store(self, taken: Sequence[Taken]) -> Stored:
        """All of it or nothing; what is there already is passed over."""


class DrainTally(Protocol):
    """What is counted and measured."""

    def drained(self, stored: Stored, seconds: float) -> None:
        """A batch is in the archive, and thrown away."""

    def failed(self, what: Failure, problem: Exception | int) -> None:
        """An attempt came to nothing, or so many entries cannot be read."""


_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 10.0
_KEPT: Final = 600.0
"""Seconds for which a commit is kept where there is no archive."""


class Drainer:
    """Drains in one thread until it is stopped: all that waits once in `pause` seconds, in batches of about
    `batch` entries, because each batch costs something and each table in it does. `archive`: None: there is
    none.
    """

    def __init__(
        self,
        waiting: Waiting,
        archive: Archive | None,
        tally: DrainTally,
        *,
        pause: float,
        batch: int,
        clock: Callable[[], float],
    ) -> None:
        self._waiting = waiting
        self._archive = archive
        self._tally = tally
        self._pause = pause
        self._batch = batch
        self._clock = clock
        self._stopped = Event()
        self._ready = False
        self._failures = 0

    def stop(self) -> None:
        """End after the batch that is stored now."""
        self._stopped.set()

    def run(self) -> None:
        """Drain until stopped."""
        while not self._stopped.is_set():
            try:
                more = self.drain()
            except StateAway as away:
                self._fail(Failure.STATE, away)
            except ArchiveAway as away:
                self._fail(Failure.SQL, away)
            except ArchiveRefused as refused:
                self._fail(Failure.ENTRY, refused)
            except Exception as fault:  # noqa: BLE001 - any fault at all: deadlines are not to suffer from it
                self._fail(Failure.ENTRY, fault)
            else:
                self._failures = 0
                self._stopped.wait(0 if more else self._pause)
                continue
            self._stopped.wait(min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**self._failures))

    def drain(self) -> bool:
        """All that waits, but of each partition a batch at the most; whether more waits there. StateAway,
        ArchiveAway; ArchiveRefused: it took nothing, for reasons that are told by then.
        """
        if self._archive is None:
            self._waiting.forget(_KEPT)
            return False
        if not self._ready:
            self._archive.prepare()
            self._ready = True
        stored: list[Taken] = []
        for partitions in _batches(self._waiting.waiting(), self._batch):
            if self._stopped.is_set():
                return False
            stored += self._drain(self._archive, partitions)
        if not self._ready and not stored:
            raise ArchiveRefused("nothing of what waits is taken")
        return any(len(each) >= self._batch for each in stored)

    def _drain(self, archive: Archive, partitions: Sequence[int]) -> Sequence[Taken]:
        """One batch; what is stored of it."""
        began = self._clock()
        taken = self._waiting.take(partitions, self._batch)
        if unreadable := sum(each.unreadable for each in taken):
            self._tally.failed(Failure.ENTRY, unreadable)
        if any(map(len, taken)):
            return self._store(archive, taken, began)
        self._waiting.throw_away(taken)
        return ()

    def _store(self, archive: Archive, taken: Sequence[Taken], began: float) -> Sequence[Taken]:
        """In one transaction; where something in it is refused, partition by partition, so that it holds up
        its own alone. Those that are stored.
        """
        try:
            stored = archive.store(taken)
        except ArchiveRefused as refused:
            self._ready = False
            self._tally.failed(Failure.ENTRY, refused)
            if len(taken) == 1:
                return ()
            return [each for one in taken for each in self._store(archive, [one], self._clock())]
        self._waiting.throw_away(taken)
        self._tally.drained(stored, self._clock() - began)
        return taken

    def _fail(self, what: Failure, problem: Exception) -> None:
        self._failures += 1
        self._ready = False
        self._tally.failed(what, problem)


def _batches(waiting: Mapping[int, int], most: int) -> Iterator[Sequence[int]]:
    """Partitions in groups that have about `most` entries together, or one that has more alone."""
    group: list[int] = []
    entries = 0
    for partition, own in waiting.items():
        if group and entries + own > most:
            yield group
            group, entries = [], 0
        group.append(partition)
        entries += own
    if group:
        yield group
