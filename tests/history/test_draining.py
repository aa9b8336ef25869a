"""Drained again after whatever dies: nothing is left out, nothing is there twice, the lag is the truth."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from servito_history.address import file_url
from servito_local.ports import Reservations
from tests.history.checked import check_all_there, findings
from tests.history.conftest import new_database
from tests.history.feeding import Feeder
from tests.history.postgres import Postgres
from tests.timers.world import World, until

QUICK = {"history_pause_seconds": 0.05, "history_seconds": 2, "history_lease_seconds": 1}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Servers that may be killed, and a small table service, without workers."""
    with Reservations() as reservations:
        world = World(tmp_path, reservations.reserve)
        yield world
        world.close()


@pytest.fixture
def feeder(world: World) -> Feeder:
    """Tells its state server of commits."""
    return Feeder(world.state.client)


def test_what_tables_commit_is_drained(world: World, feeder: Feeder, history_url: str) -> None:
    """All of it, from all partitions, and then it is gone in the state server; what was paid is carried."""
    feeder.play(40, 25)
    worker = world.worker(history_url=history_url, **QUICK)
    until(lambda: feeder.waiting() == 0)
    check_all_there(history_url, feeder)
    assert feeder.carried() == {f"t{number}": 100 + 93 + 86 + 79 for number in range(40)}
    feeder.play(40, 5)
    until(lambda: feeder.waiting() == 0)
    check_all_there(history_url, feeder)
    assert worker.metric("servito_history_rows_total", kind="events") == 40 * 30
    assert worker.metric("servito_history_lag_seconds") == 0


def test_workers_that_are_killed(world: World, feeder: Feeder, postgres: Postgres) -> None:
    """Two drain at once; one after the other is killed by kill -9 while it does."""
    history_url = new_database(postgres.url)
    workers = [world.worker(history_url=history_url, history_batch=64, **QUICK) for _ in range(2)]
    for _ in range(3):
        feeder.play(30, 10)
        workers.pop(0).kill()
        workers.append(world.worker(history_url=history_url, history_batch=64, **QUICK))
    until(lambda: feeder.waiting() == 0)
    check_all_there(history_url, feeder)


