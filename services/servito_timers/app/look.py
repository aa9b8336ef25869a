"""The look: one worker goes through everything that is stored, again and again, and counts.

It finds what no single commit can see: chips that appeared or vanished, tables that stand still, deadlines
that nobody carries out. It changes nothing. A round goes partition by partition, evenly
over its time, so that the state server never has to hand out much at once; which worker looks is agreed by a
claim that runs out by itself. Not here: what is counted (the port `Witness`), and what happens then, which is
a person's part (alerts on the metrics).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from threading import Event
from typing import Protocol, Self

from servito_timers.app.ports import StateAway


class Round(StrEnum):
    """What a round came to."""

    RIGHT = "right"
    WRONG = "wrong"
    """At some table there is a chip too few or too many."""
    UNREADABLE = "unreadable"
    """Something that is stored cannot be read, so its chips are not known; nothing wrong in the rest."""
    UNANSWERED = "unanswered"
    """The state server did not answer in the middle of it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What is stored in a partition, or in several: numbers of each."""

    tables: int = 0
    hands: int = 0
    """That are being played."""
    stuck: int = 0
    """Tables that stand still."""
    deadlines: int = 0
    overdue: int = 0
    """Deadlines that are due for longer than anybody takes."""
    in_play: int = 0
    bought_in: int = 0
    difference: int = 0
    """Chips too many or too few, table by table, so that one does not hide another."""
    unreadable: int = 0
    """Tables or partitions of which something cannot be read."""

    def __add__(self, other: Self) -> Self:
        """Both together."""
        pairs = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        return type(self)(**pairs)

    @property
    def outcome(self) -> Round:
        """Of a round that saw this."""
        if self.difference:
            return Round.WRONG
        return Round.UNREADABLE if self.unreadable else Round.RIGHT


class Witness(Protocol):
    """Sees what is stored. Every method may raise StateAway."""

    def mine(self) -> bool:
        """Whether it is this worker that looks; asking claims it, or keeps it, for some rounds."""

    def look(self, partition: int) -> Sight:
        """What is stored there, from one moment."""


class LookTally(Protocol):
    """What the looks are told to."""

    def looked(self, outcome: Round, sight: Sight) -> None:
        """A round has ended; `sight`: of all partitions, or of those before it broke off."""

    def looks_elsewhere(self) -> None:
        """Another worker looks now."""


class Looker:
    """Looks in one thread until it is stopped, once in `seconds`."""

    def __init__(
        self,
        witness: Witness,
        tally: LookTally,
        *,
        partitions: int,
        seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._witness = witness
        self._tally = tally
        self._partitions = partitions
        self._pause = seconds / partitions
        self._seconds = seconds
        self._clock = clock
        self._stopped = Event()
        self._looked_at = clock()

    @property
    def age(self) -> float:
        """Seconds since this worker saw everything; before the first time, since the start."""
        return self._clock() - self._looked_at

    def stop(self) -> None:
        """End after the partition that is looked at now."""
        self._stopped.set()

    def run(self) -> None:
        """Look until stopped."""
        while not self._stopped.is_set():
            try:
                mine = self._witness.mine()
            except StateAway:
                self._tally.looked(Round.UNANSWERED, Sight())
                mine = False
            else:
                if not mine:
                    self._tally.looks_elsewhere()
            if mine:
                self.round()
            else:
                self._stopped.wait(self._seconds)

    def round(self) -> None:
        """One round, in the time that it is given; what it came to is told, but for one that was stopped."""
        seen = Sight()
        for partition in range(self._partitions):
            try:
                seen += self._witness.look(partition)
            except StateAway:
                self._tally.looked(Round.UNANSWERED, seen)
                self._stopped.wait(self._seconds)
                return
            if self._stopped.wait(self._pause):
                return
        self._looked_at = self._clock()
        self._tally.looked(seen.outcome, seen)
