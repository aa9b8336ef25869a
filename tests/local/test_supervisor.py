"""The supervisor with small programs in place of the services."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

import servito_local.supervisor as supervision
from servito_local.part import PartFailed, tail
from servito_local.supervisor import Supervisor
from tests.local.parts import READY, SERVING, alive, make_part, until


async def test_killed_part_is_started_again(supervisor: Supervisor, tmp_path: Path) -> None:
    """A part that is killed is replaced by a new process, and the restart is counted."""
    await supervisor.start(make_part(tmp_path, "one"), make_part(tmp_path, "two"))
    first = supervisor.running["one"].process.pid
    other = supervisor.running["two"].process.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: "one" in supervisor.running and supervisor.running["one"].process.pid != first)
    assert supervisor.restarts == {"one": 1, "two": 0}
    assert supervisor.running["two"].process.pid == other


async def test_a_part_is_started_without_a_copy_of_our_memory(supervisor: Supervisor, tmp_path: Path) -> None:
    """What libraries have registered for a fork does not run: in such a copy, which has none of its threads,
    gRPC crashed now and then before the part became its program.
    """
    forks: list[int] = []
    os.register_at_fork(before=lambda: forks.append(1))
    await supervisor.start(make_part(tmp_path, "one"))
    assert forks == []


async def test_ready_line_is_handed_on_and_later_output_logged(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    """What a part says when it is ready is known; what it prints before and after is in its log."""
    code = f"{READY}\nprint('hello'); ready(); print('later', flush=True); time.sleep(600)"
    part = make_part(tmp_path, "one", code)
    await supervisor.start(part)
    running = supervisor.running["one"]
    assert running.told["pid"] == running.process.pid
    await until(lambda: "later" in tail(part.log))
    assert tail(part.log)[0] == "hello"


async def test_part_that_ends_early_is_told_with_its_log(supervisor: Supervisor, tmp_path: Path) -> None:
    """A part that does not start fails with its exit code and the end of its log, without what an earlier
    run left there, and takes its siblings along.
    """
    slow = make_part(tmp_path, "slow", "import time; time.sleep(600)")
    broken = make_part(tmp_path, "broken", "import sys; print('no such key'); sys.exit(3)")
    broken.log.write_text("the port is taken\n")
    with pytest.raises(PartFailed, match=r"(?s)broken ended with code 3 .*\| no such key") as failed:
        await supervisor.start(slow, broken)
    assert "the port is taken" not in str(failed.value)
    assert broken.log.read_text() == "the port is taken\nno such key\n"
    assert not supervisor.running


async def test_part_that_is_never_ready_is_ended(supervisor: Supervisor, tmp_path: Path) -> None:
    """A part that does not become ready in time fails, and its process is gone."""
    pid_file = tmp_path / "pid"
    code = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    with pytest.raises(PartFailed, match=r"was not ready within 0\.7 s"):
        await supervisor.start(make_part(tmp_path, "slow", code, start=0.7))
    assert not alive(int(pid_file.read_text()))


async def test_parts_stop_by_rank(supervisor: Supervisor, tmp_path: Path) -> None:
    """Parts of a lower rank are gone before the next rank is asked to stop."""
    order = tmp_path / "order"
    code = (
        f"{READY}\ndef end(*_):\n    open({str(order)!r}, 'a').write(NAME); time.sleep(0.1); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\nready()\ntime.sleep(600)"
    )
    ranks = {"c": 2, "a": 0, "b": 1}
    await supervisor.start(
        *(make_part(tmp_path, name, f"NAME = {name!r}\n{code}", rank=rank) for name, rank in ranks.items())
    )
    assert await supervisor.stop() == {"a": 0, "b": 0, "c": 0}
    assert order.read_text() == "abc"


async def test_part_that_does_not_stop_is_killed(supervisor: Supervisor, tmp_path: Path) -> None:
    """SIGTERM that is ignored is followed by SIGKILL within the part's time."""
    code = f"{READY}\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nready()\ntime.sleep(600)"
    await supervisor.start(make_part(tmp_path, "deaf", code, stop=0.3))
    begun = time.monotonic()
    assert await supervisor.stop() == {"deaf": -signal.SIGKILL}
    assert time.monotonic() - begun < 5


async def test_stopping_during_a_restart_leaves_nothing(supervisor: Supervisor, tmp_path: Path) -> None:
    """A part that is just being started again when the system stops is ended too."""
    pids = tmp_path / "pids"
    code = (
        f"{READY}\nfirst = not os.path.exists({str(pids)!r})\n"
        f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\nif first: ready()\ntime.sleep(600)"
    )
    await supervisor.start(make_part(tmp_path, "one", code))
    os.kill(supervisor.running["one"].process.pid, signal.SIGKILL)
    await until(lambda: len(pids.read_text().splitlines()) == 2)
    await supervisor.stop()
    assert not any(alive(int(pid)) for pid in pids.read_text().split())


async def test_part_that_dies_again_and_again_is_given_up(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a part cannot be started any more the supervisor says so instead of trying for ever."""
    monkeypatch.setattr(supervision, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(supervision, "_ATTEMPTS", 3)
    once = tmp_path / "once"
    code = (
        f"{READY}\nif os.path.exists({str(once)!r}): sys.exit(7)\nopen({str(once)!r}, 'w').close()\nready()"
    )
    await supervisor.start(make_part(tmp_path, "one", code))
    with pytest.raises(PartFailed, match="one ended with code 7"):
        await asyncio.wait_for(supervisor.failed(), 10)
    assert supervisor.restarts == {"one": 3}


async def test_environment_stays_out_of_what_is_printed(tmp_path: Path) -> None:
    """A part's environment holds keys and is not part of its printed form."""
    part = make_part(tmp_path, "one", SERVING)
    assert "PATH" in part.environment
    assert "PATH" not in repr(part)


async def test_child_of_a_part_does_not_delay_its_restart(supervisor: Supervisor, tmp_path: Path) -> None:
    """A process that a killed part leaves behind, with its output still open, is ended with it."""
    child = tmp_path / "child"
    code = (
        f"{READY}\nif not os.fork():\n    open({str(child)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "    time.sleep(600)\nready()\ntime.sleep(600)"
    )
    await supervisor.start(make_part(tmp_path, "one", code))
    await until(lambda: child.exists() and child.read_text().endswith("\n"))
    orphan = int(child.read_text())
    os.kill(supervisor.running["one"].process.pid, signal.SIGKILL)
    await until(lambda: supervisor.restarts["one"] == 1 and "one" in supervisor.running)
    assert not alive(orphan)


async def test_program_that_there_is_not_is_told(supervisor: Supervisor, tmp_path: Path) -> None:
    """A part whose program does not exist fails with what the system says about it."""
    part = replace(make_part(tmp_path, "one"), program=("/nowhere/at/all",))
    with pytest.raises(PartFailed, match=r"(?s)one ended with code 127 .*/nowhere/at/all"):
        await supervisor.start(part)
