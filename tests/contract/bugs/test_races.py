"""Faults of races and of what is never freed (`MH` of poker_bugs.json), against the running services."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import psutil

from servito.table.v1 import table_pb2 as pb
from servito_local.chips import read_chips
from servito_platform.metrics_page import read_page
from tests.table.playing import mild_action, own_cards, play_by_calls

if TYPE_CHECKING:
    from tests.contract.services import Services
    from tests.contract.stage import Seats, Stage

RACES: Final = 150
TABLES: Final = 100
LOOKS: Final = 2
EXPIRED = pb.EXPIRE_RESULT_EXPIRED


async def due_now(stage: Stage, table_id: str) -> None:
    """The deadline of the turn is this very moment: by the state server's clock the action is still in time,
    and the timer is too.
    """
    seconds, micros = await stage.state.time()
    now = seconds * 1000 + micros // 1000
    await stage.state.hset(stage.keys.table(table_id), "deadline", now)


async def race(stage: Stage, seats: Seats, number: int) -> str:
    """The seat to act acts, the timer ends its turn, and another player leaves, all at once at two processes;
    who of the first two won.
    """
    here, there = (stage.table, stage.elsewhere) if number % 2 else (stage.elsewhere, stage.table)
    own = await stage.view(seats.table_id, seats.actor)
    action = mild_action(own.hand.offer, own_cards(own))
    await due_now(stage, seats.table_id)
    acted, expired, _ = await asyncio.gather(
        here.as_player(seats.actor).act(seats.table_id, seats.turn, action),
        there.as_player("service:timers").expire(f"{seats.table_id}:{seats.turn}"),
        here.as_player(seats.players[-1]).stand(seats.table_id),
        return_exceptions=True,
    )
    done = isinstance(acted, pb.ActResponse)
    assert done != (expired == [EXPIRED]), (acted, expired)
    return "player" if done else "timer"


async def test_player_timer_and_another_player_at_once(stage: Stage, contract_services: Services) -> None:
    """MH-06: an action, the timer of the same turn and another's leaving arrive in the same moment at two
    processes, again and again: one of the first two takes effect, versions grow by one, and no chip is lost.
    """
    won = {"player": 0, "timer": 0}
    seats = await stage.hand(2, away_after=100, buy_in=200)
    for number in range(10 * RACES):
        if number >= RACES and min(won.values()) > RACES // 20:
            break
        guest = await stage.sit(seats.table_id)
        view = await stage.turn(seats.table_id)
        seats = replace(seats, players=[*seats.players[:2], guest], view=view)
        if seats.actor == guest:
            await stage.table.as_player(guest).stand(seats.table_id)
        else:
            won[await race(stage, seats, number)] += 1
    async with stage.state.pipeline(transaction=True) as together:  # the table goes on playing
        together.xrange(stage.keys.events(seats.table_id))
        together.hget(stage.keys.table(seats.table_id), "v")
        entries, version = await together.execute()
    ids = [int(entry.split(b"-")[0]) for entry, _ in entries]
    assert ids == list(range(ids[0], ids[0] + len(ids)))
    assert ids[-1] == int(version)
    assert min(won.values()) > RACES // 20, won
    wrong = {table.table_id for table in read_chips(contract_services.state_url).wrong}
    assert seats.table_id not in wrong


async def test_tables_that_are_over(stage: Stage, contract_services: Services) -> None:
    """MH-01: tables are made, played at, watched and closed: no deadline, no subscription, no place in the
    list and no memory of the process is left of them, and what is stored of a closed table has an end.
    """
    await nobody_watches(contract_services)  # any more, of the tests before
    channels = await shard_channels(stage)
    await asyncio.gather(*(life(stage) for _ in range(TABLES // 3)))
    held = resident(contract_services)
    closed = await asyncio.gather(*(life(stage) for _ in range(TABLES)))
    assert resident(contract_services) - held < TABLES * 100_000
    for table_id in closed:
        partition = stage.keys.partition(table_id)
        due = await stage.state.zrange(stage.keys.deadlines(partition), 0, -1)
        assert not [member for member in due if member.startswith(table_id.encode() + b":")]
        assert await stage.state.zscore(stage.keys.tables(partition), table_id) is None
        for key in (stage.keys.table(table_id), stage.keys.events(table_id)):
            assert await stage.state.pttl(key) > 0
        assert await stage.state.xlen(stage.keys.journal(partition)) > 0
    async with asyncio.timeout(20):
        while await shard_channels(stage) != channels:  # noqa: ASYNC110 - the state server's
            await asyncio.sleep(0.02)
    await nobody_watches(contract_services)
    assert not {table.table_id for table in read_chips(contract_services.state_url).wrong} & set(closed)


async def life(stage: Stage) -> str:
    """A table from its making to its closing, with watchers who come and go; its id."""
    seats = await stage.seated(2)
    players = [stage.table.as_player(player) for player in seats.players]
    watching = asyncio.gather(*(look_in(stage, seats.table_id) for _ in range(LOOKS)))
    await play_by_calls(seats.table_id, players, 1)
    await watching
    await stage.table.close(seats.table_id)
    while (table := await stage.view(seats.table_id)).status != pb.TABLE_STATUS_CLOSED:
        for player in players:
            own = await player.table(seats.table_id)
            if own.hand.HasField("offer"):
                action = mild_action(own.hand.offer, own_cards(own))
                await player.act(seats.table_id, own.hand.offer.turn_id, action)
    assert not table.seats
    return seats.table_id


async def look_in(stage: Stage, table_id: str) -> None:
    """Watch for one message."""
    stream: Any = stage.table.stub.Watch(pb.WatchRequest(table_id=table_id))
    await stream.read()
    stream.cancel()


async def nobody_watches(services: Services) -> None:
    """Wait until no stream of the table process is left."""
    watchers = 1.0
    async with asyncio.timeout(20):
        while watchers:
            page = await asyncio.to_thread(read_page, services.table.metrics)
            watchers = page.total("servito_table_watchers")


async def shard_channels(stage: Stage) -> int:
    """How many channels somebody listens to at the state server."""
    return len(await stage.state.execute_command("PUBSUB SHARDCHANNELS"))


def resident(services: Services) -> int:
    """Bytes that the table process holds."""
    return int(psutil.Process(services.table.process.pid).memory_info().rss)
