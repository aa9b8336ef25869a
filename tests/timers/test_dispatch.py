"""How claims are shared out and sent, with ports in memory and a clock that a test sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from servito_platform.place import read_place
from servito_timers.app.dispatch import Dispatcher
from servito_timers.app.expiry import Expiry
from servito_timers.app.in_flight import InFlight
from servito_timers.app.ports import BrokerAway, Claim, Claims, Due, Result, Route, StateAway, TableAway
from servito_timers.app.reach import Reach
from servito_timers.app.station import Station
from servito_timers.app.sweep import Sweeper
from servito_timers.app.tempo import FIRST, LEAST, Tempo
from servito_timers.app.way import BrokerWay
from servito_timers.tasks.celery_app import new_celery
from servito_timers.tasks.expire import register

PARTITIONS = 8


class Memory:
    """Every port in memory: deadlines by partition, published claims, calls, counts."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: dict[int, list[str]] = {partition: [] for partition in range(PARTITIONS)}
        self.asked: list[Mapping[int, int]] = []
        self.claims: list[tuple[str, Sequence[str]]] = []
        self.calls: list[Sequence[str]] = []
        self.begun_elsewhere: list[str] = []
        self.told: list[tuple[str, str]] = []
        self.silent = -1.0
        self.outages: list[float] = []
        self.results: list[tuple[Route, Result]] = []
        self.broker_away = self.state_away = self.table_away = False
        self.lost_claims = self.failed_sweeps = 0
        self.failed_calls: list[Route] = []

    def claim(self, limits: Mapping[int, int], silent_seconds: float) -> Claims:
        """Deadlines."""
        if self.state_away:
            raise StateAway
        self.silent = silent_seconds
        self.asked.append(dict(limits))
        found = {}
        for partition, limit in limits.items():
            taken, self.due[partition] = self.due[partition][:limit], self.due[partition][limit:]
            wait = 0.0 if self.due[partition] else None
            found[partition] = Claim(tuple(Due(name, 0.01) for name in taken), wait)
        return Claims(found)

    def tell_taken(self, worker: str, claim: str) -> None:
        """Deadlines."""
        self.told.append((worker, claim))

    def taken(self) -> Sequence[str]:
        """Deadlines."""
        begun, self.begun_elsewhere = self.begun_elsewhere, []
        return begun

    def publish(self, claim: str, members: Sequence[str]) -> None:
        """Broker."""
        if self.broker_away:
            raise BrokerAway
        self.claims.append((claim, members))

    def expire(self, members: Sequence[str]) -> Sequence[Result]:
        """Table."""
        if self.table_away:
            raise TableAway
        self.calls.append(members)
        return [Result.EXPIRED] * len(members)

    def swept(self, seconds: float) -> None:
        """Tally."""

    def sweep_failed(self) -> None:
        """Tally."""
        self.failed_sweeps += 1

    def outage(self, seconds: float) -> None:
        """Tally."""
        self.outages.append(seconds)

    def claimed(self, due: Sequence[Due]) -> None:
        """Tally."""

    def unreadable(self, members: int) -> None:
        """Tally."""

    def handed_over(self, route: Route) -> None:
        """Tally."""

    def lost(self, claims: int) -> None:
        """Tally."""
        self.lost_claims += claims

    def carried_out(self, route: Route, results: Sequence[Result]) -> None:
        """Tally."""
        self.results += [(route, result) for result in results]

    def failed(self, route: Route) -> None:
        """Tally."""
        self.failed_calls.append(route)


class Bench:
    """The use cases on a Memory: claims of at most 10 deadlines, 4 at a time."""

    def __init__(self) -> None:
        self.memory = memory = Memory()

        def clock() -> float:
            return memory.now

        self.way = BrokerWay(clock)
        self.station = Station(
            "me",
            memory,
            memory,
            InFlight(4, patience=1.0, clock=clock),
            self.way,
            clock,
            Reach(clock),
            Tempo(10, 100.0),
        )
        self.expiry = Expiry(self.station, memory)
        self.dispatcher = Dispatcher(self.station, memory, self.expiry)
        self.sweeper = Sweeper(self.station, self.dispatcher, partitions=PARTITIONS, pause=0.1)

    def begin(self, number: int) -> None:
        """Carry out a published claim as this worker's own task."""
        claim, members = self.memory.claims[number]
        self.expiry.run_task("me", claim, members)


