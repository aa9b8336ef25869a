"""Answers that get lost between a commit and its player: the request is sent again, is answered, and was
carried out once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_client.client import Servito
from servito_client.retries import RetryPolicy
from servito_local.chips import read_chips
from servito_local.ports import Reservations
from tests.modes.servers import Server
from tests.modes.until import until
from tests.platform.proxy import Proxy, proxy_to
from tests.table.caller import CONFIG, Caller, calling, fresh, refusal_from
from tests.table.playing import mild_action, own_cards, turn_at
from tests.table.processes import Running, cards_and_judgement, service

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.one_server

POLICY: Final = RetryPolicy(first_wait=0.02, longest_wait=0.2, call_timeout=2.0, give_up_after=20.0)


@dataclass
class Wished:
    """A request of a player, ready to be sent as often as it takes."""

    request: Any
    player: str

    async def at(self, caller: Caller) -> Any:
        """Send it to that process."""
        method = getattr(caller.stub, type(self.request).__name__.removesuffix("Request"))
        return await method(self.request, metadata=caller.as_player(self.player).metadata, timeout=30)


async def _act(ann: Caller, table_id: str) -> Wished:
    view = await turn_at(ann, table_id)
    player = view.seats[view.hand.to_act].player
    own = await ann.as_player(player).table(table_id)
    action = mild_action(own.hand.offer, own_cards(own))
    turn = own.hand.turn_id
    request = pb.ActRequest(table_id=table_id, request_id=fresh(), turn_id=turn, action=action)
    return Wished(request, player)


async def _sit(_ann: Caller, table_id: str) -> Wished:
    return Wished(pb.SitRequest(table_id=table_id, request_id=fresh(), buy_in=70), f"c-{table_id[:8]}")


async def _stand(_ann: Caller, table_id: str) -> Wished:
    return Wished(pb.StandRequest(table_id=table_id, request_id=fresh()), f"a-{table_id[:8]}")


async def _top_up(_ann: Caller, table_id: str) -> Wished:
    return Wished(pb.TopUpRequest(table_id=table_id, request_id=fresh(), amount=30), f"b-{table_id[:8]}")


WISHES: Final[tuple[Callable[[Caller, str], Awaitable[Wished]], ...]] = (_act, _sit, _stand, _top_up)


async def _wished(ann: Caller, place: int) -> Wished:
    """One of them at a table of its own that is ready for it."""
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.pause_ms = 0 if place == 0 else 60_000
    table_id = await ann.create(config)
    for name in "ab":
        await ann.as_player(f"{name}-{table_id[:8]}").sit(table_id)
    return await WISHES[place](ann, table_id)


async def _version(ann: Caller, wished: Wished) -> int:
    return (await ann.table(wished.request.table_id)).version


async def _made_unanswered(there: Caller, proxy: Proxy, wished: Wished, ann: Caller) -> tuple[int, Any]:
    """Send it to a process that will not hear of its commit; the version before, and the call. `ann` asks
    another process.
    """
    version = await _version(there, wished)  # which that process knows from now on
    proxy.fatal = wished.request.request_id.encode()
    asked = asyncio.create_task(wished.at(there))
    async with asyncio.timeout(20):
        await proxy.struck.wait()
        while await _version(ann, wished) == version:  # noqa: ASYNC110 - the other process's
            await asyncio.sleep(0.01)
    return version, asked


async def _answered_once(ann: Caller, wished: Wished, before: int) -> None:
    """However often it is sent now: the answer is that of the commit that followed `before`."""
    answers = [await wished.at(ann) for _ in range(3)]
    assert answers == [answers[0]] * 3
    assert answers[0].version == before + 1 == await _version(ann, wished)


@pytest.mark.parametrize("place", [WISHES.index(_act), WISHES.index(_top_up)])
async def test_a_process_is_killed_between_commit_and_answer(services: dict[str, str], place: int) -> None:
    """Its commit is made, and it dies before it hears of it: another process gives the answer."""
    async with proxy_to(_port(services)) as proxy:
        far = services | {"SERVITO_STATE_URL": _url(proxy.port), "SERVITO_STATE_TIMEOUT": "20"}
        async with (
            _started(services) as running,
            _started(far) as doomed,
            calling(running.grpc) as ann,
            calling(doomed.grpc) as there,
        ):
            wished = await _wished(ann, place)
            before, asked = await _made_unanswered(there, proxy, wished, ann)
            doomed.kill()
            with pytest.raises(aio.AioRpcError):
                await asked
            await _answered_once(ann, wished, before)
    assert not read_chips(services["SERVITO_STATE_URL"]).wrong


async def test_the_state_server_is_killed_between_commit_and_answer(tmp_path: Path) -> None:
    """It comes back with its append-only file: who asked is told that the outcome is unknown, asks the same
    process again, and is answered by the commit that was made.
    """
    with (
        Reservations() as ports,
        closing(Server(ports.reserve(), tmp_path / "state")) as server,
        cards_and_judgement(_url(server.port)) as settings,
    ):
        async with proxy_to(server.port) as proxy:
            far = settings | {"SERVITO_STATE_URL": _url(proxy.port), "SERVITO_STATE_TIMEOUT": "20"}
            async with (
                _started(settings) as near,
                _started(far) as running,
                calling(near.grpc) as ann,
                calling(running.grpc) as there,
            ):
                for place in range(len(WISHES)):
                    wished = await _wished(ann, place)
                    before, asked = await _made_unanswered(there, proxy, wished, ann)
                    await asyncio.to_thread(until, lambda: _in_file(server))
                    server.kill()
                    assert (await refusal_from(asked)).reason == "OUTCOME_UNKNOWN"
                    proxy.fatal = None
                    proxy.struck.clear()
                    server.start()
                    await _answered_once(there, wished, before)
        assert not read_chips(_url(server.port)).wrong


def _in_file(server: Server) -> bool:
    """Whether all that was committed is in the append-only file. Behind a slow fsync it waits in the server
    for up to two seconds, and is lost with it, as `everysec` says.
    """
    return int(server.client.info("persistence")["aof_buffer_length"]) == 0


def _url(port: int) -> str:
    return f"redis://127.0.0.1:{port}/0"


def _port(services: dict[str, str]) -> int:
    return _port_of(services["SERVITO_STATE_URL"].partition("/0")[0])


def _port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


@asynccontextmanager
async def _started(settings: dict[str, str]) -> AsyncIterator[Running]:
    """A table process; while it starts and stops, the proxies in this one go on."""
    running = service("table", settings)
    try:
        yield await asyncio.to_thread(running.__enter__)
    finally:
        await asyncio.to_thread(running.__exit__, None, None, None)


@asynccontextmanager
async def _behind(services: dict[str, str], where: str) -> AsyncIterator[tuple[str, Proxy]]:
    """A table process with a proxy in front of it, or between it and its state; its address."""
    if where == "client":
        async with _started(services) as running, proxy_to(_port_of(running.grpc)) as proxy:
            yield f"127.0.0.1:{proxy.port}", proxy
        return
    async with proxy_to(_port(services)) as proxy:
        far = services | {"SERVITO_STATE_URL": _url(proxy.port)}
        async with _started(far) as running:
            yield running.grpc, proxy


@pytest.mark.parametrize("where", ["client", "state"])
async def test_every_answer_is_lost_once(services: dict[str, str], where: str) -> None:
    """On its way from the state server, or to the client: the SDK sends the same request again, and chips
    move once.
    """
    async with (
        _behind(services, where) as (address, proxy),
        Servito(address, "owner", policy=POLICY) as owner,
    ):
        config = pb.TableConfig()
        config.CopyFrom(CONFIG)
        config.pause_ms = 60_000
        table_id = await owner.create_table(config)
        ann, lost = owner.acting_as("ann"), 0
        for _ in range(4):
            lost += await _losing(proxy, ann.sit(table_id, buy_in=100))
            for _ in range(3):
                lost += await _losing(proxy, ann.top_up(table_id, 10))
            [seat] = (await owner.table(table_id)).seats
            assert seat.stack == 130
            lost += await _losing(proxy, ann.stand(table_id))
        assert (await owner.table(table_id)).version == 1 + 4 * 5
        assert lost == 20
        assert owner.effort.retries >= 20
    assert not read_chips(services["SERVITO_STATE_URL"]).wrong


async def _losing(proxy: Proxy, call: Awaitable[Any]) -> int:
    """Let the next answer be lost; how many were."""
    proxy.drop_answers = 1
    async with asyncio.timeout(20):
        await call
    return 1 - proxy.drop_answers
