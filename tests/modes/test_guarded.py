"""TLS and passwords in every way of running the servers: nobody gets in without, nobody is told them."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from pydantic import SecretStr

from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_platform.clients import blocking_state_client, state_client
from servito_platform.lane import NotSent
from servito_platform.metrics_page import read_page
from servito_platform.place import Mode, read_place
from servito_platform.redis import Script, StateUnavailable, within
from servito_platform.settings import ServiceSettings
from servito_platform.state import new_ear, new_lane
from tests.modes.guard import PASSWORD, USER, WATCHWORD, Guard, make_guard
from tests.modes.programs import needs_debian
from tests.modes.servers import served
from tests.modes.until import until
from tests.system.tables import next_expiries, silent_table
from tests.table.processes import HASTY, cards_and_judgement, service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

pytestmark = needs_debian
ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
NAMES = [f"{{p{partition:03d}}}:n" for partition in range(16)]


@pytest.fixture(autouse=True)
async def ended() -> AsyncIterator[None]:
    """asyncio takes several rounds of its loop to end a TLS connection that was closed."""
    yield
    for _ in range(50):
        await asyncio.sleep(0.002)


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Guard:
    """Certificates."""
    return make_guard(tmp_path_factory.mktemp("guard"))


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(mode, id=mode.value, marks=[] if mode is Mode.SINGLE else pytest.mark.all_failovers)
        for mode in Mode
    ],
)
def guarded(
    request: pytest.FixtureRequest, guard: Guard, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a guarded state."""
    with served(request.param, tmp_path_factory.mktemp("guarded"), guard) as url:
        yield url


async def test_every_connection_gets_in(guarded: str) -> None:
    """The shared one, that for wake-ups, redis-py's for threads and for the event loop: all find all keys."""
    settings = ServiceSettings(state_url=SecretStr(guarded), state_timeout=2.0)
    lane, ear = new_lane(settings.state, 2.0), new_ear(settings.state, 2.0)
    await lane.check()
    for name in NAMES:
        await lane.run(ADD, [name], [1])
    client = state_client(settings)
    for name in NAMES:
        assert await ADD.run(client, [name], [1], seconds=2.0) == 2
    await client.aclose()

    def blocking() -> list[int]:
        with blocking_state_client(settings) as threads:
            return ADD.run_blocking_each(threads, [([name], [1]) for name in NAMES])

    assert await asyncio.to_thread(blocking) == [3] * len(NAMES)

    heard = asyncio.Event()
    ear.subscribe("{p001}:wake")
    listening = asyncio.create_task(ear.listen(lambda _: heard.set(), lambda: None))
    async with asyncio.timeout(20):
        while not heard.is_set():
            await lane.execute("SPUBLISH", "{p001}:wake", "x")
            await asyncio.sleep(0.05)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await lane.close()


@pytest.mark.parametrize("without", ["password", "authority", "certificate"])
async def test_nobody_gets_in_otherwise(
    guarded: str, guard: Guard, without: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong password, an authority that we do not trust, no certificate of ours: nothing is sent, and
    neither the error nor the log shows a password.
    """
    wrong = {
        "password": guarded.replace(quote(PASSWORD, safe=""), "guessed"),
        "authority": guarded.replace("ca.pem", "server.pem"),
        "certificate": guarded.split("&ssl_certfile", maxsplit=1)[0],
    }[without]
    assert wrong != guarded
    settings = ServiceSettings(state_url=SecretStr(wrong), state_timeout=2.0)
    lane = new_lane(settings.state, 1.0)
    with pytest.raises(NotSent) as refused:
        await lane.execute("PING")
    await lane.close()
    client = state_client(settings)
    with pytest.raises(StateUnavailable):
        await within(2.0, client.get(NAMES[0]))
    await client.aclose()
    told = "".join(capsys.readouterr()) + repr(refused.value) + repr(settings) + repr(read_place(wrong))
    secrets = (PASSWORD, quote(PASSWORD, safe=""), WATCHWORD, "guessed")
    assert not [secret for secret in secrets if secret in told]
    assert f"{USER}:" not in told


def test_a_file_that_is_not_there_is_told_at_start(guarded: str) -> None:
    """By its name; nothing else of the address is repeated."""
    with pytest.raises(ValueError, match=r"nowhere\.pem") as refused:
        ServiceSettings(state_url=SecretStr(guarded.replace("ca.pem", "nowhere.pem")))
    assert PASSWORD not in str(refused.value)


@pytest.mark.all_failovers
async def test_a_whole_system_behind_guards(guarded: str, guard: Guard, tmp_path: Path) -> None:
    """Hands are dealt and turns end by the clock, through a broker that is guarded like the state; the chips
    are counted by the same address.
    """
    with ExitStack() as stack:
        broker = guarded.replace("/0?", "/1?")
        if read_place(guarded).mode is Mode.CLUSTER:
            broker = stack.enter_context(served(Mode.SINGLE, tmp_path / "broker", guard))
        settings = stack.enter_context(cards_and_judgement(guarded, HASTY))
        table = stack.enter_context(service("table", settings))
        more = {"SERVITO_BROKER_URL": broker, "SERVITO_TABLE_TARGET": table.grpc}
        timers = stack.enter_context(service("timers", settings | more))

        def through_the_broker() -> bool:
            claims = "servito_deadline_claims_total"
            return read_page(timers.metrics).total(claims, route="broker") > 0

        async with Servito(table.grpc) as servito:
            table_id = await silent_table(servito)
            await next_expiries(servito, table_id, turns=2, hands=1)
            await asyncio.to_thread(until, through_the_broker)
        chips = await asyncio.to_thread(read_chips, guarded)
    assert {each.table_id: (each.in_play, each.difference) for each in chips.tables} == {table_id: (400, 0)}
