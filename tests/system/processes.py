"""The processes of a local system, seen from outside."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from servito_local.system import LocalSystem
from tests.local.parts import until


def of_system(directory: Path) -> list[int]:
    """Processes that have a file of a data directory open: parts, keeper, and who holds the lock."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            names = [str(link.readlink()) for link in (process / "fd").iterdir()]
        except OSError:
            continue  # gone meanwhile, or not ours to look at
        if any(name.startswith(str(directory)) for name in names):
            found.append(int(process.name))
    return found


async def kill(system: LocalSystem, name: str) -> int:
    """kill -9 of a part, as soon as it serves; its process id."""
    await until(lambda: name in system.pids(), 30)
    pid = system.pids()[name]
    os.kill(pid, signal.SIGKILL)
    return pid
