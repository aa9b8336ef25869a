"""Hands across the real processes: table, dealer and evaluator over gRPC, with a real state server."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import grpc
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_wire.refusals import refusal_from_proto
from tests.table.caller import CONFIG, Caller, calling, refusal_from
from tests.table.playing import StreamPlayer, mild_action, own_cards, play_by_calls, turn_at
from tests.table.processes import service

PASS = pb.Action(kind=pb.ACTION_KIND_PASS)


async def seated(ann: Caller, names: str) -> tuple[str, list[Caller]]:
    """A new table with these players, named after it so that each test has its own."""
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in names]
    for player in players:
        await player.sit(table_id)
    return table_id, players


async def test_hands_by_calls(ann: Caller) -> None:
    """Three players act by unary calls through several hands; every chip is on the table."""
    table_id, players = await seated(ann, "abc")
    table = await play_by_calls(table_id, players, 3)
    chips = sum(seat.stack for seat in table.seats) + (
        table.hand.pot if table.hand.turn_id else table.carried
    )
    assert chips == 300
    assert table.hand.hand_id == f"{table_id}-{table.hand.number}"


async def test_hands_by_streams(ann: Caller) -> None:
    """Three players on streams play several hands: every act is answered, every version comes once, in
    order.
    """
    table_id, players = await seated(ann, "abc")
    streams = [StreamPlayer(player, table_id) for player in players]
    async with asyncio.timeout(30):
        await asyncio.gather(*(stream.run(3) for stream in streams))
    for stream in streams:
        assert stream.messages[0].HasField("snapshot")
        assert all(later == earlier + 1 for earlier, later in pairwise(stream.versions))
        assert all(answer.HasField("accepted") for answer in stream.acted.values())
    assert sum(len(stream.acted) for stream in streams) >= 9


async def test_an_offer_goes_to_the_seat_to_act_alone(ann: Caller) -> None:
    """Of all seats one has an offer, and it is the one that everybody sees to be on turn."""
    table_id, players = await seated(ann, "abc")
    await ann.table(table_id, (await turn_at(ann, table_id)).version)
    views = [await player.table(table_id) for player in players]
    offered = [view.own_seat for view in views if view.hand.HasField("offer")]
    assert offered == [views[0].hand.to_act]
    assert not (await ann.table(table_id)).hand.HasField("offer")
    assert 0 < views[0].hand.remaining_ms <= CONFIG.turn_ms


async def test_a_repeated_request_over_the_wire(ann: Caller) -> None:
    """Sit, act and stand sent twice: the same answer, one effect."""
    table_id = await ann.create(request_id="table-1")
    assert await ann.create(request_id="table-1") == table_id
    one, two = ann.as_player(f"a-{table_id[:8]}"), ann.as_player(f"b-{table_id[:8]}")
    assert await one.sit(table_id, request_id="s") == await one.sit(table_id, request_id="s")
    await two.sit(table_id)
    turn = (await turn_at(ann, table_id)).hand
    player = [one, two][turn.to_act]
    view = await player.table(table_id)
    action = mild_action(view.hand.offer, own_cards(view))
    first = await player.act(table_id, turn.turn_id, action, "act")
    assert await player.act(table_id, turn.turn_id, action, "act") == first
    reused = await refusal_from(
        player.act(table_id, turn.turn_id, pb.Action(kind=pb.ACTION_KIND_FOLD), "act")
    )
    assert reused.reason == "REQUEST_ID_REUSED"
    left = await player.stand(table_id, "out")
    assert await player.stand(table_id, "out") == left


async def test_a_refused_act_ends_no_stream(ann: Caller) -> None:
    """On a stream a refusal is an answer with the id of its request, and the next act is taken."""
    table_id, players = await seated(ann, "ab")
    view = await turn_at(ann, table_id)
    player = players[view.hand.to_act]
    own = await player.table(table_id)
    call = player.stub.Play(metadata=player.metadata)
    await call.write(pb.PlayRequest(join=pb.WatchRequest(table_id=table_id)))
    stale = pb.ActRequest(request_id="stale", turn_id=view.hand.turn_id - 1, action=PASS)
    await call.write(pb.PlayRequest(act=stale))
    await call.write(pb.PlayRequest(join=pb.WatchRequest(table_id=table_id)))
    elsewhere = pb.ActRequest(request_id="elsewhere", table_id="other", action=PASS)
    await call.write(pb.PlayRequest(act=elsewhere))
    action = mild_action(own.hand.offer, own_cards(own))
    good = pb.ActRequest(request_id="good", turn_id=view.hand.turn_id, action=action)
    await call.write(pb.PlayRequest(act=good))
    answers: list[pb.ActAnswer] = []
    while len(answers) < 4:
        message = await asyncio.wait_for(call.read(), 20)
        assert isinstance(message, pb.PlayResponse)
        answers += message.answers
    call.cancel()
    assert [answer.request_id for answer in answers] == ["stale", "", "elsewhere", "good"]
    reasons = [refusal_from_proto(answer.refused).reason for answer in answers[:3]]
    assert reasons == ["STALE_TURN", "MALFORMED", "MALFORMED"]
    assert answers[3].accepted.version > view.version


async def test_tables_are_listed_in_pages(ann: Caller) -> None:
    """Every table is on one page exactly, in the order of the ids; the last page says that it is the last."""
    made = {await ann.create() for _ in range(7)}
    found: list[str] = []
    token = ""
    while True:
        page = await ann.stub.ListTables(pb.ListTablesRequest(page_size=3, page_token=token))
        assert len(page.tables) <= 3
        found += [table.table_id for table in page.tables]
        token = page.next_page_token
        if not token:
            break
    assert found == sorted(set(found))
    assert made <= set(found)


async def test_a_drain_sends_watchers_elsewhere(services: dict[str, str]) -> None:
    """SIGTERM: every stream ends with OK after a goodbye that says where to go on, and the process exits
    with 0.
    """
    with service("table", services) as running:
        async with calling(running.grpc) as ann:
            table_id = await ann.create()
            await ann.sit(table_id)
            watch = ann.stub.Watch(pb.WatchRequest(table_id=table_id))
            first = await watch.read()
            assert isinstance(first, pb.WatchResponse)
            stopped = asyncio.create_task(asyncio.to_thread(running.stop))
            last = await asyncio.wait_for(watch.read(), 20)
            assert isinstance(last, pb.WatchResponse)
            assert last.goodbye.after_version == first.snapshot.version == 2
            assert await watch.read() is aio.EOF
            assert await watch.code() is grpc.StatusCode.OK
            assert await stopped == 0
