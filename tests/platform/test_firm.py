"""Writes that replicas acknowledge: what is called safe is there, nobody waits long for who hangs."""

from __future__ import annotations

import asyncio
from contextlib import closing, contextmanager
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from prometheus_client import generate_latest

from servito_local.ports import HOST, Reservations
from servito_platform.firm import FirmLane, new_firm_lane
from servito_platform.metrics import new_registry
from servito_platform.place import read_place
from servito_platform.redis import Script, StateUnavailable
from servito_platform.replicas import Replicas
from servito_platform.state import new_lane
from tests.modes.servers import Server, hears
from tests.modes.until import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client import CollectorRegistry

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
READ = Script("return redis.call('GET', KEYS[1])")
WAIT = 1.0
"""Seconds that a replica has: far longer than it takes, also on a busy machine."""
PATIENT = 20.0


class Pair:
    """A primary and its replica."""

    def __init__(self, primary: Server, replica: Server) -> None:
        self.primary = primary
        self.replica = replica
        self.place = read_place(f"redis://{HOST}:{primary.port}/0")
        self.registry: CollectorRegistry = new_registry()

    def connected(self) -> bool:
        """The replica hears what the primary does."""
        return hears(self.primary)

    def lane(self, *, strict: bool = False, wanted: int = 1, wait: float = WAIT) -> FirmLane:
        """A connection that waits for the replica, for so many seconds."""
        lane = new_firm_lane(self.place, 20.0, Replicas(wanted, wait, strict), self.registry)
        assert lane is not None
        return lane

    def rounds(self, outcome: str) -> int:
        """How many rounds came to that."""
        name = f'servito_state_acknowledgements_total{{outcome="{outcome}"}}'
        lines = generate_latest(self.registry).decode().splitlines()
        return int(float(next(line.split()[-1] for line in lines if line.startswith(name))))


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers, of which the second replicates the first."""
    directory = tmp_path_factory.mktemp("pair")
    with Reservations() as ports, closing(Server(ports.reserve(), directory / "p")) as primary:
        of = f"{HOST} {primary.port}"
        with closing(Server(ports.reserve(), directory / "r", replicaof=of)) as replica:
            yield primary, replica


@pytest.fixture
def pair(servers: tuple[Server, Server]) -> Pair:
    """Both, well, empty, without scripts."""
    pair = Pair(*servers)
    until(pair.connected)
    pair.primary.client.flushall()
    pair.primary.client.script_flush()
    return pair


@contextmanager
def frozen(server: Server) -> Iterator[None]:
    """It hangs inside, with its connections up."""
    server.freeze()
    try:
        yield
    finally:
        server.thaw()


def test_nobody_waits_where_no_replica_is_wanted(pair: Pair) -> None:
    """A single server has no second connection; the metrics are there all the same."""
    assert new_firm_lane(pair.place, 1.0, Replicas(0, WAIT), pair.registry) is None
    assert pair.rounds("missing") == 0


async def test_what_is_safe_is_there(pair: Pair) -> None:
    """Every write that is called safe can be read at the replica at once, also when many are made together
    and when the server does not know the script.
    """
    lane = pair.lane(wait=PATIENT)
    for total in range(1, 51):
        assert await lane.run(ADD, ["n"], [1]) == (total, True)
        assert int(pair.replica.client.get("n")) == total
    together = await asyncio.gather(*(lane.run(ADD, [f"m{number}"], [1]) for number in range(500)))
    assert together == [(1, True)] * 500
    assert pair.replica.client.dbsize() == 501
    assert pair.rounds("acknowledged") < 60
    await lane.close()


async def test_a_replica_that_hangs_costs_two_waits_however_many_ask(pair: Pair) -> None:
    """It is connected and does not acknowledge: done, and not safe, in bounded time for all; and who uses the
    shared connection does not notice. When it goes on, so does the acknowledging.
    """
    lane, shared = pair.lane(), new_lane(pair.place, 20.0)
    await lane.run(ADD, ["warm"], [1])
    await shared.execute("PING")
    with frozen(pair.replica):
        began = monotonic()
        asked = [asyncio.create_task(lane.run(ADD, ["n"], [1])) for _ in range(200)]
        took = []
        while not all(task.done() for task in asked):
            sent = monotonic()
            await shared.execute("INCR", "played")
            took.append(monotonic() - sent)
            await asyncio.sleep(0.001)
        assert monotonic() - began < 2 * WAIT + 1
        assert len(took) > 20  # each would have waited for a round, of which there were two
        assert median(took) < WAIT / 20
        outcomes = [task.result() for task in asked]
        assert sorted(outcomes) == [(total, False) for total in range(1, 201)]
        assert pair.rounds("missing") >= 1
    for total in range(201, 220):
        if await lane.run(ADD, ["n"], [1]) == (total, True):
            break
    else:
        pytest.fail("it never acknowledged again")
    await lane.close()
    await shared.close()


async def test_what_wrote_nothing_is_acknowledged_by_nothing(pair: Pair) -> None:
    """The trap of WAIT: on a connection that wrote nothing Valkey says yes though the replica hangs (Redis
    7.0 says no). So who proves an earlier write has to write, as the `safe.lua` of table and dealer do.
    """
    shared, lane = new_lane(pair.place, 20.0), pair.lane()
    with frozen(pair.replica):
        await shared.execute("SET", "n", 1)
        assert (await lane.run(READ, ["n"], [])).answer == b"1"
        again = Script("local n = redis.call('GET', KEYS[1]); redis.call('SET', KEYS[1], n); return n")
        assert await lane.run(again, ["n"], []) == (b"1", False)
    await lane.close()
    await shared.close()


@pytest.mark.parametrize("strict", [False, True])
async def test_where_there_is_no_replica_nobody_is_waited_for(pair: Pair, strict: bool) -> None:
    """The replica has gone: after the first wait nobody waits for it, what is done is safe unless the
    operator is strict; it comes back, and is waited for again.
    """
    lane = pair.lane(strict=strict)
    assert await lane.run(ADD, ["n"], [1]) == (1, True)
    pair.replica.kill()
    await asyncio.to_thread(until, lambda: not pair.connected())
    assert await lane.run(ADD, ["n"], [1]) == (2, not strict)
    began = monotonic()
    for total in range(3, 13):
        assert await lane.run(ADD, ["n"], [1]) == (total, not strict)
    assert monotonic() - began < 5 * WAIT
    assert pair.rounds("no_replica") == 11
    pair.replica.start()
    await asyncio.to_thread(until, pair.connected)
    assert await lane.run(ADD, ["n"], [1]) == (13, True)
    with frozen(pair.replica):
        assert await lane.run(ADD, ["n"], [1]) == (14, False)
    await lane.close()


async def test_those_that_are_connected_are_enough(pair: Pair) -> None:
    """Two are wanted and one is there: it is waited for, and a strict operator has what he asks for, one."""
    lane = pair.lane(strict=True, wanted=2)
    assert await lane.run(ADD, ["n"], [1]) == (1, True)
    with frozen(pair.replica):
        assert await lane.run(ADD, ["n"], [1]) == (2, False)
    pair.replica.kill()
    await asyncio.to_thread(until, lambda: not pair.connected())
    assert await lane.run(ADD, ["n"], [1]) == (3, False)
    await lane.close()
    pair.replica.start()
    await asyncio.to_thread(until, pair.connected)


async def test_a_primary_that_goes_is_told_as_by_any_lane(pair: Pair) -> None:
    """It hangs: StateUnavailable for all, in time, also for those who waited for their turn."""
    hasty = new_firm_lane(pair.place, 1.0, Replicas(1, WAIT), pair.registry)
    assert hasty is not None
    await hasty.run(ADD, ["n"], [1])
    with frozen(pair.primary):
        began = monotonic()
        first = asyncio.create_task(hasty.run(ADD, ["n"], [1]))
        await asyncio.sleep(0.05)
        outcomes = await asyncio.gather(first, hasty.run(ADD, ["n"], [1]), return_exceptions=True)
        assert all(isinstance(outcome, StateUnavailable) for outcome in outcomes)
        assert monotonic() - began < 5 * (1.0 + WAIT)
    assert (await hasty.run(ADD, ["n"], [0])).answer in (1, 2)
    await hasty.close()


async def test_what_a_replica_says_is_not_safe(pair: Pair) -> None:
    """A server that is no primary any more answers what only reads; that is never called safe, nobody hangs,
    and the connection is given up.
    """
    place = read_place(f"redis://{HOST}:{pair.replica.port}/0")
    lane = new_firm_lane(place, 2.0, Replicas(1, WAIT), pair.registry)
    assert lane is not None
    for _ in range(2):
        assert await lane.run(READ, ["n"], []) == (None, False)
    assert pair.rounds("missing") >= 2
    await lane.close()
