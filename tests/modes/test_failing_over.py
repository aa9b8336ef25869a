"""The quick connections when a primary goes: they find the next one, and nothing is done twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING

import pytest

from servito_platform.clients import blocking_client
from servito_platform.deadlines import Deadlines, Sweep, member
from servito_platform.keys import Keys
from servito_platform.lane import Lane, NotSent
from servito_platform.place import read_place
from servito_platform.redis import Script, StateUnavailable
from servito_platform.state import new_ear, new_lane
from tests.modes.servers import Cluster, Server
from tests.modes.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.modes.conftest import Servers

KEYS = Keys(64)
NAMES = [f"{{p{partition:03d}}}:n" for partition in range(KEYS.partitions)]
ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
MARK = Script("return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)")
STANDSTILL = 6.0
"""Seconds: the goal for a failover."""


@pytest.fixture
async def lane(url: str) -> AsyncIterator[Lane]:
    """The connection of a service."""
    lane = new_lane(read_place(url), 0.3)
    yield lane
    await lane.close()


def victim_of(servers: Servers) -> Server:
    """A primary that holds partition 0."""
    until(servers.ready_to_fail_over)
    return servers.holder(NAMES[0]) if isinstance(servers, Cluster) else servers.primary


async def test_each_key_is_at_one_place(lane: Lane, url: str) -> None:
    """Scripts of all partitions go where their keys are, also where a server never saw the script; redis-py
    finds the same.
    """
    assert await asyncio.gather(*(lane.run(ADD, [name], [n]) for n, name in enumerate(NAMES))) == list(
        range(64)
    )
    await lane.check()
    with blocking_client(read_place(url), 1.0) as client:
        assert [int(client.get(name) or -1) for name in NAMES[1:]] == list(range(1, 64))


@pytest.mark.all_failovers
@pytest.mark.parametrize("how", ["kill", "freeze"])
async def test_a_primary_goes_and_nothing_is_done_twice(lane: Lane, servers: Servers, how: str) -> None:
    """Who asks on while a primary is killed or hangs is told what is certain: nothing is done twice, nor what
    was said not to be sent. The next one goes on within the goal, and has what it answered. (Each request
    leaves a mark of its own: a failover may lose some, so that sums would hide what was done too often.)
    """
    victim = victim_of(servers)
    done = {name: list[str]() for name in NAMES[:16]}
    not_sent = set[str]()
    numbers = count()
    over = asyncio.Event()

    async def ask_on(name: str) -> None:
        while not over.is_set():
            request = f"{how} {next(numbers)}"
            try:
                await lane.run(MARK, [name], [request])
                done[name].append(request)
            except NotSent:
                not_sent.add(request)
                await asyncio.sleep(0.05)
            except StateUnavailable:  # perhaps it was done
                pass
            await asyncio.sleep(0.005)

    asking = [asyncio.create_task(ask_on(name)) for name in done]
    await asyncio.sleep(0.5)
    await asyncio.to_thread(getattr(victim, how))
    began = monotonic()
    await asyncio.sleep(0.4)  # what was under way at the old primary has ended by then
    before = {name: len(requests) for name, requests in done.items()}
    while any(len(requests) <= before[name] + 3 for name, requests in done.items()):
        assert monotonic() - began < STANDSTILL
        await asyncio.sleep(0.02)
    over.set()
    await asyncio.gather(*asking)
    for name, requests in done.items():
        answer = await lane.execute("HGETALL", name)
        marks = {
            request.decode(): int(times) for request, times in zip(answer[::2], answer[1::2], strict=True)
        }
        assert {request: times for request, times in marks.items() if times != 1} == {}
        assert not_sent.isdisjoint(marks)
        assert requests[-1] in marks
    await lane.check()
    await asyncio.to_thread(victim.thaw if how == "freeze" else victim.start)
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)


@pytest.mark.all_failovers
async def test_wake_ups_are_heard_again(lane: Lane, url: str, servers: Servers) -> None:
    """Shard channels of all partitions, before and after a failover; that some may be missed is told."""
    heard: Counter[bytes] = Counter()
    missed: list[None] = []
    ear = new_ear(read_place(url), 0.3)
    for partition in range(8):
        ear.subscribe(KEYS.wakeups(partition))
    listening = asyncio.create_task(
        ear.listen(lambda said: heard.update([said]), lambda: missed.append(None))
    )

    async def all_heard() -> None:
        """Say something in every partition until all of it is heard."""
        heard.clear()
        for _ in range(300):
            for partition in range(8):
                try:
                    await lane.execute("SPUBLISH", KEYS.wakeups(partition), str(partition))
                except StateUnavailable:
                    continue
            if len(heard) == 8:
                return
            await asyncio.sleep(0.05)
        raise TimeoutError(f"heard {sorted(heard)}")

    await all_heard()
    before = len(missed)
    victim = victim_of(servers)
    await asyncio.to_thread(victim.kill)
    await asyncio.sleep(0.5)
    await all_heard()
    assert len(missed) > before
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await asyncio.to_thread(victim.start)
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)


def test_deadlines_are_claimed_where_somebody_answers(url: str, servers: Servers) -> None:
    """A sweep takes what is due of all partitions; when a primary is killed it goes on with the others at
    once, and after the failover with all.
    """
    victim = victim_of(servers)
    with blocking_client(read_place(url), 2.0) as client:  # one that is dead refuses at once
        deadlines, everywhere = Deadlines(client, KEYS), dict.fromkeys(range(KEYS.partitions), 10)
        for partition in everywhere:
            client.zadd(KEYS.deadlines(partition), {member(f"t{partition}", 1): 1})
        claims = deadlines.claim_each(everywhere, lease_ms=10, sweep=Sweep(2_000))
        assert [len(claim.due) for claim in claims.values()] == [1] * KEYS.partitions
        assert int(client.get(KEYS.sweep(63)) or 0) == claims[63].server_ms
        until(servers.ready_to_fail_over)
        victim.kill()
        if isinstance(servers, Cluster):
            assert 0 < len(deadlines.claim_each(everywhere, lease_ms=10)) < KEYS.partitions
        until(lambda: _claimed(deadlines, everywhere) == KEYS.partitions)
    victim.start()
    until(servers.ready_to_fail_over, 40)


def _claimed(deadlines: Deadlines, everywhere: dict[int, int]) -> int:
    try:
        claims = deadlines.claim_each(everywhere, lease_ms=10)
    except StateUnavailable:
        return 0
    return sum(bool(claim.due) for claim in claims.values())
