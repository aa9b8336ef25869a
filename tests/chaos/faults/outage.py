"""The state is away for ten seconds while a thousand players think (PITFALLS R16)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from servito_platform.place import Mode
from tests.chaos.faults.kind import kind

if TYPE_CHECKING:
    from random import Random

    from tests.chaos.stage import Stage

LIVE_TURNS: Final = 1_000
SECONDS: Final = 10.0


@kind("outage with a thousand live turns", once=True, alone=True)
async def outage(stage: Stage, rng: Random) -> None:
    """No server of the state answers; nobody may lose his turn for that, and all turns still end."""
    await stage.crowd(LIVE_TURNS)
    several = stage.world.group or stage.world.cluster
    if several is not None:
        await stage.world.ready_to_fail_over()
    if stage.world.mode is Mode.SINGLE:
        await stage.world.freeze("state")
    else:
        assert several is not None
        await asyncio.gather(*(asyncio.to_thread(server.freeze) for server in several.servers))
    stage.outage_begins()
    await asyncio.sleep(SECONDS)
    if several is None:
        await stage.world.thaw("state")
    else:
        await asyncio.gather(*(asyncio.to_thread(server.thaw) for server in several.servers))
    await stage.outage_ends()
    if several is not None:
        await stage.world.ready_to_fail_over()
