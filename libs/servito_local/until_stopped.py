"""Running a local system in the foreground until somebody stops it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from servito_local.system import LocalSystem


async def run_until_stopped(system: LocalSystem, announce: Callable[[LocalSystem], None]) -> None:
    """Start `system`, call `announce` once it serves, and stop it in order on SIGINT (Ctrl-C) or SIGTERM.

    A signal during the start stops it just so. A second one waits no longer: the keeper ends the parts
    within seconds. Raises what entering LocalSystem raises, and PartFailed when a part had to be given up.
    """
    loop = asyncio.get_running_loop()
    whole = asyncio.create_task(_run(system, announce))
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, whole.cancel)
    try:
        await asyncio.wait([whole])
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
    if not whole.cancelled():
        whole.result()


async def _run(system: LocalSystem, announce: Callable[[LocalSystem], None]) -> None:
    async with system:
        announce(system)
        await system.failed()
