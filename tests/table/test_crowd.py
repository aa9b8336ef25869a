"""Five hundred watchers of one table, most of whom behave badly: nobody else notices, and nothing is left of
them (PITFALLS G1, G2).

Bounds that are stated here: a watcher that stops reading costs the process at most what one connection may
hold (`EACH`) and gets the whole table when it reads again; one that dies is gone at once; one that freezes is
gone within `FROZEN_SECONDS`: a ping goes out every 10 s and has to be answered within 5 s.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Final

import psutil
import pytest
import redis

from servito_platform.metrics_page import Page, read_page
from tests.table.caller import Caller, calling
from tests.table.playing import play_by_calls
from tests.table.processes import Running, service

READERS, STALLED, DOOMED = 125, 250, 125
FROZEN_SECONDS: Final = 20.0
EACH: Final = 32 * 1024
"""Bytes of the table process for each watcher that does not read, while hands go on."""
OWN: Final = 4
"""Connections of its own that the process may have opened again meanwhile."""
ROOT: Final = Path(__file__).parents[2]


class Crowd:
    """A process of `tests.table.crowd`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def ask(self, command: str) -> dict[str, int]:
        """Its answer to a command."""
        assert self._process.stdin is not None
        self._process.stdin.write(command.encode() + b"\n")
        return await self.hear()

    async def hear(self) -> dict[str, int]:
        """The next line that it says."""
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 60)
        said: dict[str, int] = json.loads(line)
        return said

    def signal(self, which: signal.Signals) -> None:
        """Freeze or kill it."""
        self._process.send_signal(which)

    async def leave(self) -> None:
        """Let all of its watchers go in order."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await asyncio.wait_for(self._process.wait(), 30)


@asynccontextmanager
async def crowd(running: Running, table_id: str, number: int) -> AsyncIterator[Crowd]:
    """So many watchers in a process of their own, each with its first message."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.table.crowd",
        running.grpc,
        table_id,
        str(number),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        gathered = Crowd(process)
        assert await gathered.hear() == {"joined": number}
        yield gathered
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture
async def watched(services: dict[str, str]) -> AsyncIterator[Running]:
    """A table service of the test's own, whose memory and files are counted."""
    with service("table", services) as running:
        yield running


async def test_a_crowd(watched: Running, services: dict[str, str]) -> None:
    """125 read every version while 250 stop reading and 125 are killed; then nothing is left of any."""
    async with calling(watched.grpc) as ann:
        table_id, players = await seated(ann)
        await play_by_calls(table_id, players, 3)
        files, subscribed = open_files(watched), shard_channels(services)
        async with (
            crowd(watched, table_id, READERS) as readers,
            crowd(watched, table_id, STALLED) as stalled,
            crowd(watched, table_id, DOOMED) as doomed,
        ):
            assert (await page(watched)).total("servito_table_watchers") == READERS + STALLED + DOOMED
            await play_by_calls(table_id, players, 6)
            before = (await readers.ask("report"))["snapshots"]
            await stalled.ask("stop")
            held = resident(watched)
            await play_by_calls(table_id, players, 30)
            assert resident(watched) - held < STALLED * EACH
            doomed.signal(signal.SIGKILL)
            version = (await play_by_calls(table_id, players, 60)).version
            await counted(watched, READERS + STALLED, 2.0)

            assert resident(watched) - held < STALLED * EACH
            await caught_up(readers, version)
            read = await readers.ask("report")
            assert (read["gaps"], read["snapshots"], before) == (0, READERS, READERS)

            await stalled.ask("read")
            await caught_up(stalled, version)
            late = await stalled.ask("report")
            assert (late["gaps"], late["snapshots"]) == (0, 2 * STALLED), (
                "the queue did not collapse, or twice"
            )
            await stalled.leave()
            await readers.leave()
        await counted(watched, 0, 2.0)
        left = await page(watched)
        assert left.total("grpc_server_open_streams") == 0
        assert left.total("servito_table_watcher_collapses_total") >= STALLED
        assert shard_channels(services) == subscribed
        assert open_files(watched) <= files + OWN
        await play_by_calls(table_id, players, 25)


@pytest.mark.slow
async def test_a_frozen_crowd(watched: Running) -> None:
    """Watchers whose machine freezes are let go in bounded time, those that did not read included."""
    async with calling(watched.grpc) as ann:
        table_id, players = await seated(ann)
        await play_by_calls(table_id, players, 1)
        files = open_files(watched)
        async with crowd(watched, table_id, 50) as reading, crowd(watched, table_id, 50) as stalled:
            await stalled.ask("stop")
            await play_by_calls(table_id, players, 4)
            for frozen in (reading, stalled):
                frozen.signal(signal.SIGSTOP)
            begin = monotonic()
            await play_by_calls(table_id, players, 8)
            await counted(watched, 0, FROZEN_SECONDS - (monotonic() - begin))
            assert (await page(watched)).total("grpc_server_open_streams") == 0
            assert open_files(watched) <= files + OWN


async def seated(ann: Caller) -> tuple[str, list[Caller]]:
    """A table with two players."""
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "ab"]
    for player in players:
        await player.sit(table_id)
    return table_id, players


async def page(running: Running) -> Page:
    """Its metrics."""
    return await asyncio.to_thread(read_page, running.metrics)


async def counted(running: Running, watchers: int, seconds: float) -> None:
    """Wait until it counts so many watchers; it has to come to that in time."""
    asked, deadline = monotonic(), monotonic() + seconds
    while (found := (await page(running)).total("servito_table_watchers")) != watchers:
        assert asked < deadline, f"{found} watchers are left after {seconds:.0f} s, not {watchers}"
        await asyncio.sleep(0.1)
        asked = monotonic()


async def caught_up(crowd: Crowd, version: int) -> None:
    """Wait until all of it has that version."""
    await _until(lambda said: said["furthest_behind"] >= version, crowd)


async def _until(reached: Callable[[dict[str, int]], bool], crowd: Crowd) -> None:
    async with asyncio.timeout(15):
        while not reached(await crowd.ask("report")):  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.1)


def resident(running: Running) -> int:
    """Bytes that it holds."""
    return int(psutil.Process(running.process.pid).memory_info().rss)


def open_files(running: Running) -> int:
    """How many files and sockets it has open."""
    return len(list(Path(f"/proc/{running.process.pid}/fd").iterdir()))


def shard_channels(services: dict[str, str]) -> set[bytes]:
    """What somebody listens to at the state server."""
    with redis.Redis.from_url(services["SERVITO_STATE_URL"]) as client:
        return set(client.execute_command("PUBSUB SHARDCHANNELS"))
