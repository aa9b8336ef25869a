"""The course of a run: a world, people at its tables, faults by the schedule, and the accounts at the end.

Theory. Faults strike for the time given; then everything is made whole and play goes on for a few seconds, in
which every overdue deadline has to be gone. Everybody leaves, and the witnesses' books are closed: chips by
state and journal, by what players were told and by what spectators saw; acts, cards and turns by the commits.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import structlog

from servito_client.client import Servito
from servito_client.errors import TableError
from servito_client.retries import Effort, RetryPolicy
from servito_local.chips import read_chips
from servito_platform.grpc_channel import open_channel
from servito_platform.place import Mode
from tests.chaos.accounts import Accounts
from tests.chaos.cards import Cards
from tests.chaos.clocks import library, now_ms
from tests.chaos.deadlines import OVERDUE_MS, look, stuck
from tests.chaos.disk import may_mount
from tests.chaos.faults import KINDS, Kind
from tests.chaos.faults.servers import FULL_DISK
from tests.chaos.figures import Figures, Struck
from tests.chaos.history import Histories
from tests.chaos.ledger import Ledger
from tests.chaos.players import Player, Reports, config, everybody_leaves, manner_of
from tests.chaos.schedule import Planned, schedule
from tests.chaos.stage import Stage
from tests.chaos.watcher import Watcher
from tests.chaos.witness import Witness
from tests.chaos.world import World

_log = structlog.get_logger(__name__)
PRESETS: Final = ("italiana", "classico", "libera", "sala")
SKEWED: Final = ("table-2", "timers-2", "dealer-1")
LAST_MS: Final = 300
"""So long before a failover an answer may have come whose commit no replica had."""
LEAVE_SECONDS: Final = 40.0
_CURIOUS_PAUSE: Final = 0.2
_TICK: Final = 0.05
_PATIENT: Final = RetryPolicy(give_up_after=60.0)
"""A player waits as long as any fault lasts."""


@dataclass(frozen=True)
class Plan:
    """What a run is to do. `seconds`: as long as faults strike."""

    seed: int
    mode: Mode
    seconds: float
    tables: int = 24
    seats: int = 4
    short: bool = False
    only: tuple[str, ...] = ()
    """Kinds whose names contain one of these; empty: all."""

    @property
    def kinds(self) -> list[Kind]:
        """The kinds that may strike."""
        named = (each for each in KINDS.values() if not self.only or any(o in each.name for o in self.only))
        return [each for each in named if each.name != FULL_DISK or may_mount()]


class Run:
    """One run; `play` gives its figures."""

    def __init__(self, plan: Plan, directory: Path) -> None:
        self._plan = plan
        self._directory = directory
        self._rng = Random(f"{plan.seed}/{plan.mode.value}")
        askew = self._rng.choice(SKEWED) if library() and not plan.short else None
        replicas = {"table": 2, "timers": 2, "dealer": 1, "evaluator": 1} if plan.short else {}
        everything = dict.fromkeys(("table", "timers", "dealer", "evaluator"), 2)
        self._world = World(directory, plan.mode, replicas or everything, askew)
        self._ledger, self._cards, self._reports = Ledger(), Cards(), Reports()
        self._effort = Effort()
        self._struck: list[Struck] = []
        self._still = 0.0
        self._players: list[Player] = []
        self._watchers: list[Watcher] = []
        self._notes = [] if askew or plan.short else ["no clock is off: libfaketime is not installed"]
        if plan.mode is Mode.SINGLE and not may_mount():
            self._notes.append("no disk is full: this process may not mount one")
        if askew:
            self._notes.append(f"the clock of {askew} is five seconds off")

    async def play(self) -> Figures:
        """Raises PartFailed when the system does not start or a part had to be given up."""
        began = time.monotonic()
        async with AsyncExitStack() as stack:
            world = await stack.enter_async_context(self._world)
            self._histories = Histories(world.state_url)
            stack.callback(self._histories.close)
            polite = await self._servito(stack, None)
            rude = await self._servito(stack, Random(self._rng.getrandbits(64)))
            self._stage = Stage(world, polite, self._histories, pace=0.4 if self._plan.short else 1.0)
            reading = asyncio.create_task(self._histories.keep_reading())
            stack.callback(reading.cancel)
            await self._open(polite, rude)
            playing = [asyncio.create_task(player.stay()) for player in self._players]
            watching = [asyncio.create_task(watcher.watch()) for watcher in self._watchers]
            watching.append(asyncio.create_task(self._be_curious(polite)))
            watching.append(asyncio.create_task(self._feel_the_machine()))
            for task in [*playing, *watching]:
                stack.callback(task.cancel)
            await self._strike(world.failed(), playing)
            return await self._close(polite, playing, watching, began)

    async def _servito(self, stack: AsyncExitStack, rng: Random | None) -> Servito:
        witness = Witness(self._ledger, self._cards, rng)
        channel = await stack.enter_async_context(
            open_channel(
                self._world.table_target, timeout=_PATIENT.call_timeout, interceptors=witness.interceptors()
            )
        )
        stack.push_async_callback(witness.all_sent)
        return Servito(
            self._world.table_target, "casa", policy=_PATIENT, effort=self._effort, channel=channel
        )

    async def _open(self, polite: Servito, rude: Servito) -> None:
        plan = self._plan
        for number in range(plan.tables):
            table = config(f"chaos {number}", PRESETS[number % len(PRESETS)], seats=plan.seats)
            table_id = await polite.create_table(table)
            self._histories.follow(table_id)
            for seat in range(plan.seats):
                who = (rude if seat % 2 else polite).acting_as(f"p{number}.{seat}")
                rng = Random(self._rng.getrandbits(64))
                manner = manner_of(seat, number)
                self._players.append(Player(who, table_id, manner, rng=rng, reports=self._reports))
            watcher = Watcher(polite.acting_as("spectator"), table_id, self._reports.errors)
            self._watchers.append(watcher)

    async def _be_curious(self, servito: Servito) -> None:
        """Players look again and again at tables and at old hands: their cards are what they were."""
        rng = Random(self._rng.getrandbits(64))
        while True:
            await asyncio.sleep(_CURIOUS_PAUSE)
            number = rng.randrange(self._plan.tables)
            table_id = self._watchers[number].table_id
            who = servito.acting_as(f"p{number}.{rng.randrange(self._plan.seats)}")
            with suppress(TableError):  # counted where it was sent
                table = await who.table(table_id)
                if table.hand.number > 1:
                    await who.hand(f"{table_id}-{table.hand.number - rng.randrange(2)}")

    async def _feel_the_machine(self) -> None:
        """How long the loop was not run: by the machine's doing, or by this program's own work."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(_TICK)
            self._still = max(self._still, time.monotonic() - before - _TICK)

    def _keep_courses(self, problems: list[str]) -> None:
        """Write the commits of tables that something is wrong with beside the logs of the parts."""
        for table_id, course in self._histories.courses.items():
            if any(table_id in problem for problem in problems):
                (self._directory / f"{table_id}.txt").write_text(course.told(), encoding="utf-8")

    async def _strike(self, failed: asyncio.Task[None], playing: list[asyncio.Task[None]]) -> None:
        """Faults until the time is over; ends early when the system or a player fails for good."""
        plan = self._plan
        end = time.monotonic() + plan.seconds
        await asyncio.sleep(1.0 if plan.short else 3.0)
        for planned in schedule(plan.kinds, seed=plan.seed, mode=plan.mode, short=plan.short):
            if time.monotonic() > end:
                break
            await self._strike_together(planned)
            await asyncio.sleep(planned.pause * self._stage.pace)
            if failed.done():
                failed.result()
            for task in playing:
                if task.done():
                    task.result()
        failed.cancel()

    async def _strike_together(self, planned: Planned) -> None:
        async def strike(kind: Kind, rng: Random) -> None:
            begin = now_ms()
            _log.info("strikes", fault=kind.name, ms=begin)
            await kind.strike(self._stage, rng)
            self._struck.append(Struck(kind.name, begin, now_ms()))
            _log.info("is over", fault=kind.name, ms=now_ms())

        async with asyncio.TaskGroup() as group:
            for kind, rng in planned.kinds:
                group.create_task(strike(kind, rng))

    async def _close(
        self,
        servito: Servito,
        playing: list[asyncio.Task[None]],
        watching: list[asyncio.Task[None]],
        began: float,
    ) -> Figures:
        await self._world.whole()
        quiet_since, _ = await asyncio.to_thread(look, self._world.state_url)
        await asyncio.sleep(OVERDUE_MS / 1000 + 0.5)
        now, waiting = await asyncio.to_thread(look, self._world.state_url)
        stuck_now = stuck(waiting, now, quiet_since)
        still = await everybody_leaves(self._players, playing, LEAVE_SECONDS)
        differences = [await watcher.compared() for watcher in self._watchers]
        for task in watching:
            task.cancel()
        await asyncio.to_thread(self._histories.read)
        views = {watcher.table_id: await servito.table(watcher.table_id) for watcher in self._watchers}
        chips = await asyncio.to_thread(read_chips, self._world.state_url)
        accounts = Accounts(
            courses=list(self._histories.courses.values()),
            ledger=self._ledger,
            cards=self._cards,
            faults=self._struck,
            outages=self._stage.outages,
            losses=[
                (struck.begin - LAST_MS, struck.end) for struck in self._struck if KINDS[struck.kind].loses
            ],
            played=[watcher.table_id for watcher in self._watchers],
            ends=now,
        )
        figures = accounts.figures(self._plan, views, chips, time.monotonic() - began)
        self._keep_courses([*figures.chips, *figures.doubled, *figures.cards, *figures.others])
        figures.retries, figures.restarts = self._effort.retries, self._world.restarts
        figures.late_acts, figures.delivered_again = self._reports.play.late, self._stage.delivered
        figures.errors, figures.notes = dict(self._reports.errors), self._notes
        figures.stuck, figures.machine_stood_still = stuck_now, round(self._still, 2)
        shown = [problem for watcher in self._watchers for problem in watcher.problems]
        figures.chips = [*figures.chips, *shown]
        figures.others = [
            *figures.others,
            *(difference for difference in differences if difference),
            *([f"{still} players and their leaving did not end"] if still else []),
            *self._ledger.problems,
        ]
        return figures
