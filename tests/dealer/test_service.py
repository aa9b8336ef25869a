"""The dealer's contract, against the real process over gRPC and a real state server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from servito.dealer.v1.dealer_pb2 import DealRequest, DealResponse
from servito_dealer.app.requests import DrawEntry
from servito_platform.carrier import Carrier
from servito_platform.errors import RpcError
from servito_platform.grpc_channel import open_channel
from servito_wire.dealer import REFUSALS
from tests.dealer.process import DealerClient, DealerProcess, play

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable
    from pathlib import Path

    import redis.asyncio

    from servito_dealer.settings import DealerSettings

DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)


@pytest.fixture
async def process(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> AsyncIterator[DealerProcess]:
    """A dealer on an empty state server."""
    async with DealerProcess(settings, tmp_path / "dealer.log") as running:
        yield running


@pytest.fixture
async def dealer(process: DealerProcess) -> AsyncIterator[DealerClient]:
    """A client of it."""
    async with DealerClient(process.grpc) as asking:
        yield asking


async def refused(reason: str, asked: Awaitable[object]) -> None:
    """`asked` must be refused for `reason`, as the table of refusals says, with a text."""
    with pytest.raises(RpcError) as error:
        await asked
    assert error.value.reason == reason
    assert (error.value.code, error.value.retry_after) == REFUSALS[reason]
    assert error.value.text


async def test_a_whole_hand(dealer: DealerClient) -> None:
    """Nine players of 52 cards, everybody draws four: each card stays in exactly one place."""
    opened = await dealer.open("t1-1")
    assert opened.deck_size == 52
    assert len(opened.seed_hash) == 32
    table, stock_left = await play(dealer, "t1-1")
    away = [card.card for card in table.away()]
    assert len(set(away)) == len(away) == 52 - stock_left


async def test_a_hand_opened_and_dealt_at_once(dealer: DealerClient) -> None:
    """One question has the deal that `Deal` answers afterwards, at any time; opening alone tells no card."""
    dealt = await dealer.open_and_deal("t1-1")
    await dealer.draw("t1-1", DRAW)
    assert dealt == await dealer.open_and_deal("t1-1") == await dealer.deal("t1-1")
    assert not (await dealer.open("t1-1")).HasField("dealt")


async def test_asking_again_changes_nothing(dealer: DealerClient) -> None:
    """Every request repeated gives its first answer, also after later entries."""
    first = [await dealer.open("t1-1"), await dealer.deal("t1-1"), await dealer.draw("t1-1", DRAW)]
    await dealer.draw("t1-1", replace(DRAW, number=2, slot=1))
    again = [await dealer.open("t1-1"), await dealer.deal("t1-1"), await dealer.draw("t1-1", DRAW)]
    assert again == first


async def test_every_refusal_of_a_request(dealer: DealerClient, process: DealerProcess) -> None:
    """Each reason arrives with its code and is counted; after all of them the next entry is what it would
    have been.
    """
    await dealer.open("t1-1", lowest_rank=6, slots=5)
    await refused("ENTRY_OUT_OF_ORDER", dealer.draw("t1-1", DRAW))
    await refused("HAND_DIFFERS", dealer.open("t1-1", lowest_rank=6, slots=4))
    await refused("UNKNOWN_HAND", dealer.deal("t1-2"))
    await refused("MALFORMED", dealer.open("t1-3", slots=11))
    await dealer.deal("t1-1")
    for number in (1, 2, 3):
        await dealer.draw("t1-1", replace(DRAW, number=number, slot=number))
    upcoming = replace(DRAW, number=4, slot=0)
    await refused("STOCK_EXHAUSTED", dealer.draw("t1-1", upcoming))
    await refused("ENTRY_DIFFERS", dealer.draw("t1-1", DRAW))
    await refused("NOT_DUE", dealer.draw("t1-1", replace(upcoming, slot=1, count=2)))
    await refused("POSITION_NOT_DEAD", dealer.draw("t1-1", replace(upcoming, excluded=(35,))))
    last = await dealer.draw("t1-1", replace(upcoming, count=2))
    assert [card.position for card in last.cards] == [34, 35]
    counted = re.findall(r'servito_dealer_refusals_total\{reason="(\w+)"\} (\S+)', await page(process))
    elsewhere = {"UNAVAILABLE", "UNAUTHENTICATED", "NOT_PERMITTED"}
    assert dict(counted) == {reason: "0.0" if reason in elsewhere else "1.0" for reason in REFUSALS}


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (None, "UNAUTHENTICATED"),
        ("nonsense", "UNAUTHENTICATED"),
        ("dev:anna", "NOT_PERMITTED"),
        ("dev:table", "NOT_PERMITTED"),
        ("dev:service:timers", "NOT_PERMITTED"),
    ],
)
async def test_only_the_table_may_ask(
    dealer: DealerClient, process: DealerProcess, token: str | None, reason: str
) -> None:
    """Nobody else gets a card or leaves a trace in the record, whatever hand he names and whichever way he
    asks.
    """
    await dealer.open("t1-1")
    dealt = await dealer.deal("t1-1")
    async with DealerClient(process.grpc, token) as stranger:
        await refused(reason, stranger.open("t1-2"))
        await refused(reason, stranger.deal("t1-1"))
        await refused(reason, stranger.draw("t1-1", DRAW))
        await refused(reason, _carried_deal(process.grpc, token))
    assert await dealer.deal("t1-1") == dealt
    assert len((await dealer.draw("t1-1", replace(DRAW, slot=1))).cards) == 3


async def _carried_deal(target: str, token: str | None) -> DealResponse:
    """Ask for the cards of hand t1-1 over a stream that carries calls."""
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    async with (
        open_channel(target, timeout=5) as channel,
        Carrier(channel, timeout=5, metadata=lambda: metadata) as carrier,
    ):
        return await carrier.method("/servito.dealer.v1.DealerService/Deal", DealResponse)(
            DealRequest(hand_id="t1-1")
        )


@pytest.mark.one_server
async def test_without_its_state_server_it_is_unavailable(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> None:
    """UNAVAILABLE and a retry hint while the state server does not answer, NOT_SERVING, and then as if
    nothing was.
    """
    hasty = settings.model_copy(update={"state_timeout": 0.1})
    async with DealerProcess(hasty, tmp_path / "log") as process, DealerClient(process.grpc) as dealer:
        await dealer.open("t1-1")
        await ready(process, "SERVING")
        async with frozen(client):
            await refused("UNAVAILABLE", dealer.deal("t1-1"))
            await refused("UNAVAILABLE", dealer.open("t1-2"))
            await ready(process, "NOT_SERVING")
        await ready(process, "SERVING")
        assert await dealer.deal("t1-1") == await dealer.deal("t1-1")
        assert await dealer.open("t1-2") == await dealer.open("t1-2")


async def test_it_counts_what_it_does(dealer: DealerClient, process: DealerProcess) -> None:
    """Hands, entries, cards and seals are on the metrics page, repetitions uncounted, without any name of a
    hand.
    """
    for _ in range(2):
        await dealer.open("secret1-1")
        await dealer.deal("secret1-1")
        await dealer.draw("secret1-1", DRAW)
    text = await page(process)
    for line in (
        "servito_dealer_hands_opened_total 1.0",
        'servito_dealer_entries_total{kind="deal"} 1.0',
        'servito_dealer_entries_total{kind="draw"} 1.0',
        'servito_dealer_cards_total{kind="deal"} 45.0',
        'servito_dealer_cards_total{kind="draw"} 3.0',
    ):
        assert line in text.splitlines()
    assert re.search(r"servito_dealer_seal_seconds_count [1-9]", text)
    assert "secret1" not in text


async def test_it_drains(process: DealerProcess) -> None:
    """SIGTERM ends the process in order: exit code 0."""
    assert await process.terminate() == 0


@asynccontextmanager
async def frozen(client: redis.asyncio.Redis) -> AsyncIterator[None]:
    """The state server is stopped in its tracks; its connections stay open."""
    pid: int = (await client.info("server"))["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def page(process: DealerProcess) -> str:
    """The metrics page."""

    def read() -> str:
        with urlopen(f"http://{process.metrics}/metrics") as answer:
            text: str = answer.read().decode()
            return text

    return await asyncio.to_thread(read)


async def ready(process: DealerProcess, status: str) -> None:
    """Waits until the readiness of the dealer is `status`."""
    request = health_pb2.HealthCheckRequest(service="servito.dealer.v1.DealerService")
    wanted = health_pb2.HealthCheckResponse.ServingStatus.Value(status)
    async with asyncio.timeout(30), grpc.aio.insecure_channel(process.grpc) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # its methods are in no published stub
        async for answer in stub.Watch(request):
            if answer.status == wanted:
                return
