"""Two table processes on one state server: it does not matter which one is asked, and both tell the same
story.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress

from grpc import aio

from servito.table.v1 import refusal_pb2
from servito.table.v1 import table_pb2 as pb
from servito_wire.refusals import refusal_of
from tests.table.caller import CONFIG, Caller, fresh, refusal_from
from tests.table.playing import StreamPlayer, mild_action, own_cards, turn_at

NOT_NOW = {"STALE_TURN", "ACTION_NOT_AVAILABLE", "NOT_IN_HAND", "NOTHING_TO_CHANGE", "CONTENDED"}
"""What a player hears who says something beforehand at the wrong moment."""


async def seated(ann: Caller, names: str) -> tuple[str, list[str]]:
    """A new table with these players; their names."""
    table_id = await ann.create()
    players = [f"{name}-{table_id[:8]}" for name in names]
    for player in players:
        await ann.as_player(player).sit(table_id)
    return table_id, players


async def test_players_of_two_processes_share_a_table(ann: Caller, there: Caller) -> None:
    """Streams at both processes, acts at both: every player sees every version once, in order, and the
    same hands.
    """
    table_id, names = await seated(ann, "abcd")
    callers = [(ann, there)[place % 2].as_player(name) for place, name in enumerate(names)]
    streams = [StreamPlayer(caller, table_id) for caller in callers]
    async with asyncio.timeout(40):
        await asyncio.gather(*(stream.run(4) for stream in streams))
    endings = [[event for event in stream.events if event.HasField("hand_ended")] for stream in streams]
    assert all(len(ended) == 4 and ended == endings[0] for ended in endings)
    for stream in streams:
        assert stream.versions == list(range(stream.versions[0], stream.versions[-1] + 1))
        assert all(answer.HasField("accepted") for answer in stream.acted.values())


async def test_a_repeat_at_the_other_process(ann: Caller, there: Caller) -> None:
    """The process that answered is gone from the client's view: the other one gives the same answer."""
    table_id, names = await seated(ann, "ab")
    view = await turn_at(ann, table_id)
    player = names[view.hand.to_act]
    own = await ann.as_player(player).table(table_id)
    action = mild_action(own.hand.offer, own_cards(own))
    first = await ann.as_player(player).act(table_id, view.hand.turn_id, action, "once")
    assert await there.as_player(player).act(table_id, view.hand.turn_id, action, "once") == first


async def test_what_one_process_remembers_does_not_mislead(ann: Caller, there: Caller) -> None:
    """A process whose knowledge is old acts on the table as it is."""
    table_id, names = await seated(ann, "ab")
    for turn in range(12):
        view = await turn_at(ann, table_id)
        caller = (ann, there)[turn % 2].as_player(names[view.hand.to_act])
        own = await caller.table(table_id, view.version)
        if own.hand.HasField("offer"):
            await caller.act(table_id, own.hand.offer.turn_id, mild_action(own.hand.offer, own_cards(own)))


async def test_a_watcher_goes_on_at_the_other_process(ann: Caller, there: Caller) -> None:
    """Resuming from a version elsewhere continues without gap and without a snapshot."""
    table_id, _ = await seated(ann, "ab")
    view = await turn_at(ann, table_id)
    stream = there.stub.Watch(pb.WatchRequest(table_id=table_id, after_version=1))
    versions: list[int] = []
    while not versions or versions[-1] < view.version:
        message = await asyncio.wait_for(stream.read(), 20)
        assert isinstance(message, pb.WatchResponse)
        assert not message.HasField("snapshot"), message
        versions += [update.version for update in message.updates]
    stream.cancel()
    assert versions == list(range(2, view.version + 1))


async def test_a_wake_up_is_quick(ann: Caller, there: Caller) -> None:
    """A commit of one process reaches those who watch at the other one at once, not only when it looks
    around: that would be a second later, since it has just done so when it told the commit before.
    """
    table_id, _ = await seated(ann, "a")
    stream = there.stub.Watch(pb.WatchRequest(table_id=table_id))
    await stream.read()
    loop, took = asyncio.get_running_loop(), []
    for player in "bcd":
        before = loop.time()
        await ann.as_player(f"{player}-{table_id[:8]}").sit(table_id)
        await asyncio.wait_for(stream.read(), 20)
        took.append(loop.time() - before)
    stream.cancel()
    assert min(took[1:]) < 0.9, took


