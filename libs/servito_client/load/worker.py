"""One process of players: opens its tables one after the other, plays for the time given, leaves, counts.

It is spawned, never forked, because gRPC does not survive a fork. Whatever fails becomes a sentence of the
tally; a table at which nothing happens any more ends the run of this process."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Final

import psutil
import stamina
import uvloop

from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.errors import Refusal
from servito_client.load.plan import LoadPlan
from servito_client.load.player import THOUGHT, LoadPlayer, SharedTable
from servito_client.load.tally import FEW, Packed, Tally
from servito_client.messages import TableConfig

STUCK_SECONDS: Final = 15.0 + THOUGHT[1]
LEAVE_SECONDS: Final = 30.0
LOOK_SECONDS: Final = 0.2


def work(plan: LoadPlan, process: int, processes: int) -> Packed:
    """Plays one process's share of `plan`; what it measured."""
    stamina.instrumentation.set_on_retry_hooks([])  # retries are counted, not logged one by one
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_Share(plan, process, processes).run()).packed()


class _Share:
    def __init__(self, plan: LoadPlan, process: int, processes: int) -> None:
        self._plan, self._numbers = plan, plan.share(process, processes)
        self._rng = Random(f"{plan.seed}/{process}")
        self._tally, self._report = Tally(), Report()
        self._tables: list[SharedTable] = []
        self._players: list[LoadPlayer] = []
        self._playing: list[asyncio.Task[None]] = []

    async def run(self) -> Tally:
        end = time.monotonic() + self._plan.ramp_up + self._plan.seconds
        async with Servito(self._plan.target, "load") as servito:
            try:
                await self._open(servito)
                while time.monotonic() < end and not self._tally.errors and not self._tally.stuck:
                    await asyncio.sleep(LOOK_SECONDS)
                    self._look()
                await self._leave()
            except Exception as failure:  # noqa: BLE001 - reported; the other processes go on
                self._note("opening or leaving", failure)
            finally:
                for task in self._playing:
                    task.cancel()
                await asyncio.gather(*self._playing, return_exceptions=True)
            self._count(servito)
        return self._tally

    async def _open(self, servito: Servito) -> None:
        pause = self._plan.ramp_up / max(1, self._plan.tables)
        for number in self._numbers:
            table = SharedTable(f"load {number + 1}", await servito.create_table(self._config(number)))
            self._tables.append(table)
            for seat in range(self._plan.players):
                player = LoadPlayer(
                    servito.acting_as(f"load{number}.{seat}"),
                    self._plan,
                    table,
                    self._tally,
                    self._report,
                    list(STYLES.values())[seat % len(STYLES)],
                    Random(self._rng.getrandbits(64)),
                )
                self._players.append(player)
                task = asyncio.create_task(player.play(), name=f"player {seat + 1} of table {table.name}")
                task.add_done_callback(self._ended)
                self._playing.append(task)
            await asyncio.sleep(pause)

    def _config(self, number: int) -> TableConfig:
        plan = self._plan
        return TableConfig(
            name=f"load {number + 1}",
            preset=plan.preset,
            options=plan.options,
            seats=plan.players,
            min_buy_in=plan.buy_in,
            max_buy_in=plan.buy_in,
            turn_ms=plan.turn_ms,
            pause_ms=0,
        )

    def _look(self) -> None:
        now = time.monotonic()
        self._tally.stuck = [table.name for table in self._tables if now - table.last_told > STUCK_SECONDS]

    async def _leave(self) -> None:
        leaving = [asyncio.create_task(player.leave(), name="leaving") for player in self._players]
        for task in leaving:
            task.add_done_callback(self._ended)
        if waiting := [*leaving, *self._playing]:
            _, still = await asyncio.wait(waiting, timeout=LEAVE_SECONDS)
            if still:
                self._tally.errors.append(f"{len(still)} players had not left after {LEAVE_SECONDS:g} s")
            for task in still:
                task.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (failure := task.exception()) is not None:
            self._note(task.get_name(), failure)

    def _note(self, who: str, failure: BaseException) -> None:
        if isinstance(failure, Refusal):
            self._tally.refusals[failure.reason] += 1
        if len(self._tally.errors) < FEW:
            self._tally.errors.append(f"{who}: {type(failure).__name__}: {failure}")

    def _count(self, servito: Servito) -> None:
        tally, report, own = self._tally, self._report, psutil.Process()
        tally.answer_us.add(report.latency_us)
        tally.actions, tally.late, tally.rebuys = report.actions, report.late, report.rebuys
        tally.retries = servito.effort.retries
        times = own.cpu_times()
        tally.cpu_seconds = times.user + times.system
        tally.resident_bytes = own.memory_info().rss
