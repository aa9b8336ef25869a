"""How a system in the foreground ends: by a signal, during its start, or killed; nothing stays behind."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import pytest

from servito_local.layout import RANKS
from servito_local.system import LocalSystem
from tests.local.parts import alive, until
from tests.system.processes import of_system

pytestmark = pytest.mark.system

_FOREGROUND = """
import asyncio, json, sys
from pathlib import Path
from servito_local.system import LocalSystem
from servito_local.until_stopped import run_until_stopped

print("starting", flush=True)
system = LocalSystem(Path(sys.argv[1]))
asyncio.run(run_until_stopped(system, lambda system: print(json.dumps(system.pids()), flush=True)))
print(json.dumps(system.exit_codes), flush=True)
"""


async def foreground(directory: Path) -> Process:
    """A program that runs a system until it is stopped."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _FOREGROUND, str(directory), stdout=PIPE
    )
    assert await line(process) == "starting"
    return process


async def line(process: Process) -> str:
    """The next line that the program prints."""
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return (await process.stdout.readline()).decode().strip()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_signal_stops_everything_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C: every part ends by itself, exit code 0, no process is left."""
    process = await foreground(tmp_path)
    pids = json.loads(await line(process))
    assert len(pids) == 6
    process.send_signal(number)
    codes = json.loads(await line(process))
    assert codes == dict.fromkeys(pids, 0)
    order = [RANKS[part] for part in codes]  # parts of one rank stop together
    assert order == sorted(order)
    assert await process.wait() == 0
    assert not any(map(alive, pids.values()))
    assert of_system(tmp_path) == []


@pytest.mark.parametrize("moment", [0.05, 0.4, 0.9])
async def test_signal_during_the_start_leaves_nothing(tmp_path: Path, moment: float) -> None:
    """A system that is stopped while it starts ends as well, whatever it had started."""
    process = await foreground(tmp_path)
    await asyncio.sleep(moment)
    process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(60):
        await process.communicate()
    await until(lambda: of_system(tmp_path) == [])


async def test_supervisor_killed_during_its_start_leaves_nothing(tmp_path: Path) -> None:
    """kill -9 of the supervisor while parts are being born: the keeper ends them too."""
    process = await foreground(tmp_path)
    await until(lambda: len(of_system(tmp_path)) >= 4)  # supervisor, keeper, servers, perhaps services
    process.kill()
    await process.communicate()
    await until(lambda: of_system(tmp_path) == [], 30)


async def test_killed_supervisor_leaves_nothing(tmp_path: Path) -> None:
    """kill -9 of the supervisor: the keeper ends every part, and the data directory is free and whole."""
    process = await foreground(tmp_path)
    pids = json.loads(await line(process))
    assert all(map(alive, pids.values()))
    process.kill()
    await process.communicate()
    await until(lambda: of_system(tmp_path) == [], 30)
    async with LocalSystem(tmp_path) as system:
        assert set(system.pids()) == set(pids)
