"""Waiting for a seat of a table that is shown only to those who sit there.

Nobody tells him when a seat is held for him, so it is asked for again and again; one key ends the wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from servito_cli.play.keys import Keys

ASK_SECONDS: Final = 1.0
"""Between two questions; a seat is held for a second at least (`TableConfig.seat_offer_ms`)."""


async def wait_unseen(seated: Callable[[], Awaitable[bool]], descriptor: int, leave: str) -> str | None:
    """Returns "" once `seated` says so, `leave` when that key was pressed, None when the terminal is gone."""
    pressed: asyncio.Queue[str | None] = asyncio.Queue()
    with Keys(descriptor, pressed.put_nowait):
        while not await seated():
            with suppress(TimeoutError):
                async with asyncio.timeout(ASK_SECONDS):
                    while (key := await pressed.get()) not in (leave, None):
                        pass
                    return key
    return ""