@pytest.fixture
def bench() -> Bench:
    """A worker whose broker is not yet known to be good."""
    return Bench()


@pytest.fixture
def good(bench: Bench) -> Bench:
    """A worker whose first trial was begun."""
    bench.sweeper.sweep()
    bench.begin(0)
    bench.memory.claims.clear()
    bench.memory.asked.clear()
    return bench


def test_broker_is_tried_with_an_empty_claim(bench: Bench) -> None:
    """Until a trial is begun the sweeper does the work itself, and the trial makes no deadline late."""
    bench.memory.due[3] = ["a:1"]
    bench.sweeper.sweep()
    assert bench.memory.calls == [["a:1"]]
    assert bench.memory.results == [(Route.DIRECT, Result.EXPIRED)]
    assert [members for _, members in bench.memory.claims] == [()]
    bench.begin(0)
    assert bench.way.good
    assert bench.memory.calls == [["a:1"]]


def test_no_more_is_claimed_than_fits(good: Bench) -> None:
    """The shares of the partitions are the room together, and what does not fit stays where it is."""
    for partition in range(PARTITIONS):
        good.memory.due[partition] = [f"p{partition}n{number}:1" for number in range(20)]
    assert good.sweeper.sweep() == 0.1
    assert [sum(limits.values()) for limits in good.memory.asked] == [40]
    assert [len(members) for _, members in good.memory.claims] == [10, 10, 10, 10]
    assert sum(map(len, good.memory.due.values())) == PARTITIONS * 20 - 40
    good.sweeper.sweep()
    assert len(good.memory.claims) == 4
    good.begin(0)
    good.sweeper.sweep()
    assert len(good.memory.claims) == 5


def test_partition_with_much_is_asked_again(good: Bench) -> None:
    """What other partitions leave of the room goes to those that have more."""
    good.memory.due[5] = [f"t{number}:1" for number in range(30)]
    good.sweeper.sweep()
    assert [len(members) for _, members in good.memory.claims] == [10, 10, 10]
    assert set(good.memory.asked[1]) == {5}


def test_broker_that_refuses_is_avoided(good: Bench) -> None:
    """A claim that cannot be published is carried out at once, and so are the next ones until a trial is
    begun.
    """
    good.memory.broker_away = True
    good.memory.due[0] = ["a:1"]
    good.sweeper.sweep()
    good.memory.due[0] = ["b:1"]
    good.sweeper.sweep()
    assert good.memory.calls == [["a:1"], ["b:1"]]
    good.memory.broker_away = False
    good.memory.now = 1.0
    good.sweeper.sweep()
    good.begin(0)
    good.memory.due[0] = ["c:1"]
    good.sweeper.sweep()
    assert good.memory.claims[-1][1] == ["c:1"]


def test_claim_that_nobody_begins_is_lost(good: Bench) -> None:
    """After its patience the worker stops waiting for a claim, works by itself, and counts how long it is
    unheard.
    """
    good.memory.due[0] = ["a:1"]
    good.sweeper.sweep()
    assert good.station.in_flight.count == 1
    good.memory.now = 1.5
    good.sweeper.sweep()
    assert (good.station.in_flight.count, good.memory.lost_claims, good.way.good) == (0, 1, False)
    good.memory.now = 5.0
    good.sweeper.sweep()  # a trial, unheard as well
    good.memory.now = 9.5
    good.sweeper.sweep()
    assert good.way.deaf_seconds == 8.0
    good.begin(-1)  # late, but somebody hears
    assert (good.way.deaf_seconds, good.way.good) == (0.0, False)


