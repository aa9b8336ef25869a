"""A table whose deadline the timers cannot find stands still for ever: so every table is looked at, slowly.

Every process does it, one partition after the other in an order of its own, all of them within a minute or
what its bound allows; it does not matter who mends a table, or whether another one just did. A commit never
leaves such a table behind: whatever is mended was damaged from outside, and is told as an error.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from servito_table.app.refusals import TableRefused

if TYPE_CHECKING:
    from collections.abc import Callable

WALK_SECONDS: Final = 60.0
"""How long a look at all partitions takes where these are small."""
SHARE: Final = 100
"""A look at a partition takes a hundredth of a process's time at most, and of the state server's."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Mender(Protocol):
    """Deadlines that tables wait for, and that the timers would not find."""

    async def mend(self) -> int:
        """Put them back in another partition each time; how many. Raises Unavailable."""


async def mend(
    mender: Mender, partitions: int, mended: Callable[[int], None], walk: float = WALK_SECONDS
) -> None:
    """Look at one partition after the other, until cancelled; `mended` is told how many were put back."""
    while True:
        began, pause = monotonic(), walk / partitions
        try:
            found = await mender.mend()
        except TableRefused as refused:
            _log.warning("not_mended", why=refused.message)
        except Exception:  # noqa: BLE001 - the next look must take place
            _log.exception("not_mended")
        else:
            pause = max(pause, (SHARE - 1) * (monotonic() - began))
            if found:
                _log.error("deadlines_were_lost", mended=found)
                mended(found)
        await asyncio.sleep(pause)
