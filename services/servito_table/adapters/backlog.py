"""How many commits wait in the audit streams to be archived, as metrics.

Streams grow until somebody has stored what they hold (commit.lua); at a length that a setting names no hand
begins.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from servito_table.adapters.answers import answered
from servito_table.app.refusals import TableRefused

if TYPE_CHECKING:
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_table.adapters.meters import Meters

EVERY_SECONDS: Final = 15.0
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def watch_backlog(lane: Lane, keys: Keys, meters: Meters) -> None:
    """Keep the metrics up to date until cancelled."""
    while True:
        try:
            await count_backlog(lane, keys, meters)
        except TableRefused as refused:  # the state server is away: the next look is soon
            _log.warning("backlog_unknown", why=refused.message)
        await asyncio.sleep(EVERY_SECONDS)


async def count_backlog(lane: Lane, keys: Keys, meters: Meters) -> None:
    """Ask every partition once. Raises Unavailable."""
    asked = (lane.execute("XLEN", keys.audit(partition)) for partition in range(keys.partitions))
    lengths: list[int] = await answered(asyncio.gather(*asked))
    meters.backlog.set(sum(lengths))
    meters.longest_backlog.set(max(lengths))
