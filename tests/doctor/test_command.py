"""`servito doctor` as it is typed: what it prints and the exit codes that scripts go by."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import redis

from servito_local.system import LocalSystem
from servito_platform.keys import Keys

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("doctor")]


def doctor(
    directory: Path, *words: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run it in a directory."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SERVITO_")}
    return subprocess.run(
        [sys.executable, "-c", "from servito_cli.main import main; main()", "doctor", *words],
        cwd=directory,
        env={**clean, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.fixture
def data(system: LocalSystem, tmp_path: Path) -> Path:
    """A folder where `servito up` says that the system runs."""
    (tmp_path / ".servito").mkdir()
    (tmp_path / ".servito" / "addresses.json").write_text(json.dumps(system.addresses()))
    return tmp_path


def test_a_healthy_system_exits_with_zero_and_says_so(data: Path) -> None:
    """Found without options; a line for each check, and the last one says that all is well. A machine that
    stands still for seconds makes deadlines late, which is told: then it is asked again.
    """
    done = doctor(data)
    for _ in range(3):
        if done.returncode:
            done = doctor(data)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1] == "All is well."
    # An outage that another test made is a note.
    assert {"well      sweeps of 64 partitions", "note      sweeps of 64 partitions"} & set(lines)
    assert "well      4 processes of the services" in lines
    assert "WRONG" not in done.stdout


def test_a_sick_system_exits_with_two(data: Path, system: LocalSystem) -> None:
    """As JSON, in Italian: what is wrong, what follows and what to do. The environment's system goes before
    the folder's, as in a pod.
    """
    with redis.Redis.from_url(system.state_url) as state:
        state.config_set("maxmemory-policy", "allkeys-lru")
        try:
            done = doctor(
                data,
                *("--json", "--lang", "it"),
                *("--service", f"timers={system.addresses()['timers']['grpc']}"),
                *("--metrics", f"table={system.addresses()['table']['metrics']}"),
                environment={
                    "SERVITO_STATE_URL": system.state_url,
                    "SERVITO_BROKER_URL": system.broker_url.replace("redis://", "redis://:hunter2@"),
                },
            )
        finally:
            state.config_set("maxmemory-policy", "noeviction")
    assert done.returncode == 2
    assert "hunter2" not in done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["worst"] == "error"
    found = {check["check"]: check["findings"] for check in told["checks"]}
    [evicts] = found["keeping"]
    assert (evicts["kind"], evicts["severity"], evicts["facts"]["risk"]) == ("unsafe", "error", "eviction")
    assert evicts["follows"].startswith("Quando è pieno")
    assert [each["kind"] for each in found["broker"]] == ["locked-out"]
    assert {each["kind"] for each in found["sweeps"]} <= {"outage"}


def test_what_is_to_be_looked_at_exits_with_one(data: Path, system: LocalSystem) -> None:
    """A warning and nothing worse: a member that is no deadline, and a variable that nobody knows."""
    key = Keys(64).deadlines(5)
    with redis.Redis.from_url(system.state_url) as state:
        state.zadd(key, {"what is this": 1e15})
        try:
            done = doctor(data, environment={"SERVITO_PARTITION": "8"})
        finally:
            state.zrem(key, "what is this")
    assert done.returncode == 1
    assert "perhaps SERVITO_PARTITIONS is meant" in done.stdout
    assert done.stdout.splitlines()[-1] == "Wrong: 0. To be looked at: 2."


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no system is known"),
        (("--service", "bank=h:1"), "'bank=h:1' must be NAME=HOST:PORT with a name of dealer, evaluator"),
        (("--metrics", "table=h"), "'table=h' must be NAME=HOST:PORT"),
    ],
)
def test_without_a_system_it_exits_with_three(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    """Nothing was looked at: another code than for a system that is wrong."""
    done = doctor(tmp_path, *words)
    assert (done.returncode, done.stdout) == (3, "")
    assert told in done.stderr


def test_help_tells_the_exit_codes(tmp_path: Path) -> None:
    """For whoever writes the script."""
    done = doctor(tmp_path, "--help")
    flat = " ".join(done.stdout.split())
    assert "Exit code: 0 all is well, 1 something is to be looked at, 2 something is wrong, 3 nothing" in flat
