"""Sends claimed deadlines on their way: as tasks while the broker is good, and directly otherwise.

Used by the sweeper's thread alone; what other threads touch is in InFlight and BrokerWay.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from servito_timers.app.expiry import Expiry
from servito_timers.app.ports import Broker, BrokerAway, Route
from servito_timers.app.station import Station


class Dispatcher:
    """Makes claims of what was claimed in a sweep."""

    def __init__(self, station: Station, broker: Broker, expiry: Expiry) -> None:
        self._here = station
        self._broker = broker
        self._expiry = expiry
        self._names = (f"{station.worker}-{number}" for number in itertools.count())

    @property
    def room(self) -> int:
        """How many deadlines may be claimed now; where the sweeper does the work itself, one claim."""
        return self._here.tempo.members * (self._here.in_flight.free if self._here.way.good else 1)

    def settle(self) -> None:
        """Learn what became of the published claims, and try a broker that was away. May raise StateAway."""
        in_flight, way = self._here.in_flight, self._here.way
        if in_flight.waiting and (taken := self._here.deadlines.taken()):
            way.begun(in_time=in_flight.begun(taken))
        if lost := in_flight.lost():
            self._here.tally.lost(lost)
            way.unheard()
        if way.trial_due and not in_flight.waiting:
            self._publish(())

    def send(self, members: Sequence[str]) -> None:
        """Send what was claimed, in as many claims as it takes."""
        size = self._here.tempo.members
        for first in range(0, len(members), size):
            claim = members[first : first + size]
            if self._here.way.good and self._publish(claim):
                self._here.tally.handed_over(Route.BROKER)
            else:
                self._here.tally.handed_over(Route.DIRECT)
                self._expiry.carry_out(Route.DIRECT, claim)

    def _publish(self, members: Sequence[str]) -> bool:
        claim = next(self._names)
        self._here.in_flight.published(claim)
        try:
            self._broker.publish(claim, members)
        except BrokerAway:
            self._here.in_flight.withdrawn(claim)
            self._here.way.refused()
            return False
        return True
