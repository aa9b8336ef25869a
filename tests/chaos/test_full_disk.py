"""A disk that is full, for real: the state server cannot write its file, refuses what would write, and goes
on by itself when there is room again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis

from servito_local.doctor.findings import Kind
from servito_local.doctor.servers import STATE, keeping, reached
from servito_local.ports import Reservations
from servito_platform.place import Mode, read_place
from servito_table.app.commits import Committed, Known
from servito_table.app.refusals import TableReason, TableRefused
from tests.chaos.disk import Disk, may_mount
from tests.chaos.run import Plan, Run
from tests.doctor.found import kinds
from tests.modes.servers import Server
from tests.modes.until import until
from tests.table.real import RealStore, real_store
from tests.table.test_store import Case, new_table, sat

pytestmark = pytest.mark.skipif(not may_mount(), reason="this process may not mount a disk of its own")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Where the server below keeps its file."""
    with closing(Disk(tmp_path / "disk")) as disk:
        yield disk


@pytest.fixture
def server(disk: Disk, tmp_path: Path) -> Iterator[Server]:
    """A state server on it."""
    with Reservations() as ports, closing(Server(ports.reserve(), tmp_path / "disk" / "state")) as server:
        yield server


async def test_a_commit_is_refused_and_made_when_there_is_room(server: Server, disk: Disk) -> None:
    """While the file cannot be written nothing is changed, and whoever asks is told so; the same commit is
    made afterwards, and what was answered outlives a kill.
    """
    async with real_store(f"{server.connection_url}/0") as real:
        known = await new_table(Case(real.store, None, real))
        disk.fill()
        await asyncio.to_thread(until, lambda: refuses(server))
        before = await real.fields("t1")
        with pytest.raises(TableRefused) as refused:
            await real.store.commit(sat(known))
        assert refused.value.reason is TableReason.UNAVAILABLE
        assert await real.fields("t1") == before
        assert await real.journal("t1") == []
        disk.free()
        assert isinstance(await _committed(real, known), Committed)
        await asyncio.to_thread(until, lambda: in_file(server))
    server.kill()
    server.start()
    async with real_store(f"{server.connection_url}/0") as real:
        assert (await real.fields("t1"))["v"] == b"2"
        assert [entry.amount for entry in await real.journal("t1")] == [50]


def test_the_doctor_says_that_the_disk_is_full(server: Server, disk: Disk) -> None:
    """While it is; not any more when there was room again for a second."""

    def found() -> list[Kind]:
        [facts] = reached(read_place(f"{server.connection_url}/0"), STATE).servers
        return kinds(keeping(facts, STATE, keeps=True))

    disk.fill()
    until(lambda: refuses(server))
    assert found() == [Kind.APPEND_FAILING]
    disk.free()
    until(lambda: found() == [])


def test_people_play_through_it(tmp_path: Path) -> None:
    """They are told to try again, and go on by themselves; nobody loses anything, no part dies."""
    plan = Plan(5, Mode.SINGLE, 6.0, tables=4, only=("fill the",))
    figures = asyncio.run(Run(plan, tmp_path).play())
    assert figures.broken == []
    assert sum(figures.faults.values()) >= 1
    assert figures.restarts == 0
    assert figures.refusals["UNAVAILABLE"] > 0
    assert set(figures.refusals) <= {"UNAVAILABLE", "OUTCOME_UNKNOWN", "STALE_TURN", "TOO_LATE"}


def refuses(server: Server) -> bool:
    """Whether it takes no write; it finds out with one, and the last blocks that it has fill up first."""
    try:
        server.client.set("filler", "x" * 4096)
    except redis.ResponseError as error:
        return "MISCONF" in str(error)
    return False


def in_file(server: Server) -> bool:
    """Whether all that was acknowledged is in the file; behind a slow disk it waits in the server."""
    return int(server.client.info("persistence")["aof_buffer_length"]) == 0


async def _committed(real: RealStore, known: Known) -> object:
    """The same commit, as soon as the server has seen that there is room."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await real.store.commit(sat(known))
            except TableRefused as refused:
                if refused.reason is not TableReason.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)
