"""How the drain goes through what waits: in large batches, and nothing that is refused holds up the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Thread

import pytest

from servito_timers.app.drain import ArchiveRefused, Drainer, Failure, Stored, Taken


@dataclass
class Entries:
    """What was taken of a partition."""

    partition: int
    number: int
    unreadable: int = 0

    def __len__(self) -> int:
        return self.number


@dataclass
class Memory:
    """State server, archive and tally in one: numbers of entries; `refused`: partitions whose are."""

    entries: dict[int, int]
    refused: set[int] = field(default_factory=set)
    elsewhere: set[int] = field(default_factory=set)
    unreadable: dict[int, int] = field(default_factory=dict)
    stored: list[list[int]] = field(default_factory=list)
    given_back: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    prepared: int = 0

    def waiting(self) -> Mapping[int, int]:
        """See Waiting."""
        both = self.entries | {
            number: self.entries.get(number, 0) + more for number, more in self.unreadable.items()
        }
        return {number: entries for number, entries in both.items() if entries}

    def take(self, partitions: Sequence[int], most: int) -> Sequence[Taken]:
        """See Waiting."""
        return [
            Entries(number, min(most, self.entries.get(number, 0)), self.unreadable.get(number, 0))
            for number in partitions
            if number not in self.elsewhere
        ]

    def throw_away(self, taken: Sequence[Taken]) -> None:
        """See Waiting."""
        for each in taken:
            self.given_back.append(each.partition)
            if len(each):
                self.entries[each.partition] -= len(each)

    def forget(self, seconds: float) -> None:
        """Nobody is without an archive here."""
        raise AssertionError(seconds)

    def prepare(self) -> None:
        """See Archive."""
        self.prepared += 1

    def store(self, taken: Sequence[Taken]) -> Stored:
        """See Archive."""
        if self.refused & {each.partition for each in taken}:
            raise ArchiveRefused("no")
        self.stored.append([each.partition for each in taken])
        return Stored(sum(map(len, taken)), 0)

    def drained(self, stored: Stored, seconds: float) -> None:
        """See DrainTally."""

    def failed(self, what: Failure, problem: Exception | int) -> None:
        """See DrainTally."""
        self.failures += [what] * (problem if isinstance(problem, int) else 1)


def drainer(memory: Memory, batch: int = 100) -> Drainer:
    """One over it."""
    return Drainer(memory, memory, memory, pause=60, batch=batch, clock=lambda: 0.0)


def test_a_pass_drains_everything_in_full_batches() -> None:
    """Small partitions share a batch, a large one has its own, and nothing is left; what came late waits."""
    memory = Memory({1: 40, 2: 50, 3: 30, 4: 100, 5: 1})
    assert drainer(memory).drain()  # the fourth may have more: it gave as much as it may
    assert memory.stored == [[1, 2], [3], [4], [5]]
    assert not memory.waiting()
    assert not drainer(memory).drain()


def test_of_each_partition_a_batch_at_a_time() -> None:
    """A backlog in one is drained beside the others, and the drain goes on without a pause."""
    memory = Memory({1: 250, 2: 20})
    own = drainer(memory)
    assert own.drain()
    assert memory.waiting() == {1: 150}
    assert own.drain()
    assert not own.drain()
    assert memory.stored == [[1], [2], [1], [1]]
    assert not memory.waiting()


def test_what_is_refused_holds_up_its_own_partition_alone() -> None:
    """It is counted and waits; the others of its batch and all other batches are stored, and the drain pauses
    although the partition is full.
    """
    memory = Memory({1: 40, 2: 50, 3: 100, 4: 20}, refused={2, 3})
    own = drainer(memory)
    assert not own.drain()
    assert memory.stored == [[1], [4]]
    assert memory.waiting() == {2: 50, 3: 100}
    assert memory.failures == [Failure.ENTRY] * 3  # the batch, and each of the two
    with pytest.raises(ArchiveRefused):
        own.drain()
    assert memory.prepared == 2


def test_partitions_of_others_are_left_to_them() -> None:
    """Nothing of them is taken, stored or given back."""
    memory = Memory({1: 40, 2: 50}, elsewhere={1})
    assert not drainer(memory).drain()
    assert memory.waiting() == {1: 40}
    assert memory.given_back == [2]


def test_a_partition_of_which_nothing_can_be_read_is_given_back() -> None:
    """And the drain does not run in circles over it, however much it is."""
    memory = Memory({}, unreadable={7: 300})
    assert not drainer(memory).drain()
    assert memory.given_back == [7]
    assert memory.failures == [Failure.ENTRY] * 300


def test_a_pass_ends_between_two_batches_when_it_is_told_to() -> None:
    """A worker that stops does not drain a backlog first."""
    memory = Memory(dict.fromkeys(range(8), 100))
    own = drainer(memory)
    store = memory.store

    def stops(taken: Sequence[Taken]) -> Stored:
        own.stop()
        return store(taken)

    memory.store = stops  # type: ignore[method-assign]  # to stop it from inside
    thread = Thread(target=own.run)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    assert memory.stored == [[0]]