def test_claim_begun_elsewhere_is_not_waited_for(good: Bench) -> None:
    """A claim that another worker took is no longer under way here; a foreign claim is reported to its
    maker.
    """
    good.memory.due[0] = ["a:1"]
    good.sweeper.sweep()
    good.memory.begun_elsewhere = [good.memory.claims[0][0]]
    good.sweeper.sweep()
    assert good.station.in_flight.count == 0
    good.expiry.run_task("other", "other-7", ["b:1"])
    assert good.memory.told == [("other", "other-7")]
    assert good.memory.calls == [["b:1"]]


def test_failed_call_is_counted_and_frees_its_place(good: Bench) -> None:
    """A table service that does not answer costs its claim and nothing else."""
    good.memory.table_away = True
    good.memory.due[0] = ["a:1"]
    good.sweeper.sweep()
    good.begin(0)
    assert (good.memory.failed_calls, good.station.in_flight.free) == ([Route.BROKER], 4)


def test_sweep_that_is_not_answered_ages(good: Bench) -> None:
    """The age of the last sweep grows while the state server is away."""
    good.memory.now = 2.0
    good.sweeper.sweep()
    good.memory.state_away = True
    good.memory.now = 7.0
    with pytest.raises(StateAway):
        good.sweeper.sweep()
    assert good.sweeper.age == 5.0


def test_running_sweeper_survives_an_outage(good: Bench) -> None:
    """The loop counts the sweeps that failed, goes on, and ends when it is stopped."""
    good.memory.state_away = True
    sweeps = 0
    sweep = good.sweeper.sweep

    def once_more() -> float:
        nonlocal sweeps
        sweeps += 1
        good.memory.state_away = sweeps < 3
        return sweep()

    good.sweeper.sweep = once_more  # type: ignore[method-assign]  # to see the loop from inside
    good.sweeper.run(good.sweeper.stop)
    assert (good.memory.failed_sweeps, sweeps) == (2, 3)


def test_a_sweeper_that_nobody_answers_is_alive(good: Bench) -> None:
    """A sweep that is tried and fails ages the last one that did not, and is none that hangs."""
    good.memory.state_away, good.memory.now = True, 9.0
    assert (good.sweeper.still, good.sweeper.age) == (9.0, 9.0)
    sweep = good.sweeper.sweep

    def last() -> float:
        good.sweeper.stop()
        return sweep()

    good.sweeper.sweep = last  # type: ignore[method-assign]  # to end after one
    good.sweeper.run(lambda: None)
    assert (good.sweeper.still, good.sweeper.age) == (0.0, 9.0)


def test_a_message_of_a_newer_release_is_understood() -> None:
    """What it adds goes by name; the release before carries out what it knows."""
    ran: list[tuple[str, str, Sequence[str]]] = []
    app = new_celery(read_place("redis://127.0.0.1:1/0"))
    task = register(app, lambda worker, claim, members: ran.append((worker, claim, members)))
    task("w", "w-1", ["t1:4"], epoch=7)
    assert ran == [("w", "w-1", ["t1:4"])]


def test_claims_are_as_large_as_can_be_carried_out_within_their_lease() -> None:
    """A call that takes most of the lease had too many, a short one that was full too few; between bounds."""
    tempo = Tempo(256, 1.0)
    assert tempo.members == FIRST
    sizes = []
    for _ in range(20):
        tempo.took(tempo.members, 0.3 + tempo.members * 0.01)  # thirty is what fits
        sizes.append(tempo.members)
    assert sizes[:3] == [44, 30, 30]
    assert set(sizes[3:]) == {30}
    tempo.took(1, 0.001)
    tempo.took(5, 0.9)
    assert tempo.members == 30
    for _ in range(20):
        tempo.took(tempo.members, 5.0)
    assert tempo.members == LEAST
    for _ in range(20):
        tempo.took(tempo.members, 0.02)
    assert tempo.members == 256


def test_a_sweep_takes_no_more_than_fits_the_tempo(good: Bench) -> None:
    """Each claim is smaller where the table service is slow."""
    good.station.tempo.took(10, 80.0)  # of a lease of a hundred
    for partition in range(PARTITIONS):
        good.memory.due[partition] = [f"p{partition}n{number}:1" for number in range(20)]
    good.sweeper.sweep()
    assert [len(members) for _, members in good.memory.claims] == [LEAST] * 4
