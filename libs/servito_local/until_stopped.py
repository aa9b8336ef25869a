"""Running a local system in the foreground until somebody stops it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from servito_local.system import LocalSystem


async def run_until_stopped(system: LocalSystem, announce: Callable[[LocalSystem], None]) -> None:
    """Start `system`, call `announce` once it serves, and stop it in order on SIGINT (Ctrl-C), SIGTERM or
    SIGHUP.

    A signal during the start stops it just so. A second one waits no longer: the keeper ends the parts
    within seconds. Raises what entering LocalSystem raises, and PartFailed when a part had to be given up.
    """
    loop, signals = asyncio.get_running_loop(), stopping()
    whole = asyncio.create_task(_run(system, announce))
    for number in signals:
        loop.add_signal_handler(number, whole.cancel)
    try:
        await asyncio.wait([whole])
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
    if not whole.cancelled():
        whole.result()


def stopping() -> tuple[signal.Signals, ...]:
    """What asks a command to end: Ctrl-C, SIGTERM, and that its terminal is gone, unless it was told to
    outlive that (nohup).
    """
    hung_up = () if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (signal.SIGHUP,)
    return (signal.SIGINT, signal.SIGTERM, *hung_up)


async def _run(system: LocalSystem, announce: Callable[[LocalSystem], None]) -> None:
    async with system:
        announce(system)
        await system.failed()
