"""A service that is told to stop while its peers are at their worst: nobody is left without a word, and it is
gone in its time with exit code 0.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import grpc
import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_local.ports import Reservations
from servito_platform.grpc_channel import open_channel
from tests.table.caller import Caller, calling
from tests.table.processes import HASTY, Running, cards_and_judgement, service
from tests.timers.world import Server

QUICK = {**HASTY, "SERVITO_DRAIN_SECONDS": "3"}


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Server]:
    """A state server that may be frozen."""
    with Reservations() as reservations:
        server = Server("state", reservations.reserve(), tmp_path)
        yield server
        server.close()


@contextmanager
def frozen(server: Server | Running) -> Iterator[None]:
    """It stands still: its connections stay open, and nobody answers on them."""
    send = server.signal if isinstance(server, Server) else server.process.send_signal
    send(signal.SIGSTOP)
    try:
        yield
    finally:
        send(signal.SIGCONT)


async def stopped(running: Running) -> tuple[int, float]:
    """SIGTERM; the exit code, and the seconds until it was there."""
    began = monotonic()
    return await asyncio.to_thread(running.stop), monotonic() - began


async def last_word(watch: aio.UnaryStreamCall[pb.WatchRequest, pb.WatchResponse]) -> pb.WatchResponse:
    """Read a stream to its end, which has to be a good one; its last message."""
    last = pb.WatchResponse()
    while isinstance(message := await watch.read(), pb.WatchResponse):
        last = message
    assert await watch.code() is grpc.StatusCode.OK
    return last


async def test_a_crowd_is_led_away(services: dict[str, str]) -> None:
    """A hundred watchers and fifty calls under way: every call is answered, every stream ends with a goodbye
    that names the last version, and all of it is far from the ten seconds that it may take.
    """
    with service("table", services) as running:
        async with open_channel(running.grpc, timeout=30) as channel:
            ann = Caller(TableServiceStub(channel), "ann")
            table_id = await ann.create()
            watches = [ann.stub.Watch(pb.WatchRequest(table_id=table_id)) for _ in range(100)]
            for watch in watches:
                await watch.read()
            calls = [asyncio.ensure_future(ann.create()) for _ in range(50)]
            await asyncio.sleep(0.05)
            ending = asyncio.create_task(stopped(running))
            assert len(set(await asyncio.gather(*calls))) == 50
            words = await asyncio.gather(*map(last_word, watches))
            code, seconds = await ending
    assert {word.goodbye.after_version for word in words} == {1}
    assert code == 0
    assert seconds < 5


async def half_open() -> AsyncIterator[pb.PlayRequest]:
    """A player who opens his stream and says nothing."""
    await asyncio.Event().wait()
    yield pb.PlayRequest()


async def test_streams_that_never_began_hold_nobody_up(services: dict[str, str]) -> None:
    """Play without a join: told to come again elsewhere, not waited for."""
    with service("table", services) as running:
        async with calling(running.grpc) as ann:
            streams = [ann.stub.Play(half_open(), metadata=ann.metadata) for _ in range(20)]
            await ann.create()  # comes behind them
            await asyncio.sleep(0.2)
            code, seconds = await stopped(running)
            codes = {await stream.code() for stream in streams}
    assert codes == {grpc.StatusCode.UNAVAILABLE}
    assert code == 0
    assert seconds < 5


async def test_the_state_server_is_away_meanwhile(state: Server) -> None:
    """The state server hangs: calls are told so, watchers are sent on, and the process stops."""
    with cards_and_judgement(state.url, HASTY) as settings, service("table", settings | QUICK) as running:
        async with calling(running.grpc) as ann:
            table_id = await ann.create()
            watch = ann.stub.Watch(pb.WatchRequest(table_id=table_id))
            await watch.read()
            with frozen(state):
                calls = [asyncio.ensure_future(ann.table(table_id)) for _ in range(20)]
                await asyncio.sleep(0.05)
                ending = asyncio.create_task(stopped(running))
                outcomes = await asyncio.gather(*calls, return_exceptions=True)
                word = await last_word(watch)
                code, seconds = await ending
    assert {getattr(outcome, "code", lambda: None)() for outcome in outcomes} == {grpc.StatusCode.UNAVAILABLE}
    assert word.goodbye.after_version == 1
    assert code == 0
    assert seconds < 4


async def test_a_dealer_that_hangs_holds_nobody_up(state: Server) -> None:
    """A hand waits for cards that do not come: the table stops in its time, another one deals."""
    settings = {"SERVITO_STATE_URL": state.url, "SERVITO_DEALER_SEAL_KEYS": "test:" + "A" * 43 + "="}
    with service("evaluator", settings) as evaluator, service("dealer", settings) as dealer:
        settings |= {"SERVITO_DEALER_TARGET": dealer.grpc, "SERVITO_EVALUATOR_TARGET": evaluator.grpc}
        with service("table", settings | QUICK) as first:
            async with calling(first.grpc) as ann:
                with frozen(dealer):
                    table_id = await seated(ann)
                    code, seconds = await stopped(first)
        assert code == 0
        assert seconds < 4
        with service("table", settings) as second:
            async with calling(second.grpc, "service:timers") as timers:
                assert await dealt(timers, table_id)


async def seated(ann: Caller) -> str:
    """A table with two players, whose first hand begins at once."""
    table_id = await ann.create()
    for name in ("anna", "bruno"):
        await ann.as_player(name).sit(table_id)
    return table_id


async def dealt(timers: Caller, table_id: str) -> bool:
    """Do what the timers do until somebody is to act."""
    async with asyncio.timeout(20):
        while True:
            view = await timers.as_player("anna").table(table_id)
            if view.hand.HasField("to_act"):
                return True
            await timers.expire(f"{table_id}:{view.hand.turn_id}")
            await asyncio.sleep(0.1)
