"""A sweep asks little of the state server where nothing is due, and sees at once what is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.place import read_place
from servito_timers.adapters.deadlines import RedisDeadlines
from servito_timers.app.ports import StateAway
from tests.modes.empty import empty

KEYS = Keys(8)
ALL = dict.fromkeys(range(8), 4)
pytestmark = pytest.mark.one_server


class Moment:
    """A clock that stands until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def client(state_place: str) -> Iterator[redis.Redis]:
    """Of an empty state."""
    with blocking_client(read_place(empty(state_place)), 5.0) as client:
        assert isinstance(client, redis.Redis)
        yield client


def swept(client: redis.Redis, moment: Moment) -> RedisDeadlines:
    """The deadlines of a worker that swept once."""
    own = RedisDeadlines(client, KEYS, worker="w", lease_seconds=1, outage_ms=2_000, clock=moment)
    assert all(not claim.due for claim in own.claim(ALL, 0).found.values())
    return own


def claims(client: redis.Redis) -> int:
    """How many partitions were claimed by now."""
    stats: Any = client.info("commandstats")
    return sum(stats.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("evalsha", "eval"))


def server_ms(client: redis.Redis) -> int:
    """The server's clock."""
    seconds, micros = client.time()
    return int(seconds) * 1000 + int(micros) // 1000


def test_what_is_not_due_is_not_claimed(client: redis.Redis) -> None:
    """Within half a second no partition is claimed again; how long the next deadline takes is told."""
    moment = Moment()
    client.zadd(KEYS.deadlines(3), {"t:1": server_ms(client) + 5_000})
    own = swept(client, moment)
    before = claims(client)
    moment.now += 0.4
    found = own.claim(ALL, 0)
    assert claims(client) == before
    assert found.found == {}
    assert found.wait_seconds == pytest.approx(4.6, abs=0.3)


def test_what_was_set_meanwhile_is_claimed_by_the_next_sweep(client: redis.Redis) -> None:
    """In its partition alone."""
    moment = Moment()
    own = swept(client, moment)
    before = claims(client)
    client.zadd(KEYS.deadlines(5), {"t:1": server_ms(client) - 1})
    moment.now += 0.1
    found = own.claim(ALL, 0).found
    assert {number: [due.member for due in claim.due] for number, claim in found.items() if claim.due} == {
        5: ["t:1"]
    }
    assert claims(client) == before + 1
    assert found[5].wait_seconds == pytest.approx(1.0, abs=0.3)  # its lease


def test_every_partition_is_noted_once_a_second(client: redis.Redis) -> None:
    """After half a second all are claimed, and noted as swept: no outage ever seems to begin in between."""
    moment = Moment()
    own = swept(client, moment)
    for number in ALL:
        client.set(KEYS.sweep(number), server_ms(client) - 550)
    moment.now += 0.5
    own.claim(ALL, 0)
    noted: Any = [client.get(KEYS.sweep(number)) for number in ALL]
    assert min(map(int, noted)) > server_ms(client) - 500


def test_after_an_outage_the_clock_is_asked_anew(client: redis.Redis) -> None:
    """A server that takes over may have another clock: nothing that was told before counts."""
    moment = Moment()
    own = swept(client, moment)
    client.zadd(KEYS.deadlines(5), {"t:1": server_ms(client) + 60_000})
    client.execute_command("ACL", "SETUSER", "default", "-zrange")
    try:
        with pytest.raises(StateAway):
            own.claim(ALL, 0)
    finally:
        client.execute_command("ACL", "SETUSER", "default", "+zrange")
    before = claims(client)
    own.claim(ALL, 0)
    assert claims(client) == before + len(ALL)
