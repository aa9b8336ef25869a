"""What a table takes in the state server while nobody plays at it: `python -m tests.bench idle`.

Bytes as the server counts them (MEMORY USAGE), with six players, of a system of our own.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from servito_local.system import LocalSystem
from tests.system.sixes import MOST_BYTES, Measured, measured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.measure import Context

HANDS = 200


def measure(context: Context) -> Iterator[str]:
    """Play, and look at the tables."""
    hands = context.some(HANDS)
    with TemporaryDirectory() as data:
        found = asyncio.run(_measured(Path(data), hands))
    yield from told(found, hands)


def told(found: Measured, hands: int) -> Iterator[str]:
    """Lines for a table that is new and for one that has played so many hands."""
    yield f"new table: {found.new:,} bytes"
    least, most = min(found.after_hands), max(found.after_hands)
    reached = "reached" if most < MOST_BYTES else "missed"
    yield f"after {hands} hands: {least:,} to {most:,} bytes (goal below {MOST_BYTES:,}: {reached})"
    yield f"besides, for a quarter of an hour: {found.requests:,} bytes of requests"
    yield f"the dealer's record of a hand: {found.record_of_a_hand:,.0f} bytes"


async def _measured(data: Path, hands: int) -> Measured:
    async with LocalSystem(data) as system:
        return await measured(system, hands)
