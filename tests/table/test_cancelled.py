"""Whoever goes away in the middle of a call, or of a stream, changes nothing for anybody else: what he asked
for is done once or not at all, and nothing of him stays in the process.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import psutil
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_local.chips import read_chips
from servito_platform.metrics_page import read_page
from servito_wire.refusals import refusal_of
from tests.table.caller import Caller, fresh
from tests.table.playing import mild_action, own_cards, turn_at
from tests.table.processes import Running

ACTS = 40
WARM = 10
"""After so many both processes have the connections that they need."""
WATCHERS = 6
"""Who come and go at each process."""
AGAIN = frozenset({"UNAVAILABLE", "OUTCOME_UNKNOWN", "CONTENDED"})
LONGEST = 0.003
"""Seconds after which a call is given up; it takes one and a half, and ten on a busy machine."""


@dataclass
class Impatient:
    """Sends a request, gives up at a random moment, and sends it again, to either process."""

    rng: Random
    given_up: Counter[str] = field(default_factory=Counter)

    async def ask(self, what: str, send: Callable[[int], Any]) -> Any:
        """The answer, once one was waited for; `send` sends it to one of two places."""
        for _ in range(self.rng.randint(0, 3)):
            call = send(self.rng.randint(0, 1))
            waiting = asyncio.ensure_future(_settled(call))
            await asyncio.sleep(self.rng.uniform(0, LONGEST))
            self.given_up[what] += call.cancel()
            await waiting
        async with asyncio.timeout(20):
            while True:
                try:
                    return await send(self.rng.randint(0, 1))
                except aio.AioRpcError as error:
                    refused = refusal_of(error)
                    if refused is None or refused.reason not in AGAIN:
                        raise
                await asyncio.sleep(0.05)


async def _settled(call: Awaitable[object]) -> None:
    with suppress(aio.AioRpcError, asyncio.CancelledError):
        await call


async def come_and_go(caller: Caller, table_id: str, rng: Random, over: asyncio.Event) -> None:
    """Join a table by either stream, break off at a random moment, come back for what was missed."""
    seen: pb.TableUpdate | None = None
    while not over.is_set():
        join = pb.WatchRequest(table_id=table_id)
        if seen is not None and rng.random() < 0.5:
            join.after_version, join.after_lineage = seen.version, seen.lineage
        stream: Any
        if rng.random() < 0.5:
            stream = caller.stub.Watch(join, metadata=caller.metadata)
        else:
            stream = caller.stub.Play(_joining(join, over), metadata=caller.metadata)
        asyncio.get_running_loop().call_later(rng.uniform(0, 0.1), stream.cancel)
        with suppress(aio.AioRpcError, asyncio.CancelledError):
            async for message in stream:
                if message.updates:
                    seen = message.updates[-1]


async def _joining(join: pb.WatchRequest, over: asyncio.Event) -> AsyncIterator[pb.PlayRequest]:
    yield pb.PlayRequest(join=join)
    await over.wait()


@dataclass
class Stays:
    """Somebody who is told every commit."""

    updates: list[pb.TableUpdate] = field(default_factory=list)
    joined: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, caller: Caller, table_id: str) -> None:
        """Until cancelled."""
        stream = caller.stub.Watch(pb.WatchRequest(table_id=table_id), metadata=caller.metadata)
        try:
            async for message in stream:
                self.joined.set()
                self.updates += message.updates
        finally:
            stream.cancel()

    async def until(self, version: int) -> None:
        """Until he was told that version."""
        while not self.updates or self.updates[-1].version < version:  # noqa: ASYNC110 - told by the stream
            await asyncio.sleep(0.02)


async def test_nothing_is_lost_doubled_or_left(
    ann: Caller,
    there: Caller,
    table_service: Running,
    other_service: Running,
    services: dict[str, str],
) -> None:
    """Acts, buy-ins and looks that are given up at any moment and sent again, at both processes, with
    watchers who break off at any moment: each act and each buy-in is carried out once, who stays is told
    every commit once and in order, no chip is lost, and no watcher, call or file is left behind.
    """
    rng, places = Random(11), (ann, there)
    processes = [psutil.Process(each.process.pid) for each in (table_service, other_service)]
    impatient = Impatient(rng)
    table_id = await ann.create()
    names = [f"{name}-{table_id[:8]}" for name in "abc"]
    for name in names:
        await ann.as_player(name).sit(table_id)
    await turn_at(ann, table_id)
    files: list[int] = []

    over, stories = asyncio.Event(), [Stays() for _ in places]
    staying = [
        asyncio.create_task(story.watch(place.as_player("stays"), table_id))
        for place, story in zip(places, stories, strict=True)
    ]
    for story in stories:
        await story.joined.wait()
    coming = [
        asyncio.create_task(come_and_go(place.as_player(f"w{number}"), table_id, Random(number), over))
        for number in range(WATCHERS)
        for place in places
    ]
    acts: list[int] = []
    bought = 0
    async with asyncio.timeout(100):
        while len(acts) < ACTS:
            acts.append(await _act(impatient, places, table_id))
            if len(acts) == WARM:
                files = [process.num_fds() for process in processes]
            if rng.random() < 0.2:
                bought += await _pass_by(impatient, places, table_id)
        over.set()
        await asyncio.gather(*coming)
        final = await ann.table(table_id)
        await asyncio.gather(*(story.until(final.version) for story in stories))
    for task in staying:
        task.cancel()

    assert impatient.given_up["act"] > ACTS / 4
    for story in stories:
        versions = [update.version for update in story.updates]
        assert versions == list(range(versions[0], final.version + 1))
        by_version = {update.version: update for update in story.updates}
        acted = {
            version: [event for event in update.events if event.HasField("seat_acted")]
            for version, update in by_version.items()
        }
        assert all(len(acted[version]) == 1 for version in acts)
        assert len(set(acts)) == ACTS
        joined = sum(event.HasField("player_sat") for update in story.updates for event in update.events)
        left = sum(event.HasField("player_stood") for update in story.updates for event in update.events)
        assert joined == left == bought
    chips = await asyncio.to_thread(read_chips, services["SERVITO_STATE_URL"])
    assert chips.wrong == ()
    assert {each.table_id: each.in_play for each in chips.tables}[table_id] == 300
    for running, process, most in zip((table_service, other_service), processes, files, strict=True):
        await _nothing_left(running, process, most)


async def _act(impatient: Impatient, places: tuple[Caller, ...], table_id: str) -> int:
    """Whoever is to act does, impatiently; the version that it made, which both processes name again."""
    view = await turn_at(places[0], table_id)
    name = next(seat.player for seat in view.seats if seat.seat == view.hand.to_act)
    own = await places[0].as_player(name).table(table_id)
    request = pb.ActRequest(
        table_id=table_id,
        request_id=fresh(),
        turn_id=own.hand.offer.turn_id,
        action=mild_action(own.hand.offer, own_cards(own)),
    )

    def send(place: int) -> Any:
        caller = places[place].as_player(name)
        return caller.stub.Act(request, metadata=caller.metadata, timeout=30)

    answer = await impatient.ask("act", send)
    again = [await impatient.ask("repeat", send) for _ in places]
    assert [each.version for each in again] == [answer.version] * len(places)
    return int(answer.version)


async def _pass_by(impatient: Impatient, places: tuple[Caller, ...], table_id: str) -> int:
    """Somebody sits down and stands up again, and looks, all of it impatiently."""
    name = fresh()
    callers = [place.as_player(name) for place in places]
    sit = pb.SitRequest(table_id=table_id, request_id=fresh(), buy_in=50)
    stand = pb.StandRequest(table_id=table_id, request_id=fresh())
    look = pb.GetTableRequest(table_id=table_id)

    def sending(method: str, request: Any) -> Callable[[int], Any]:
        return lambda place: getattr(callers[place].stub, method)(
            request, metadata=callers[place].metadata, timeout=30
        )

    await impatient.ask("sit", sending("Sit", sit))
    await impatient.ask("look", sending("GetTable", look))
    await impatient.ask("stand", sending("Stand", stand))
    return 1


async def _nothing_left(running: Running, process: psutil.Process, files: int) -> None:
    """Watchers, calls and files of a process, once the last who broke off is gone."""
    async with asyncio.timeout(20):
        while True:
            page = await asyncio.to_thread(read_page, running.metrics)
            watchers, tables = page.total("servito_table_watchers"), page.total("servito_table_watched")
            calls = page.total("grpc_server_started_total") - page.total("grpc_server_handled_total")
            if watchers == tables == calls == 0 and process.num_fds() <= files + 2:
                return
            await asyncio.sleep(0.1)
