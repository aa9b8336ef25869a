"""Whatever is delivered twice, late or in another order: every turn ends once, and none before its time."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

from servito_platform.place import read_place
from servito_timers.tasks.celery_app import QUEUE, new_celery
from tests.local.parts import until
from tests.timers.turns import KEYS, copied, live_table, server_ms, told
from tests.timers.whole import Whole, freeze, thaw

TABLES = 40
CLOCK_MS = 1_000
TASK = "servito.timers.expire_deadlines"


async def playing(whole: Whole, name: str) -> list[str]:
    """Tables at which nobody acts, all of them due within a clock."""
    fields = await live_table(whole.table.grpc, whole.state.client, CLOCK_MS)
    now = server_ms(whole.state.client)
    return copied(
        whole.state.client, fields, name, TABLES, due=lambda place: now + 10 * place, clock_ms=CLOCK_MS
    )


async def check(whole: Whole, ids: list[str], turns: int) -> None:
    """Wait for so many turns at each table, and look at all that happened."""
    client = whole.state.client
    await until(lambda: all(len(told(client, each)) > turns for each in ids), 40)
    client.delete(*map(KEYS.deadlines, range(KEYS.partitions)))
    for table_id in ids:
        story = told(client, table_id)
        ended = [place for place, one in enumerate(story) if "turn_expired" in one.kinds]
        for place in ended[1:]:
            assert story[place].at >= story[place - 1].deadline > 0
        assert max(Counter(story[place].turn for place in ended).values()) == 1


def members(whole: Whole) -> set[str]:
    """The waits of all tables now."""
    client: Any = whole.state.client
    sets = (client.zrange(KEYS.deadlines(each), 0, -1) for each in range(KEYS.partitions))
    return {name.decode() for found in sets for name in found}


async def test_tasks_that_come_three_times_and_out_of_order(whole: Whole) -> None:
    """Every wait is named by tasks of nobody's making before it is due, when it is, and long after, three
    times over: nothing happens twice or early.
    """
    ids = await playing(whole, "twice")
    app, style = new_celery(read_place(whole.broker.url)), random.Random(1)
    named: list[str] = []
    for number in range(15):
        named += sorted(members(whole) - {*named})
        for copy in range(3):
            some = style.sample(named, min(len(named), 60))
            args = ["nobody", f"nobody-{number}-{copy}", some]
            await asyncio.to_thread(app.send_task, TASK, args=args, queue=QUEUE)
        await asyncio.sleep(0.2)
    await check(whole, ids, 3)
    app.close()


async def test_a_sweeper_that_stalls_beyond_its_lease_doubles_nothing(whole: Whole) -> None:
    """Of two workers one is frozen again and again, for longer than a lease, with claims in its hands."""
    second = whole.started("timers", {})
    ids = await playing(whole, "stalled")
    for worker in (second, whole.timers, second):
        await asyncio.sleep(0.3)
        freeze(worker)
        await asyncio.sleep(1.4)
        thaw(worker)
    await check(whole, ids, 4)
    second.stop()