DIES = """
    import os, signal, sys
    from servito_history.address import read_history_url
    from servito_history.streams import Streams
    from servito_history.writing import Archive
    from servito_platform.clients import blocking_client
    from servito_platform.keys import Keys
    from servito_platform.place import read_place

    streams = Streams(blocking_client(read_place(sys.argv[1]), 5), Keys(64), worker="dies", lease_seconds=1)
    archive = Archive(read_history_url(sys.argv[2]), seconds=5)
    archive.prepare()
    taken = streams.take(range(64), 50)
    archive.append(
        [each.commit for found in taken for each in found.commits],
        [each.payment for found in taken for each in found.payments],
    )
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_one_that_dies_between_insert_and_acknowledgement(
    world: World, feeder: Feeder, postgres: Postgres
) -> None:
    """What it stored is there and still waits; the next one stores nothing of it again."""
    history_url = new_database(postgres.url)
    feeder.play(10, 20)
    waiting = feeder.waiting()
    died = subprocess.run(
        [sys.executable, "-c", dedent(DIES), world.state.url, history_url], check=False, timeout=60
    )
    assert died.returncode == -signal.SIGKILL
    assert feeder.waiting() == waiting
    worker = world.worker(history_url=history_url, **QUICK)
    until(lambda: feeder.waiting() == 0)
    check_all_there(history_url, feeder)
    assert worker.metric("servito_history_rows_total", kind="events") == 0


def test_a_database_that_is_away(world: World, feeder: Feeder, postgres: Postgres) -> None:
    """It freezes in the middle; the lag grows by the clock, failures are counted, deadlines go on. It thaws,
    and everything is there.
    """
    url = new_database(postgres.url)
    worker = world.worker(history_url=url, history_batch=64, **QUICK)
    feeder.play(20, 10)
    postgres.freeze()
    try:
        feeder.play(20, 20)
        until(lambda: worker.metric("servito_history_failures_total", what="sql") > 0)
        until(lambda: worker.metric("servito_history_lag_seconds") > 3)
        assert worker.metric("servito_history_entries_behind") == feeder.waiting() > 0
        world.arm(range(50))
        until(lambda: world.left() == 0)
    finally:
        postgres.thaw()
    until(lambda: feeder.waiting() == 0)
    check_all_there(url, feeder)
    until(lambda: worker.metric("servito_history_lag_seconds") == 0)


def test_a_file_that_somebody_holds(world: World, feeder: Feeder, tmp_path: Path) -> None:
    """A backup that locks the file for longer than a worker waits."""
    file = tmp_path / "history.sqlite"
    worker = world.worker(history_url=file_url(file), **QUICK)
    feeder.play(5, 10)
    until(lambda: feeder.waiting() == 0)
    held = sqlite3.connect(file, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    feeder.play(5, 10)
    until(lambda: worker.metric("servito_history_failures_total", what="sql") > 0)
    held.execute("ROLLBACK")
    held.close()
    until(lambda: feeder.waiting() == 0)
    check_all_there(file_url(file), feeder)


def test_a_state_server_that_is_killed(world: World, feeder: Feeder, tmp_path: Path) -> None:
    """It comes back with what it had written: what was thrown away may be there again, and is not stored
    again; what is told then is drained too. The lag grows while it does not answer.
    """
    history_url = file_url(tmp_path / "history.sqlite")
    worker = world.worker(history_url=history_url, history_batch=64, **QUICK)
    feeder.play(30, 10)
    time.sleep(
        1.5
    )  # the append-only file is written once a second; from here on it loses thrown away entries
    feeder.play(30, 10)
    feeder.client.config_set("appendfsync", "always")
    world.state.kill()
    assert worker.metric("servito_history_lag_seconds") >= 0
    world.state.start()
    until(lambda: feeder.waiting() == 0)
    feeder.play(30, 5)
    until(lambda: feeder.waiting() == 0)
    check_all_there(history_url, feeder)


def test_commits_that_a_failover_lost(world: World, feeder: Feeder, tmp_path: Path) -> None:
    """The replica that takes over has neither the last commits nor that they were archived: what it has is
    drained again without a double; what is played there then is a branch of its own, the lost one is told.
    """
    history_url = file_url(tmp_path / "history.sqlite")
    world.worker(history_url=history_url, **QUICK)
    feeder.play(3, 8)
    until(lambda: feeder.waiting() == 0)
    kept, names = dict(feeder.at), feeder.client.keys("*")
    copies = {name: feeder.client.dump(name) for name in names if feeder.client.ttl(name) == -1}
    feeder.play(3, 4)
    until(lambda: feeder.waiting() == 0)
    for name in feeder.client.keys("*"):
        feeder.client.delete(name)
    for name, copy in copies.items():
        feeder.client.restore(name, 0, copy, replace=True)
    feeder.at = kept
    feeder.told += 1000  # other lineages
    feeder.play(3, 6)
    until(lambda: feeder.waiting() == 0)
    assert findings(history_url) == ["rewound 9..12"] * 3


def test_an_entry_that_cannot_be_read(world: World, feeder: Feeder, tmp_path: Path) -> None:
    """It is left where it is, counted, and holds up nobody; the lag tells that it waits."""
    history_url = file_url(tmp_path / "history.sqlite")
    for stray in ({"x": "1"}, {"t": "a b", "v": 1, "l": 1, "p": 0}, {"t": "t0", "v": "-1", "l": 1, "p": 0}):
        world.state.client.xadd("{p000}:audit", stray)
    feeder.play(40, 10)
    worker = world.worker(history_url=history_url, **QUICK)
    until(lambda: feeder.waiting() == 3)
    check_all_there(history_url, feeder)
    assert worker.metric("servito_history_failures_total", what="entry") >= 3
    until(lambda: worker.metric("servito_history_lag_seconds") > 0)


def test_without_an_archive_old_commits_are_forgotten(world: World, feeder: Feeder) -> None:
    """And young ones, and all money, stay."""
    old = world.state.client.xadd("{p000}:audit", {"t": "t", "v": 1}, id="1000-0")
    feeder.play(5, 8)
    worker = world.worker(history_pause_seconds=0.05)
    until(lambda: not world.state.client.xrange("{p000}:audit", old, old))
    assert feeder.waiting() == 5 * 8 + 5 * 2
    assert worker.metric("servito_history_on") == worker.metric("servito_history_lag_seconds") == 0
