"""A partition's slot moves between primaries of a Cluster while it is written to and played in."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import closing
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

import pytest

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import HandEnded, TableConfig
from servito_client.updates import Update
from servito_local.chips import read_chips
from servito_local.ports import Reservations
from servito_platform.clients import blocking_client
from servito_platform.deadlines import Deadlines, member
from servito_platform.firm import new_firm_lane
from servito_platform.keys import Keys
from servito_platform.lane import NotSent
from servito_platform.metrics import new_registry
from servito_platform.place import read_place
from servito_platform.redis import Script, StateUnavailable
from servito_platform.replicas import Replicas
from servito_platform.state import new_lane
from tests.modes.empty import empty
from tests.modes.moving import move_at_once, move_by_keys
from tests.modes.servers import Cluster
from tests.modes.until import until
from tests.table.processes import HASTY, cards_and_judgement, service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.modes.servers import Server

KEYS = Keys(64)
TAG = "{p007}"
NOTE = Script(
    """redis.call('INCR', KEYS[1])
redis.call('RPUSH', KEYS[2], ARGV[1])
return redis.call('EXISTS', KEYS[3])"""
)
"""Of several keys, the last of which is never there, as in a commit the channel is not."""


def _by_keys(cluster: Cluster, name: str) -> Server:
    return move_by_keys(cluster, name, 0.05)


MOVES = [pytest.param(_by_keys, id="by keys")]
if os.environ.get("STATE_SERVER", "valkey") == "valkey":
    MOVES.append(pytest.param(move_at_once, id="at once"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three primaries with their replicas."""
    with Reservations() as ports, closing(Cluster(tmp_path_factory.mktemp("cluster"), ports)) as cluster:
        yield cluster


@pytest.fixture
def url(cluster: Cluster) -> str:
    """Its address, with nothing stored."""
    until(cluster.ready_to_fail_over, 40)
    return empty(cluster.url)


@pytest.mark.parametrize("move", MOVES)
async def test_nothing_is_lost_or_done_twice(
    cluster: Cluster, url: str, move: Callable[[Cluster, str], Server]
) -> None:
    """Scripts of several keys run all the time, at sixteen tables of the partition, by the shared connection
    and by the one that replicas acknowledge: what was answered is there once, what was not sent is not
    there, no answer is unknown, and nothing waits after the move.
    """
    place = read_place(url)
    lane = new_lane(place, 2.0)
    firm = new_firm_lane(place, 2.0, Replicas(1, 1.0), new_registry())
    assert firm is not None
    done: Counter[str] = Counter()
    over = asyncio.Event()

    async def note(number: int) -> None:
        names = [f"{TAG}:{kind}{number}" for kind in "cla"]
        run = firm.run if number % 4 == 0 else lane.run
        for turn in range(100_000):
            if over.is_set():
                return
            try:
                await run(NOTE, names, [f"{number}-{turn}"])
                done[f"{number}-{turn}"] += 1
            except NotSent:
                continue  # the move took longer than a request is tried; the next one asks again
            await asyncio.sleep(0.002)

    noting = [asyncio.create_task(note(number)) for number in range(16)]
    await asyncio.sleep(0.3)
    for _ in range(2):
        await asyncio.to_thread(move, cluster, f"{TAG}:c0")
        before = done.total()
        began = monotonic()
        while done.total() < before + 200:
            assert monotonic() - began < 20, "nothing goes on after the move"
            await asyncio.sleep(0.01)
    over.set()
    await asyncio.gather(*noting)
    stored: Counter[str] = Counter()
    for number in range(16):
        listed = await lane.execute("LRANGE", f"{TAG}:l{number}", 0, -1)
        stored.update(entry.decode() for entry in listed)
        assert int(await lane.execute("GET", f"{TAG}:c{number}")) == len(listed)
    assert stored == done
    await lane.close()
    await firm.close()


async def test_deadlines_are_claimed_at_the_new_holder(cluster: Cluster, url: str) -> None:
    """A sweeper finds the partition again by itself, and what is due there."""
    with blocking_client(read_place(url), 2.0) as client:
        deadlines, everywhere = Deadlines(client, KEYS), dict.fromkeys(range(KEYS.partitions), 10)
        client.zadd(KEYS.deadlines(7), {member("t7", 1): 1})
        deadlines.claim_each(everywhere, lease_ms=10)
        await asyncio.to_thread(_by_keys, cluster, KEYS.deadlines(7))

        def claimed() -> bool:
            try:
                return bool(deadlines.claim_each(everywhere, lease_ms=10)[7].due)
            except (KeyError, StateUnavailable):
                return False

        await asyncio.to_thread(until, claimed)


@pytest.mark.all_failovers
@pytest.mark.parametrize("move", MOVES)
async def test_hands_go_on(cluster: Cluster, url: str, move: Callable[[Cluster, str], Server]) -> None:
    """Bots play at a table whose partition moves twice: hands go on, in the end every chip is cashed out."""
    config = TableConfig(
        name="Trasloco", preset="italiana", seats=3, min_buy_in=60, max_buy_in=60, turn_ms=20_000, pause_ms=0
    )
    report = Report()
    with cards_and_judgement(url, HASTY) as settings, service("table", settings) as table:
        async with (
            Servito(table.grpc, player="casa") as servito,
            asyncio.timeout(90),
            asyncio.TaskGroup() as playing,
        ):
            table_id = await servito.create_table(config)
            bots = [
                Bot(
                    servito.acting_as(style),
                    table_id,
                    strategy=strategy,
                    rng=Random(style),
                    buy_in=60,
                    report=report,
                )
                for style, strategy in STYLES.items()
            ]
            seats = [playing.create_task(bot.play()) for bot in bots]
            for _ in range(2):
                await _hands(servito, table_id, 2)
                await asyncio.to_thread(move, cluster, KEYS.table(table_id))
            await _hands(servito, table_id, 2)
            for bot in bots:
                playing.create_task(bot.leave())
            await asyncio.gather(*seats)
            carried = (await servito.table(table_id)).carried
        chips = await asyncio.to_thread(read_chips, url)
    assert chips.wrong == ()
    assert [each.bought_in for each in chips.tables] == [carried]


async def _hands(servito: Servito, table_id: str, number: int) -> None:
    """Until so many further hands have ended."""
    async for told in servito.watch(table_id):
        if isinstance(told, Update):
            number -= sum(isinstance(event, HandEnded) for event in told.events)
        if number <= 0:
            return
