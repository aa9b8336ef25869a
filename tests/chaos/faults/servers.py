"""State server and broker die and come back, stand still, or lose their primary."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from servito_platform.place import Mode
from tests.chaos.faults.kind import Strike, kind

if TYPE_CHECKING:
    from random import Random

    from tests.chaos.stage import Stage
    from tests.modes.servers import Server

FULL_DISK = "fill the state server's disk"
SINGLE = frozenset({Mode.SINGLE})
SENTINEL = frozenset({Mode.SENTINEL})
CLUSTER = frozenset({Mode.CLUSTER})
OWN_BROKER = SINGLE | CLUSTER
"""Under Sentinel the broker is the same group of servers, so it fails over with the state."""


def _killed(server: str, times: int) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        for left in reversed(range(times)):
            await stage.world.kill(server)
            if left:
                await stage.pause(rng.uniform(0.5, 2.5))

    return strike


def _frozen(server: str, longest: float) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        await stage.world.freeze(server)
        await stage.pause(rng.uniform(0.5, longest))
        await stage.world.thaw(server)

    return strike


kind("kill the state server", modes=SINGLE, short=True)(_killed("state", 1))
kind("kill the state server twice", modes=SINGLE)(_killed("state", 2))
kind("freeze the state server", modes=SINGLE, short=True)(_frozen("state", 2))
kind("kill the broker", modes=OWN_BROKER, short=True)(_killed("broker", 1))
kind("kill the broker twice", modes=OWN_BROKER)(_killed("broker", 2))
kind("freeze the broker", modes=OWN_BROKER)(_frozen("broker", 5))


@kind(FULL_DISK, modes=SINGLE, alone=True)
async def full_disk(stage: Stage, rng: Random) -> None:
    """The state server's file cannot be written: it refuses all writes, until there is room again."""
    assert stage.world.disk is not None
    await asyncio.to_thread(stage.world.disk.fill)
    await stage.pause(rng.uniform(1.0, 4.0))
    await asyncio.to_thread(stage.world.disk.free)


async def _lost(stage: Stage, server: Server, how: str) -> None:
    """A primary goes; once another one has taken over, it comes back as its replica."""
    await stage.world.ready_to_fail_over()
    await asyncio.to_thread(server.kill if how == "kill" else server.freeze)
    await stage.taken_over(server)
    await asyncio.to_thread(server.start if how == "kill" else server.thaw)
    await stage.world.ready_to_fail_over()


@kind("fail over by kill", modes=SENTINEL, short=True, alone=True, loses=True)
async def fail_over_by_kill(stage: Stage, rng: Random) -> None:
    """The primary of the group is killed."""
    assert stage.world.group is not None
    await _lost(stage, stage.world.group.primary, "kill")


@kind("fail over by freeze", modes=SENTINEL, alone=True, loses=True)
async def fail_over_by_freeze(stage: Stage, rng: Random) -> None:
    """The primary of the group stands still, and believes for a while after that it still is the primary."""
    assert stage.world.group is not None
    await _lost(stage, stage.world.group.primary, "freeze")


def _loses(third: int, how: str) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        primaries = await asyncio.to_thread(stage.primaries)
        await _lost(stage, primaries[third], how)

    return strike


for _third in range(3):
    _losing = kind(
        f"lose primary {_third + 1} of 3", modes=CLUSTER, short=_third == 0, alone=True, loses=True
    )
    _losing(_loses(_third, "kill"))
kind("freeze a primary of 3", modes=CLUSTER, alone=True, loses=True)(_loses(1, "freeze"))


@kind("fail over with a replica behind", modes=SENTINEL | CLUSTER, alone=True, loses=True)
async def fail_over_behind(stage: Stage, rng: Random) -> None:
    """A primary is killed whose replicas have not heard of its last commits: what was not waited for is lost,
    and every table that had some is told so.
    """
    await stage.world.ready_to_fail_over()
    primary, replicas = await asyncio.to_thread(stage.replicated, rng)
    for replica in replicas:
        await asyncio.to_thread(replica.freeze)
    # A frozen replica would read what waits for it in its socket; so the connection goes as well.
    await asyncio.to_thread(primary.client.execute_command, "CLIENT", "KILL", "TYPE", "replica")
    await asyncio.sleep(rng.uniform(0.2, 0.7))  # less than it takes to be given up
    await asyncio.to_thread(primary.kill)
    for replica in replicas:
        await asyncio.to_thread(replica.thaw)
    await stage.taken_over(primary)
    await asyncio.to_thread(primary.start)
    await stage.world.ready_to_fail_over()


@kind("drop the state's connections", modes=SENTINEL | CLUSTER)
async def connections_dropped(stage: Stage, rng: Random) -> None:
    """The servers end every connection of a client, a few times."""
    several = stage.world.group or stage.world.cluster
    assert several is not None
    for _ in range(3):
        for server in several.servers:
            await asyncio.to_thread(server.client.execute_command, "CLIENT", "KILL", "TYPE", "normal")
        await stage.pause(rng.uniform(0.1, 1))
