"""The sweep: claims the due deadlines of every partition and sends them on their way, again and again.

Theory. A deadline leaves the sorted set only by the commit that consumes it, so a sweeper can die anywhere:
what it claimed comes back when the lease ends, and any sweeper claims it then. No more is claimed than can be
carried out, so that leases do not run out in a queue. A sweep asks all partitions in one round trip, each for
its share of the room, and then once more those that have more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from typing import Final

from servito_timers.app.dispatch import Dispatcher
from servito_timers.app.ports import Outage, StateAway
from servito_timers.app.station import Station

_LEAST_PAUSE: Final = 0.01
"""Seconds between two sweeps even when something is due: so that a claim carries several deadlines."""
_TOGETHER_MS: Final = 1_000
_NEWS: Final = 5.0
"""Seconds after which a worker that starts does not tell of an outage any more."""


class Sweeper:
    """Sweeps in one thread until it is stopped, with pauses of `pause` seconds at most."""

    def __init__(self, station: Station, dispatcher: Dispatcher, *, partitions: int, pause: float) -> None:
        self._here = station
        self._dispatcher = dispatcher
        self._partitions = list(range(partitions))
        self._pause = pause
        self._stopped = Event()
        self._outage = 0
        self._swept_at = self._tried_at = station.clock()

    @property
    def still(self) -> float:
        """Seconds since the last sweep ended, answered or not: what a loop that hangs lets grow."""
        return self._here.clock() - self._tried_at

    @property
    def age(self) -> float:
        """Seconds since the last sweep that the state server answered; before the first, since the start."""
        return self._here.clock() - self._swept_at

    def stop(self) -> None:
        """End after the sweep that runs now."""
        self._stopped.set()
        self._here.changed.set()

    def run(self, swept: Callable[[], None]) -> None:
        """Sweep until stopped; `swept` is called after each sweep that the state server answered."""
        while not self._stopped.is_set():
            self._here.changed.clear()
            try:
                pause = self.sweep()
            except StateAway:
                self._here.tally.sweep_failed()
                pause = self._pause
            else:
                swept()
            self._tried_at = self._here.clock()
            if self._here.changed.wait(pause):
                self._stopped.wait(_LEAST_PAUSE)

    def sweep(self) -> float:
        """One sweep; seconds until the next one should follow at the latest. StateAway."""
        self._dispatcher.settle()
        begun = self._here.clock()
        members, wait = self._claim(self._dispatcher.room)
        self._swept_at = self._here.clock()
        self._here.tally.swept(self._swept_at - begun)
        self._dispatcher.send(members)
        if self._dispatcher.room:
            return max(_LEAST_PAUSE, min(wait, self._pause))
        return self._pause  # nothing can be done before a claim ends, which is told by `changed`

    def _claim(self, room: int) -> tuple[list[str], float]:
        """Claim at most `room` deadlines; their members, and seconds until the next one is due."""
        members: list[str] = []
        wait, silent = self._pause, self._here.reach.silent_seconds
        asked = self._rotated()
        while asked:
            claims = self._here.deadlines.claim(_shares(room - len(members), asked), silent)
            found = claims.found
            for claim in found.values():
                if claim.due:
                    self._here.tally.claimed(claim.due)
                self._heed(claim.outage)
                if claim.unreadable:
                    self._here.tally.unreadable(claim.unreadable)
                members += (due.member for due in claim.due)
            waits = [claims.wait_seconds, *(claim.wait_seconds for claim in found.values())]
            wait = min([wait, *(each for each in waits if each is not None)])
            asked = [partition for partition, claim in found.items() if claim.wait_seconds == 0]
            if len(members) >= room:
                break
        return members, wait

    def _heed(self, outage: Outage | None) -> None:
        """Tell of an outage once, whoever noted it: partitions note it within moments of each other."""
        if outage is not None and outage.number > self._outage + _TOGETHER_MS:
            self._outage = outage.number
            if outage.ended_seconds < _NEWS:
                self._here.tally.outage(outage.seconds)

    def _rotated(self) -> list[int]:
        """All partitions, another one first each time: the first ones get more when there is little room."""
        self._partitions.append(self._partitions.pop(0))
        return self._partitions


def _shares(room: int, partitions: Sequence[int]) -> dict[int, int]:
    """How many deadlines each partition may give: never more than `room` together."""
    each, left = divmod(room, len(partitions))
    return {partition: each + (place < left) for place, partition in enumerate(partitions)}
