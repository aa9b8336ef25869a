"""Money and a replica that hangs: who brings or takes chips is answered when they are safe, play goes on."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, closing
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_local.chips import read_chips
from servito_local.ports import HOST, Reservations
from servito_platform.metrics_page import read_page
from tests.modes.servers import Server, hears
from tests.modes.until import until
from tests.table.caller import Caller, calling, fresh, refusal_from
from tests.table.playing import mild_action, own_cards, turn_at
from tests.table.processes import Running, cards_and_judgement, service

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT = 2.0
"""Seconds that replicas have: far longer than anything else takes, to tell who waits from who does not."""


@dataclass
class Guarded:
    """A table service whose state has a replica."""

    table: Running
    replica: Server
    url: str

    def acknowledged(self, outcome: str) -> float:
        """Rounds of money that came to that."""
        page = read_page(self.table.metrics)
        return page.total("servito_state_acknowledgements_total", outcome=outcome)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """It, with everything that it needs."""
    directory = tmp_path_factory.mktemp("guarded")
    with ExitStack() as stack:
        ports = stack.enter_context(Reservations())
        primary = stack.enter_context(closing(Server(ports.reserve(), directory / "p")))
        of = f"{HOST} {primary.port}"
        replica = stack.enter_context(closing(Server(ports.reserve(), directory / "r", replicaof=of)))
        until(lambda: hears(primary))
        url = f"redis://{HOST}:{primary.port}/0"
        wanted = {"SERVITO_STATE_REPLICAS": "1", "SERVITO_STATE_REPLICAS_SECONDS": str(WAIT)}
        settings = stack.enter_context(cards_and_judgement(url)) | wanted
        yield Guarded(stack.enter_context(service("table", settings)), replica, url)


async def test_money_waits_for_the_replica_and_play_does_not(guarded: Guarded) -> None:
    """A buy-in is made and not answered for while the replica hangs, as often as it is asked for; acts at a
    table are answered as ever. When the replica is back the repeat has its first answer, and nothing was
    done twice.
    """
    async with calling(guarded.table.grpc) as ann:
        played, other = await ann.create(), await ann.create()
        players = [ann.as_player(name) for name in "abc"]
        for player in players:
            await player.sit(played)
        await turn_at(ann, played)
        assert guarded.acknowledged("acknowledged") >= 3
        late = ann.as_player("late")
        guarded.replica.freeze()
        try:
            asked = monotonic()
            sitting = asyncio.create_task(refusal_from(late.sit(other, request_id="in")))
            took = [await _act(players, played) for _ in range(3)]
            assert not sitting.done()
            refused = await sitting
            assert monotonic() - asked >= WAIT
            assert (refused.reason, refused.retryable) == ("OUTCOME_UNKNOWN", True)
            assert median(took) < WAIT / 2  # each would have waited
            assert [seat.player for seat in (await ann.table(other)).seats] == ["late"]
            again = await refusal_from(late.sit(other, request_id="in"))
            assert again.reason == "OUTCOME_UNKNOWN"
        finally:
            guarded.replica.thaw()
        assert (await _answered(late, other)).seat == 0
        assert (await late.sit(other, request_id="in")).seat == 0
        assert (await late.stand(other)).cashed_out == 100
    chips = await asyncio.to_thread(read_chips, guarded.url)
    assert chips.wrong == ()
    assert {table.table_id: table.bought_in for table in chips.tables} == {played: 300, other: 0}
    assert guarded.acknowledged("missing") >= 2


async def test_chips_that_leave_without_a_caller_are_looked_after_too(guarded: Guarded) -> None:
    """Who stands up in a hand is cashed out by the commit that ends it, which may be anybody's: replicas are
    asked for that as well.
    """
    async with calling(guarded.table.grpc) as ann:
        table_id = await ann.create()
        players = [ann.as_player(name) for name in ("x", "y", "z")]
        for player in players:
            await player.sit(table_id)
        turn = (await turn_at(ann, table_id)).hand
        while turn.number == 1:  # in which only two are
            await _act(players, table_id)
            turn = (await turn_at(ann, table_id)).hand
        leaving = players.pop((turn.to_act + 1) % 3)
        assert not (await leaving.stand(table_id)).HasField("cashed_out")
        before = guarded.acknowledged("acknowledged")
        while len((await ann.table(table_id)).seats) == 3:
            await _act(players, table_id)

        def looked_after() -> bool:
            return guarded.acknowledged("acknowledged") > before

        await asyncio.to_thread(until, looked_after)


async def _answered(player: Caller, table_id: str) -> pb.SitResponse:
    for _ in range(20):
        request = pb.SitRequest(table_id=table_id, request_id="in", buy_in=100)
        try:
            return await player.stub.Sit(request, metadata=player.metadata, timeout=30)
        except aio.AioRpcError:  # not safe yet
            continue
    return await player.sit(table_id, request_id="in")


async def _act(players: list[Caller], table_id: str) -> float:
    """Let whoever is to act do so; the seconds that it took."""
    for player in players:
        view = await player.table(table_id)
        if view.hand.HasField("offer"):
            action = mild_action(view.hand.offer, own_cards(view))
            sent = monotonic()
            await player.act(table_id, view.hand.offer.turn_id, action, fresh())
            return monotonic() - sent
    return 0.0