async def test_what_is_said_beforehand_at_one_process_is_done_by_the_other(
    ann: Caller, there: Caller
) -> None:
    """It is part of the table: the process that carries out the act before it need not have heard of it."""
    table_id, names = await seated(ann, "ab")
    view = await turn_at(ann, table_id)
    actor, other = names[view.hand.to_act], names[1 - view.hand.to_act]
    await there.as_player(other).want(view, pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD))
    own = (await ann.as_player(actor).table(table_id)).hand
    answer = await ann.as_player(actor).act(table_id, own.turn_id, mild_action(own.offer, []))
    after = await there.table(table_id, answer.version)
    assert after.hand.number == 2 or after.hand.phase == pb.PHASE_OVER, "both have acted, which ends the hand"


async def test_streams_with_pre_actions_at_both_processes(ann: Caller, there: Caller) -> None:
    """Five players who say things beforehand, at random, while their streams play: no version is missing, no
    act that was offered is refused but as stale, nobody hears what others want, and every chip is there.
    """
    table_id, names = await seated(ann, "abcde")
    callers = [(ann, there)[place % 2].as_player(name) for place, name in enumerate(names)]
    streams = [StreamPlayer(caller, table_id) for caller in callers]
    style, wanted = random.Random(5), Counter[str]()
    async with asyncio.timeout(50):
        pressing = [asyncio.create_task(_press(player, table_id, style, wanted)) for player in callers]
        await asyncio.gather(*(stream.run(8) for stream in streams))
        for press in pressing:
            press.cancel()
            with suppress(asyncio.CancelledError):
                await press
    assert wanted["accepted"] > 5
    for place, stream in enumerate(streams):
        assert stream.versions == list(range(stream.versions[0], stream.versions[-1] + 1))
        refused = {answer.refused.reason for answer in stream.acted.values() if answer.HasField("refused")}
        assert refused <= {refusal_pb2.REFUSAL_REASON_STALE_TURN}
        heard = [event for event in stream.events if event.HasField("pre_action_set")]
        assert {event.pre_action_set.seat for event in heard} <= {place}
    view = await ann.table(table_id)
    assert sum(seat.stack for seat in view.seats) + (view.carried or view.hand.pot) == 500


async def _press(player: Caller, table_id: str, style: random.Random, wanted: Counter[str]) -> None:
    """Say something beforehand for a player, again and again; `wanted` counts what became of it."""
    while True:
        view = await player.table(table_id)
        own = next((seat for seat in view.hand.seats if seat.seat == view.own_seat), None)
        price = 0 if own is None else min(view.hand.high_bet - own.bet, own.stack)
        wish = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
        if price > 0 and style.random() < 0.6:
            wish = pb.PreAction(kind=pb.PRE_ACTION_KIND_CALL, amount=price)
        try:
            await player.want(view, wish)
        except aio.AioRpcError as error:
            told = refusal_of(error)
            assert told is not None
            assert told.reason in NOT_NOW, told
            wanted[told.reason] += 1
        else:
            wanted["accepted"] += 1


async def test_many_want_the_one_seat_that_is_free(ann: Caller, there: Caller) -> None:
    """At both processes at once: one sits down, the others find the table full and wait, each at a place of
    his own; when somebody leaves, the first of them is held the seat, whichever process is asked.
    """
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.seats, config.pause_ms = 2, 60_000
    table_id = await ann.create(config)
    await ann.as_player("sitting").sit(table_id)
    callers = [(ann, there)[number % 2].as_player(f"want{number}") for number in range(8)]
    sat = await asyncio.gather(*(caller.sit(table_id) for caller in callers), return_exceptions=True)
    refused = [caller for caller, answer in zip(callers, sat, strict=True) if isinstance(answer, Exception)]
    assert len(refused) == 7
    joins = [
        caller.stub.JoinWaitingList(
            pb.JoinWaitingListRequest(table_id=table_id, request_id=fresh()), metadata=caller.metadata
        )
        for caller in refused
    ]
    places = [answer.place for answer in await asyncio.gather(*joins)]
    assert sorted(places) == list(range(1, 8))
    await there.as_player("sitting").stand(table_id)
    view = await ann.table(table_id)
    first = refused[places.index(1)]
    assert (view.waiting[0].player, view.waiting[0].HasField("seat")) == (first.name, True)
    assert (await refusal_from(refused[places.index(2)].sit(table_id, view.waiting[0].seat))).reason == (
        "SEAT_RESERVED"
    )
    await (there if first.stub is ann.stub else ann).as_player(first.name).sit(table_id)
    assert len((await there.table(table_id)).waiting) == 6
