"""Carrying out claims: as a task that came through the broker, or directly for the sweeper."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from servito_timers.app.ports import Route, StateAway, Table, TableAway
from servito_timers.app.station import Station


class Expiry:
    """Calls the table service once for each claim.

    A call that fails is counted and not repeated: its deadlines come back by themselves when their lease
    ends.
    """

    def __init__(self, station: Station, table: Table) -> None:
        self._here = station
        self._table = table

    def run_task(self, worker: str, claim: str, members: Sequence[str]) -> None:
        """Carry out a claim that `worker` published; one without members is a trial of the broker."""
        self._here.in_flight.runs()
        try:
            self._begin(worker, claim)
            self.carry_out(Route.BROKER, members)
        finally:
            self._here.in_flight.ran()
            self._here.changed.set()

    def carry_out(self, route: Route, members: Sequence[str]) -> None:
        """One call for all `members`, at most 256."""
        if not members:
            return
        begun = self._here.clock()
        try:
            with self._here.reach.asked():
                results = self._table.expire(members)
        except TableAway:
            self._here.tally.failed(route)
        else:
            self._here.tempo.took(len(members), self._here.clock() - begun)
            self._here.tally.carried_out(route, results)

    def _begin(self, worker: str, claim: str) -> None:
        if worker != self._here.worker:
            with suppress(StateAway):  # the other worker then gives the claim up as lost, which harms nobody
                self._here.deadlines.tell_taken(worker, claim)
        else:
            self._here.way.begun(in_time=self._here.in_flight.begun([claim]))
