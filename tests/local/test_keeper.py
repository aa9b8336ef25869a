"""What remains when a supervisor is killed: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from servito_local.keeper import Keeper
from servito_local.keeper_program import read
from servito_local.part import Running
from servito_local.supervisor import Supervisor
from tests.local.parts import READY, alive, make_part, until

_SUPERVISOR = """
import asyncio, sys
from pathlib import Path
from servito_local.keeper import Keeper
from servito_local.part import Running
from servito_local.supervisor import Supervisor
from tests.local.parts import SERVING, READY, make_part

DEAF = f"{READY}\\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\\nready()\\ntime.sleep(600)"

async def main():
    directory = Path(sys.argv[1])
    keeper = Keeper(directory / "keeper.log", grace=0.3)
    supervisor = Supervisor(keeper)
    await supervisor.start(make_part(directory, "good"), make_part(directory, "deaf", DEAF, rank=1))
    print(keeper.pid, *(running.process.pid for running in supervisor.running.values()), flush=True)
    await asyncio.sleep(600)

with asyncio.Runner(loop_factory=getattr(__import__(sys.argv[2]), "new_event_loop")) as runner:
    runner.run(main())
"""


@pytest.mark.parametrize("loops", ["asyncio", "uvloop"])
async def test_killed_supervisor_leaves_no_process(tmp_path: Path, loops: str) -> None:
    """After kill -9 of the supervisor its parts end, also one that ignores SIGTERM, and the keeper ends
    itself; in the event loop of `servito up`, and in that of the commands with a system of their own.
    """
    with subprocess.Popen(  # noqa: ASYNC220 - a start of milliseconds, and nothing else runs meanwhile
        [sys.executable, "-c", _SUPERVISOR, str(tmp_path), loops], stdout=subprocess.PIPE
    ) as supervisor:
        assert supervisor.stdout is not None
        pids = [int(pid) for pid in supervisor.stdout.readline().split()]
        assert len(pids) == 3
        assert all(map(alive, pids))
        supervisor.kill()
    await until(lambda: not any(map(alive, pids)))
    assert (tmp_path / "keeper.log").read_text() == ""


async def test_closing_ends_what_is_left(tmp_path: Path) -> None:
    """A part that nobody stopped ends when the keeper is closed."""
    keeper = Keeper(tmp_path / "keeper.log", grace=1)
    running = await Running.start(make_part(tmp_path, "one"), keeper)
    keeper.close()
    assert await running.ended() == -signal.SIGTERM


async def test_parts_restart_without_a_keeper(keeper: Keeper, supervisor: Supervisor, tmp_path: Path) -> None:
    """A keeper that was killed does not keep the supervisor from starting parts and stopping them."""
    os.kill(keeper.pid, signal.SIGKILL)
    await until(lambda: not alive(keeper.pid))
    await supervisor.start(make_part(tmp_path, "one", f"{READY}\nready()\ntime.sleep(600)"))
    pid = supervisor.running["one"].process.pid
    assert set(await supervisor.stop()) == {"one"}
    assert not alive(pid)


def test_gone_parts_are_forgotten() -> None:
    """A process id whose part has ended is not kept: its number may belong to a stranger by now."""
    assert read(["+ 0 11\n", "+ 3 12\n", "- 11\n", "+ 1 13\n"]) == {12: 3, 13: 1}
