"""Faults of timers that other systems had (`TR` of poker_bugs.json), against the running table service.

The timers do not run here: what they would ask is asked by the tests, as often and as late as they like.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito_table.app.expiry import Expiry
from tests.contract.bugs.seeing import events_of, told
from tests.table.playing import mild_action, own_cards
from tests.table.room import CONFIG, Room

if TYPE_CHECKING:
    from tests.contract.stage import Seats, Stage
    from tests.table.caller import Caller

EXPIRED, STALE, NOT_DUE = pb.EXPIRE_RESULT_EXPIRED, pb.EXPIRE_RESULT_STALE, pb.EXPIRE_RESULT_NOT_DUE
FREE = {"open.requirement": "none"}


def timers(caller: Caller) -> Caller:
    """The timer service at the process of a caller."""
    return caller.as_player("service:timers")


async def out_of_time(stage: Stage, seats: Seats) -> list[pb.TableUpdate]:
    """Let the turn's second pass and the timers come; what that did."""
    version = (await stage.view(seats.table_id)).version
    await asyncio.sleep(seats.view.hand.remaining_ms / 1000 + 0.02)
    member = f"{seats.table_id}:{seats.turn}"
    result: list[int] = [NOT_DUE]
    async with asyncio.timeout(20):
        while result == [NOT_DUE]:  # the time that was left is an estimate
            result = await timers(stage.table).expire(member)
    assert result == [EXPIRED]
    return await told(stage.table, seats.table_id, version, version + 1)


async def test_a_timer_that_is_delivered_five_times(stage: Stage) -> None:
    """TR-03: the task of one turn comes five times, at two processes, some of them at once: one action is
    taken for the seat. (The entry's other half, the start of a tournament, comes with tournaments.)
    """
    seats = await stage.hand(3, turn_ms=1_000)
    version, member = seats.view.version, f"{seats.table_id}:{seats.turn}"
    await asyncio.sleep(1.02)
    here, there = timers(stage.table), timers(stage.elsewhere)
    some = await asyncio.gather(here.expire(member), there.expire(member), here.expire(member, member))
    results = [*some, await there.expire(member)]
    assert sorted(result for each in results for result in each) == sorted([EXPIRED] + [STALE] * 4)
    expired = events_of(await told(stage.table, seats.table_id, version), "turn_expired")
    assert [event.seat for event in expired] == [seats.view.hand.to_act]


async def test_a_timer_that_was_revoked_in_vain(stage: Stage) -> None:
    """TR-04: the timer of a turn that was acted in fires while another seat is to act, while the same seat is
    to act again, and in the next hand: each time it is stale and changes nothing.
    """
    seats = await stage.hand(2, options=FREE)
    first, old = seats.actor, f"{seats.table_id}:{seats.turn}"
    moments = set()
    for _ in range(200):
        own = await stage.view(seats.table_id, seats.actor)
        await stage.act(seats, mild_action(own.hand.offer, own_cards(own)))
        seats = replace(seats, view=await stage.turn(seats.table_id))
        assert await timers(stage.elsewhere).expire(old) == [STALE]
        assert (await stage.view(seats.table_id)).version == seats.view.version
        moments.add((seats.view.hand.number > 1, seats.actor == first))
        if len(moments) == 4:
            return
    raise AssertionError(f"only {moments} came up")


async def test_thirty_seconds_are_thirty_seconds(stage: Stage) -> None:
    """TR-05: a turn of 30 s is not over a millisecond before and is over then; clients are told the time that
    is left, from 30,000 ms down, by the running service too.
    """
    room = Room()
    await room.open(replace(CONFIG, turn_ms=30_000))
    await room.sit("ann", "bob")
    await room.due()
    assert room.known.deadline == room.known.started + 30_000
    room.store.now = room.known.started + 29_999
    assert await room.expire() is Expiry.NOT_DUE
    room.store.now += 1
    assert await room.expire() is Expiry.EXPIRED

    seats = await stage.hand(2, turn_ms=30_000)
    offer = (await stage.view(seats.table_id, seats.actor)).hand.offer
    assert 28_000 < offer.remaining_ms <= seats.view.hand.remaining_ms <= 30_000
    assert await timers(stage.table).expire(f"{seats.table_id}:{seats.turn}") == [NOT_DUE]


async def test_what_the_clock_does_for_a_seat(stage: Stage) -> None:
    """TR-06: out of time in the draw a seat stands pat and plays on; with nothing to call it checks; facing a
    bet it folds.
    """
    seats = await stage.hand(2, turn_ms=1_000, options=FREE)
    seats = await stage.act_first(seats, pb.ACTION_KIND_BET)
    seats = await stage.act_first(seats, pb.ACTION_KIND_CALL)
    assert seats.view.hand.phase == pb.PHASE_DRAW
    first, cards = seats.actor, own_cards(await stage.view(seats.table_id, seats.actor))

    [drawn] = events_of(await out_of_time(stage, seats), "seat_acted")
    assert (drawn.kind, drawn.discarded) == (pb.ACTION_KIND_DRAW, 0)
    assert own_cards(await stage.view(seats.table_id, first)) == cards

    seats = replace(seats, view=await stage.turn(seats.table_id))
    while seats.view.hand.phase == pb.PHASE_DRAW:
        seats = await stage.act_first(seats, pb.ACTION_KIND_DRAW)
    assert seats.actor == first
    [checked] = events_of(await out_of_time(stage, seats), "seat_acted")
    assert checked.kind == pb.ACTION_KIND_CHECK

    seats = replace(seats, view=await stage.turn(seats.table_id))
    seats = await stage.act_first(seats, pb.ACTION_KIND_BET)
    [folded] = events_of(await out_of_time(stage, seats), "seat_acted")
    assert folded.kind == pb.ACTION_KIND_FOLD
