"""A primary that was replaced while it hung: what it still does for who did not notice is not called safe."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from servito_platform.firm import FirmLane, new_firm_lane
from servito_platform.lane import NotSent
from servito_platform.metrics import new_registry
from servito_platform.place import read_place
from servito_platform.redis import Script
from servito_platform.replicas import Replicas
from servito_platform.topology import slot_of
from tests.modes.servers import Cluster, Server
from tests.modes.until import until

if TYPE_CHECKING:
    from tests.modes.conftest import Servers

NAME = "{p007}:n"
ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
pytestmark = pytest.mark.all_failovers


async def test_what_a_replaced_primary_does_is_not_safe(url: str, servers: Servers) -> None:
    """It hangs until another one has its place, with a script of ours in its way, and goes on: it has no
    replica and takes itself for the primary, but the others know better. Afterwards the next one is asked.
    """
    lane = new_firm_lane(read_place(url), 20.0, Replicas(1, 0.2), new_registry())
    assert lane is not None
    assert await lane.run(ADD, [NAME], [1]) == (1, True)
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)
    _unaware(lane)
    victim = _holder(servers)
    await asyncio.to_thread(victim.freeze)
    late = asyncio.create_task(lane.run(ADD, [NAME], [100]))
    await asyncio.to_thread(until, lambda: _holder(servers, victim) is not victim, 30)
    victim.thaw()
    with suppress(NotSent):  # it heard of it first
        assert not (await late).safe
    for _ in range(200):
        try:
            firm = await lane.run(ADD, [NAME], [1])
        except NotSent:
            await asyncio.sleep(0.05)
            continue
        if firm.safe:
            assert firm.answer < 100  # that of who was replaced is lost, as was to be expected
            break
    else:
        pytest.fail("the next primary was never found")
    await lane.close()
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)


def _holder(servers: Servers, frozen: Server | None = None) -> Server:
    """Who is the primary of the key, as others than one that hangs say."""
    if not isinstance(servers, Cluster):
        return servers.primary
    asked = next(server for server in servers.servers if server is not frozen)
    slot = slot_of(NAME)
    for first, last, (_, port, *_), *_ in asked.client.execute_command("CLUSTER", "SLOTS"):
        if first <= slot <= last:
            return next(each for each in servers.servers if each.port == port)
    raise LookupError("nobody holds it")


def _unaware(lane: FirmLane) -> None:
    """A process that has not looked at the Sentinels for a while."""
    watching = getattr(lane._lane, "_watching", None)
    if watching is not None:
        watching.cancel()
