"""What waits for the archive, taken and thrown away: on a single server, under Sentinel and on a Cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servito_history.streams import Streams
from servito_platform.clients import BlockingClient, blocking_client, server_of
from servito_platform.place import read_place
from tests.history.feeding import EVERY, KEYS, Feeder
from tests.modes.empty import empty


@pytest.fixture
def client(state_place: str) -> Iterator[BlockingClient]:
    """Of an empty state."""
    with blocking_client(read_place(empty(state_place)), 5.0) as client:
        yield client


@pytest.fixture
def feeder(client: BlockingClient) -> Feeder:
    """Tells it of commits."""
    return Feeder(client)


def streams(client: BlockingClient, worker: str = "w", lease_seconds: float = 30) -> Streams:
    """A drainer's view."""
    return Streams(client, KEYS, worker=worker, lease_seconds=lease_seconds)


def test_what_is_taken_stays_until_it_is_thrown_away(client: BlockingClient, feeder: Feeder) -> None:
    """Taking removes nothing; throwing away removes exactly what was taken, and not what came since."""
    feeder.play(20, 12)
    own = streams(client)
    behind = own.behind()
    assert behind.entries == feeder.waiting() == 20 * 12 + 20 * 2
    assert 0 < behind.seconds < 60
    taken = own.take(behind.waiting, 1000)
    assert feeder.waiting() == sum(map(len, taken)) == behind.entries
    records = [each.commit.version for found in taken for each in found.commits if each.commit.record]
    assert records == [EVERY] * 20
    for number in range(20):
        feeder.commit(f"t{number}")
    assert own.trim(taken) == behind.entries
    assert feeder.waiting() == 20
    assert own.trim(taken) == 0
    assert feeder.carried() == {f"t{number}": 193 for number in range(20)}


def test_one_drains_a_partition_at_a_time(client: BlockingClient, feeder: Feeder) -> None:
    """Another one finds it empty until the first has thrown away what it took, or its lease is over."""
    feeder.play(20, 3)
    one, other = streams(client, "one"), streams(client, "other")
    everything = one.behind().waiting
    taken = one.take(everything, 2)
    assert other.take(everything, 2) == []
    assert [len(each) for each in one.take(everything, 2)] == [len(each) for each in taken]
    one.trim(taken)
    left = other.take(everything, 1000)
    assert sum(map(len, left)) == feeder.waiting() > 0
    for number in everything:
        server_of(client, KEYS.drain(number)).delete(KEYS.drain(number))
    assert sum(map(len, one.take(everything, 1000))) == feeder.waiting()


def test_another_entry_of_the_same_id_is_not_thrown_away(client: BlockingClient, feeder: Feeder) -> None:
    """After a failover the new primary may give an id again: what was archived is not what is there."""
    feeder.commit("t1", pays=100)
    own = streams(client)
    taken = own.take(own.behind().waiting, 10)
    [found] = taken
    audit, journal = KEYS.audit(found.partition), KEYS.journal(found.partition)
    name, paid = found.commits[0].id, found.payments[0].id
    client.delete(audit, journal)
    client.xadd(audit, {"t": "t1", "v": 1, "l": 77, "p": 0, "e": b""}, id=name)
    client.xadd(journal, {"j": b"\x0a\x02t1", "l": 77}, id=paid)
    assert own.trim(taken) == 0
    assert feeder.waiting() == 2
    assert feeder.carried() == {}


def test_where_the_end_was_lost_nothing_is_thrown_away(client: BlockingClient, feeder: Feeder) -> None:
    """Ten were read, a failover lost the last one, and another one got its id: all that is there waits on, is
    taken again, and then goes.
    """
    for _ in range(10):
        feeder.commit("t1")
    own = streams(client)
    taken = own.take([KEYS.partition("t1")], 100)
    audit, last = KEYS.audit(taken[0].partition), taken[0].commits[-1].id
    client.delete(audit)
    for name, commit, _ in taken[0].commits[:-1]:
        client.xadd(audit, {"t": "t1", "v": commit.version, "l": commit.lineage, "p": 0}, id=name)
    client.xadd(audit, {"t": "t1", "v": 10, "l": 77, "p": 9}, id=last)
    assert own.trim(taken) == 0
    assert feeder.waiting() == 10
    again = own.take([KEYS.partition("t1")], 100)
    assert [each.commit.lineage for each in again[0].commits][-1] == 77
    assert (own.trim(again), feeder.waiting()) == (10, 0)


def test_what_cannot_be_read_stays_among_what_goes(client: BlockingClient, feeder: Feeder) -> None:
    """Before, between and behind the others, in both streams."""
    audit, journal = KEYS.audit(KEYS.partition("t1")), KEYS.journal(KEYS.partition("t1"))
    strays = []
    for _ in range(3):
        strays += [client.xadd(audit, {"x": "1"}), client.xadd(journal, {"j": b"\xff"})]
        feeder.commit("t1", pays=10)
        feeder.commit("t1")
    strays.append(client.xadd(audit, {"t": "t1", "v": "1"}))
    own = streams(client)
    [found] = own.take([KEYS.partition("t1")], 100)
    assert (len(found.commits), len(found.payments), found.unreadable) == (6, 3, 7)
    assert own.trim([found]) == 9
    left: Any = [client.xrange(key) for key in (audit, journal)]
    assert {name for entries in left for name, _ in entries} == set(strays)
    assert feeder.carried() == {"t1": 30}


def test_what_waits_is_counted_by_partition(client: BlockingClient, feeder: Feeder) -> None:
    """Both streams of each; a partition without entries is not named."""
    assert streams(client).waiting() == {}
    feeder.commit("t1", pays=5)
    feeder.commit("t1")
    feeder.commit("t2")
    assert streams(client).waiting() == {KEYS.partition("t1"): 3, KEYS.partition("t2"): 1}


def test_an_entry_without_lineage_is_read(client: BlockingClient) -> None:
    """The journal of a release that noted none."""
    feeder = Feeder(client)
    feeder.commit("t1", pays=70)
    key = KEYS.journal(KEYS.partition("t1"))
    entries: Any = client.xrange(key)
    [(_, told)] = entries
    client.delete(key)
    client.xadd(key, {"j": told[b"j"]})
    [found] = streams(client).take([KEYS.partition("t1")], 10)
    assert [each.payment.lineage for each in found.payments] == [0]
