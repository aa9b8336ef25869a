"""Faults of lost connections and of requests that come twice that other systems had (`RC` and `DS` of
poker_bugs.json), against the running table services.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import JournalEntry
from servito_wire.refusals import refusal_from_proto
from tests.contract.bugs.seeing import events_of, told
from tests.contract.promises import TABLE
from tests.platform.proxy import proxy_to
from tests.table.caller import Caller, calling, fresh, refusal_from
from tests.table.playing import mild_action, own_cards

if TYPE_CHECKING:
    from tests.contract.services import Services
    from tests.contract.stage import Seats, Stage

FREE = {"open.requirement": "none", "bet.limit": "none", "ante": "10"}
DRAW = pb.ACTION_KIND_DRAW
OVER = ("STALE_TURN", "NOT_YOUR_TURN")


async def joined(caller: Caller, table_id: str) -> tuple[Any, asyncio.Queue[pb.PlayRequest], pb.TableView]:
    """A Play stream of the caller: the call, where his requests go in, and the snapshot."""
    requests: asyncio.Queue[pb.PlayRequest] = asyncio.Queue()
    requests.put_nowait(pb.PlayRequest(join=pb.WatchRequest(table_id=table_id)))

    async def sent() -> Any:
        while True:
            yield await requests.get()

    call: Any = caller.stub.Play(sent(), metadata=caller.metadata)
    first = await call.read()
    assert first.HasField("snapshot")
    return call, requests, first.snapshot


async def answer_to(call: Any) -> pb.ActAnswer:
    """The next answer on a Play stream."""
    async with asyncio.timeout(20):
        while not (message := await call.read()).answers:
            pass
    answer: pb.ActAnswer = message.answers[0]
    return answer


async def journal_of(stage: Stage, table_id: str, player: str) -> list[int]:
    """Chips that the player brought to the table, and took from it: negative."""
    key = stage.keys.journal(stage.keys.partition(table_id))
    entries = [JournalEntry.FromString(fields[b"j"]) for _, fields in await stage.state.xrange(key)]
    return [entry.amount for entry in entries if (entry.table_id, entry.player) == (table_id, player)]


async def after_the_draw(stage: Stage) -> tuple[Seats, str]:
    """A hand in its second round, and one who changed three cards."""
    seats = await stage.hand_with(DRAW, 2, options=FREE, max_buy_in=500)
    drawer = seats.actor
    cards = own_cards(await stage.view(seats.table_id, drawer))
    await stage.act(seats, pb.Action(kind=DRAW, discards=cards[:3]))
    seats = replace(seats, view=await stage.turn(seats.table_id))
    if seats.view.hand.phase == pb.PHASE_DRAW:
        await stage.act(seats, pb.Action(kind=DRAW))
        seats = replace(seats, view=await stage.turn(seats.table_id))
    return seats, drawer


async def test_a_seat_outlives_its_connection(stage: Stage) -> None:
    """RC-01: the stream breaks after the draw; at another process the player finds his stack, his cards with
    the three new ones, his bets and the time that was left, and no second seat.
    """
    seats, drawer = await after_the_draw(stage)
    call, _, before = await joined(stage.table.as_player(drawer), seats.table_id)
    call.cancel()
    call, _, after = await joined(stage.elsewhere.as_player(drawer), seats.table_id)
    call.cancel()
    assert len(own_cards(after)) == 5
    assert before.hand.seats[0].paid >= 10
    assert 0 < after.hand.remaining_ms <= before.hand.remaining_ms
    for view in (before, after):
        view.hand.ClearField("remaining_ms")
        view.hand.offer.ClearField("remaining_ms")
    assert after == before


async def test_a_call_whose_answer_was_lost(stage: Stage, contract_services: Services) -> None:
    """RC-03: the connection is cut before the answer; the same request after reconnecting is answered as the
    first one was, the act counts once, and both sides are at one version.
    """
    seats = await stage.hand()
    own = await stage.view(seats.table_id, seats.actor)
    action, request_id = mild_action(own.hand.offer, own_cards(own)), fresh()
    async with proxy_to(int(contract_services.addresses[TABLE].rpartition(":")[2])) as proxy:
        async with calling(f"127.0.0.1:{proxy.port}", seats.actor) as player:
            await player.table(seats.table_id)
            proxy.drop_answers = 1
            with suppress(aio.AioRpcError):
                await player.act(seats.table_id, seats.turn, action, request_id)
        async with calling(f"127.0.0.1:{proxy.port}", seats.actor) as player:
            answer = await player.act(seats.table_id, seats.turn, action, request_id)
    updates = await told(stage.table, seats.table_id, own.version)
    acted = [event for event in events_of(updates, "seat_acted") if event.seat == own.own_seat]
    assert len(acted) == 1
    assert updates[0].version == answer.version == own.version + 1


async def test_a_second_device(stage: Stage) -> None:
    """RC-04: while the stream of the first device is half open the player acts from a second one: he sees his
    cards there and may act; both devices are told, and the turn is not acted in twice.
    """
    seats = await stage.hand()
    player = stage.table.as_player(seats.actor)
    first, first_requests, _ = await joined(player, seats.table_id)
    second, second_requests, seen = await joined(stage.elsewhere.as_player(seats.actor), seats.table_id)
    assert len(own_cards(seen)) == 5
    action = mild_action(seen.hand.offer, own_cards(seen))
    for requests in (second_requests, first_requests):
        act = pb.ActRequest(request_id=fresh(), turn_id=seen.hand.offer.turn_id, action=action)
        requests.put_nowait(pb.PlayRequest(act=act))
        if requests is second_requests:
            assert (await answer_to(second)).accepted.version == seen.version + 1
    refused = await answer_to(first)
    assert refusal_from_proto(refused.refused).reason in OVER
    for call in (first, second):
        call.cancel()
    updates = await told(stage.table, seats.table_id, seen.version)
    assert len([e for e in events_of(updates, "seat_acted") if e.seat == seen.own_seat]) == 1


async def test_sitting_down_twice(stage: Stage) -> None:
    """RC-08: who sits already and asks for a seat again, from another device, is told which one he has; he
    keeps it, pays nothing more, and a stream gives him the whole table.
    """
    seats = await stage.seated(1)
    player = seats.players[0]
    again = stage.elsewhere.as_player(player)
    told_so = await refusal_from(again.sit(seats.table_id, 3))
    assert told_so.reason == "ALREADY_SEATED"
    assert "seat 0" in told_so.message
    call, _, view = await joined(again, seats.table_id)
    call.cancel()
    assert (view.own_seat, [own.player for own in view.seats]) == (0, [player])
    assert await journal_of(stage, seats.table_id, player) == [100]


async def test_a_double_click(stage: Stage) -> None:
    """DS-02: a bet that is sent twice under one id is charged once; of two acts under two ids in one turn the
    second is refused as out of turn.
    """
    seats = await stage.hand_with(pb.ACTION_KIND_BET, options=FREE)
    bettor = stage.table.as_player(seats.actor)
    bet, request_id = pb.Action(kind=pb.ACTION_KIND_BET, to=40), fresh()
    twice = [bettor.act(seats.table_id, seats.turn, bet, request_id) for _ in range(2)]
    first, second = await asyncio.gather(*twice)
    assert first == second
    view = await stage.view(seats.table_id)
    assert {seat.seat: seat.bet for seat in view.hand.seats}[seats.view.hand.to_act] == 40
    assert view.version == seats.view.version + 1

    caller = stage.table.as_player(seats.other)
    call = pb.Action(kind=pb.ACTION_KIND_CALL)
    await caller.act(seats.table_id, view.hand.turn_id, call)
    refused = await refusal_from(caller.act(seats.table_id, view.hand.turn_id, call))
    assert refused.reason in OVER
    acted = events_of(await told(stage.table, seats.table_id, view.version, view.version + 1), "seat_acted")
    assert [(event.kind, event.to) for event in acted] == [(pb.ACTION_KIND_CALL, 40)]


async def test_leaving_twenty_times(stage: Stage) -> None:
    """DS-04: twenty requests to leave at once, at two processes: the chips are cashed out once, at once where
    no hand has them, else when the hand is over.
    """
    table_id = await stage.new_table(max_buy_in=500)
    rich = await stage.sit(table_id, buy_in=350)
    await leave_often(stage, table_id, rich)
    assert await journal_of(stage, table_id, rich) == [350, -350]

    seats = await stage.hand(2)
    leaving = seats.actor
    await leave_often(stage, seats.table_id, leaving)
    async with asyncio.timeout(20):
        while len(await journal_of(stage, seats.table_id, leaving)) < 2:  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.02)
    paid_in, paid_out = await journal_of(stage, seats.table_id, leaving)
    assert paid_in == 100
    assert -100 <= paid_out <= -90


async def leave_often(stage: Stage, table_id: str, player: str) -> None:
    """Ask twenty times to stand up; one at least is carried out, the others are refused as NOT_SEATED."""
    asked = [
        (stage.table, stage.elsewhere)[number % 2].as_player(player).stand(table_id) for number in range(20)
    ]
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert [result for result in results if isinstance(result, pb.StandResponse)]
    for result in results:
        if not isinstance(result, pb.StandResponse):
            assert isinstance(result, aio.AioRpcError)
            assert "seat" in (result.details() or "") or "left" in (result.details() or "")
