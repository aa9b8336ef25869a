"""Processes of the services die, or stand still and come back believing that nothing happened."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.chaos.faults.kind import Strike, kind

if TYPE_CHECKING:
    from random import Random

    from tests.chaos.stage import Stage

SERVICES = ("table", "timers", "dealer", "evaluator")
LONGEST_FREEZE = 4.0
LEASE = 1.0


def _kills(service: str) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        await stage.world.kill(rng.choice(stage.world.parts(service)))

    return strike


def _kills_all(service: str) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        await asyncio.gather(*(stage.world.kill(part) for part in stage.world.parts(service)))

    return strike


def _freezes(service: str) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        part = rng.choice(stage.world.parts(service))
        await stage.world.freeze(part)
        await stage.pause(rng.uniform(1, LONGEST_FREEZE))
        await stage.world.thaw(part)

    return strike


for _service in SERVICES:
    kind(f"kill one {_service}", short=True)(_kills(_service))
    kind(f"kill every {_service}", short=_service == "timers")(_kills_all(_service))
    kind(f"freeze a {_service}", short=_service == "table")(_freezes(_service))


@kind("stalled sweeper", short=True)
async def stalled_sweeper(stage: Stage, rng: Random) -> None:
    """A worker is frozen in the middle of its claims again and again, and resumes after its lease, when
    others have carried them out.
    """
    part = rng.choice(stage.world.parts("timers"))
    for _ in range(3):
        await stage.world.freeze(part)
        await asyncio.sleep(LEASE + rng.uniform(0.1, 0.6))
        await stage.world.thaw(part)
        await stage.pause(rng.uniform(0.02, 0.3))
