"""A machine whose clock is wrong: only the state server's clock says when a turn is over (PITFALLS R13)."""

from __future__ import annotations

import asyncio
import json
from statistics import median
from typing import Any

import pytest
import redis

from servito_platform.place import read_place
from servito_timers.tasks.celery_app import QUEUE, new_celery
from servito_timers.tasks.expire import Publisher, register
from tests.chaos.clocks import library, skewed
from tests.local.parts import until
from tests.table.caller import calling
from tests.timers.turns import KEYS, copied, live_table, server_ms, told
from tests.timers.whole import Whole, freeze, thaw

SKEW_SECONDS = 5
TURNS = 40


@pytest.mark.skipif(
    library() is None, reason="libfaketime is not installed (on Debian: the package libfaketime)"
)
async def test_processes_five_seconds_off_change_nothing(whole: Whole) -> None:
    """A table process that is ahead and a worker that is behind end every turn at its time, and say the same
    of it as others.
    """
    client: Any = whole.state.client
    fields = await live_table(whole.table.grpc, client, 60_000)
    ahead = whole.started("table", skewed(SKEW_SECONDS))
    behind = whole.started("timers", {**skewed(-SKEW_SECONDS), "SERVITO_TABLE_TARGET": ahead.grpc})
    freeze(whole.timers)  # so that nobody else does it
    try:
        due = server_ms(client) + 1_500
        ids = copied(client, fields, "clocks", TURNS, due=lambda place: due + 10 * place, clock_ms=60_000)
        async with calling(ahead.grpc) as here, calling(whole.table.grpc) as there:
            shown = [(await each.table(ids[-1])).hand.remaining_ms for each in (here, there)]
        assert abs(shown[0] - shown[1]) < 2_500
        await until(lambda: all(told(client, each) for each in ids), 40)
    finally:
        thaw(whole.timers)
    late = [told(client, each)[0].at - due - 10 * place for place, each in enumerate(ids)]
    assert min(late) >= 0
    assert median(late) < 2_500
    client.delete(*map(KEYS.deadlines, range(KEYS.partitions)))
    assert await asyncio.to_thread(behind.stop) == 0
    assert await asyncio.to_thread(ahead.stop) == 0


def test_no_message_says_until_when_it_is_good(whole: Whole) -> None:
    """A consumer would compare that with its own clock, and throw away what a maker with another one sent."""
    url = f"{whole.broker.url.removesuffix('/0')}/5"
    app = new_celery(read_place(url))
    publisher = Publisher(app, register(app, lambda *_: None), worker="w", seconds=5.0)
    publisher.publish("w-1", ["t1:4"])
    publisher.close()
    with redis.Redis.from_url(url) as client:
        message = json.loads(client.lpop(QUEUE) or b"{}")
    assert {"expires", "eta"} <= message["headers"].keys()
    assert (message["headers"]["expires"], message["headers"]["eta"]) == (None, None)
