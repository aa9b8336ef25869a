"""How late deadlines are carried out: `python -m tests.bench deadlines`.

On the real services, each a process: lateness is the time of the commit that ended a turn less the turn's
deadline, both by the state server's clock and read from the tables' streams. The tables are copies of one
whose first turn runs, so that thousands can be due at one moment.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import StoredTable
from servito_platform.metrics_page import read_page
from tests.bench.measure import Goal, Row, spread
from tests.table.caller import Caller, calling, fresh
from tests.timers.turns import KEYS, Fields, copied, live_table, server_ms
from tests.timers.whole import Whole
from tests.timers.world import until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.measure import Context
    from tests.table.processes import Running

FEW: Final = 100
MANY: Final = 10_000
GOAL_MS: Final = 150.0
LEASE_MS: Final = 1_000.0
WORKERS: Final = 8
IDLE_SECONDS: Final = 5.0
CLOCK_MS: Final = 60_000
AT_ONCE: Final = 32
HEAD_START_MS: Final = 1_500
"""Until copies are due: time enough to write ten thousand."""


def measure(context: Context) -> Iterator[Row | str]:
    """Start everything and measure it."""
    with TemporaryDirectory() as directory, closing(Whole(Path(directory))) as whole:
        yield from at(context, whole)


def at(context: Context, whole: Whole) -> Iterator[Row | str]:
    """A few, many, and those of a worker that dies; then what workers cost that have nothing to do."""
    few_number, many_number = context.some(FEW), context.some(MANY)
    bench = Bench(whole, few_number, many_number)
    few = [context.quiet.run(bench.few) for _ in context.repeats()]
    goal = [GOAL_MS] * len(few)
    yield Row(
        f"{few_number} due together, p99", few, "150 ms", goal, unit=" ms", better="less", goal=Goal(1.0)
    )
    acts, ends = [], []
    for _ in context.repeats():
        acts.append(context.quiet.run(bench.acts))
        ends.append(context.quiet.run(bench.many))
    yield Row(
        f"{many_number:,} due together, until the last",
        ends,
        f"{many_number:,} commits by Act, {AT_ONCE} in flight",
        acts,
        unit=" s",
        better="less",
        goal=Goal(1 / 1.5),
        note=bench.account(),
    )
    dead = [bench.bereaved() for _ in context.repeats()]
    limit = [LEASE_MS + GOAL_MS] * len(dead)
    yield Row(
        "a worker dies: the latest",
        dead,
        "lease + 150 ms",
        limit,
        unit=" ms",
        better="less",
        goal=Goal(1.0),
        note=f"{few_number} deadlines a time; lateness of those that it had claimed ends with its lease",
    )
    yield from sweepers(whole, context.some(WORKERS), context.seconds(IDLE_SECONDS))


class Bench:
    """The measurements."""

    def __init__(self, whole: Whole, few: int, many: int) -> None:
        self._whole = whole
        self._few, self._many = few, many
        self._client: Any = whole.state.client
        self._fields: Fields = asyncio.run(live_table(whole.table.grpc, self._client, CLOCK_MS))
        self._claimed: list[float] = []
        self._others: list[float] = []
        self._p99: list[float] = []
        self._size: list[float] = []

    def few(self) -> float:
        """The p99 of a few, in ms."""
        return _p99(self._lateness(self._due_together(self._few)))

    def many(self) -> float:
        """Seconds from the moment when many are due until the last was carried out."""
        before = _counts(self._whole.timers)
        late = self._lateness(self._due_together(self._many), seconds=120)
        after = _counts(self._whole.timers)
        self._claimed.append(after[0] - before[0])
        self._others.append(after[1] - before[1])
        self._size.append(self._many / (after[2] - before[2]))
        self._p99.append(_p99(late))
        return max(late) / 1000

    def acts(self) -> float:
        """Seconds for as many acts at as many tables that the process does not know yet."""
        ids = self._copies(self._many, server_ms(self._client) + CLOCK_MS)
        seconds = asyncio.run(_all_pass(self._whole.table.grpc, self._fields, ids))
        self._forget(ids)
        return seconds

    def bereaved(self) -> float:
        """A second worker shares the deadlines with the first and is killed when they are due: the latest, in
        ms.
        """
        second = self._whole.started("timers", {})
        until(lambda: read_page(second.metrics).total("servito_broker_good") == 1)
        due = server_ms(self._client) + HEAD_START_MS
        ids = self._copies(self._few, due, apart=2)
        time.sleep(max(0.0, (due + self._few - server_ms(self._client)) / 1000))
        second.kill()
        late = self._lateness((ids, due), apart=2)
        return max(late)

    def account(self) -> str:
        """What was claimed for how many, and by whom nothing was to be done."""
        return (
            f"p99 {spread(self._p99, 0)} ms; "
            f"claims for {self._many:,} deadlines: {spread(self._claimed, 0)}, "
            f"carried out without effect: {spread(self._others, 0)}; in a claim {spread(self._size, 0)}"
        )

    def _due_together(self, number: int) -> tuple[list[str], int]:
        due = server_ms(self._client) + HEAD_START_MS
        return self._copies(number, due), due

    def _copies(self, number: int, due: int, apart: int = 0) -> list[str]:
        return copied(
            self._client,
            self._fields,
            f"{fresh()}-",
            number,
            due=lambda place: due + place * apart,
            clock_ms=CLOCK_MS,
        )

    def _lateness(self, due: tuple[list[str], int], *, apart: int = 0, seconds: float = 30) -> list[float]:
        """Milliseconds of each; the copies are forgotten."""
        ids, at = due
        until(lambda: self._ended(ids[-200:]), seconds)
        until(lambda: self._ended(ids), seconds)
        made = [entries[0][1][b"n"] for entries in self._streams(ids)]
        self._forget(ids)
        return [float(int(when) - at - place * apart) for place, when in enumerate(made)]

    def _ended(self, ids: Sequence[str]) -> bool:
        time.sleep(0.2)  # not to be in the way of what is measured
        return all(self._streams(ids))

    def _streams(self, ids: Sequence[str]) -> list[Any]:
        with self._client.pipeline(transaction=False) as pipe:
            for table_id in ids:
                pipe.xrange(KEYS.events(table_id), count=1)
            found: list[Any] = pipe.execute()
        return found

    def _forget(self, ids: Sequence[str]) -> None:
        self._client.delete(*map(KEYS.deadlines, range(KEYS.partitions)))
        self._client.delete(*map(KEYS.table, ids), *map(KEYS.events, ids))


def sweepers(whole: Whole, most: int, seconds: float) -> Iterator[str]:
    """What so many idle workers cost the state server, beside one."""
    costs = []
    for number in (1, most):
        while len(whole.workers) < number:
            whole.workers.append(whole.started("timers", {}))
        before, begun = _cpu(whole), time.monotonic()
        time.sleep(seconds)
        costs.append((_cpu(whole) - before) / (time.monotonic() - begun))
    yield f"idle workers: one costs the state server {costs[0]:.1%} of a core, {most} {costs[1]:.1%}"


async def _all_pass(grpc: str, fields: Fields, ids: Sequence[str]) -> float:
    stored = StoredTable.FromString(fields[b"s"])
    async with calling(grpc) as caller:
        # As it was copied: the clock of the table itself, which nobody plays at, may be up by now.
        seat = stored.hand.players[stored.hand.to_act].seat
        player = next(own.player for own in stored.seats if own.seat == seat)
        actor, begun = caller.as_player(player), time.monotonic()
        room = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(_pass(actor, table_id, stored.turn, room) for table_id in ids))
        return time.monotonic() - begun


async def _pass(player: Caller, table_id: str, turn: int, room: asyncio.Semaphore) -> None:
    async with room:
        await player.act(table_id, turn, pb.Action(kind=pb.ACTION_KIND_PASS))


def _counts(worker: Running) -> tuple[float, float, float]:
    """Deadlines claimed, those that the table service did not end, and claims sent."""
    page = read_page(worker.metrics)
    done = "servito_deadlines_carried_out_total"
    without_effect = page.total(done) - page.total(done, result="expired")
    claims = page.total("servito_deadline_claims_total")
    return page.total("servito_deadlines_claimed_total"), without_effect, claims


def _p99(late: Sequence[float]) -> float:
    return sorted(late)[max(0, len(late) * 99 // 100 - 1)]


def _cpu(whole: Whole) -> float:
    found = whole.state.client.info("cpu")
    return float(found["used_cpu_sys"]) + float(found["used_cpu_user"])
