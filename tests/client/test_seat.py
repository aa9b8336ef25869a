"""A player's stream: acts are answered once whatever breaks, and nothing is told twice or left out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_client.actions import check
from servito_client.errors import Refusal, Unanswered
from servito_client.seat import BACKLOG, Seat
from servito_client.updates import Snapshot, Update
from tests.client.scripted import (
    CALLS_AGAIN,
    GIVES_UP,
    Requests,
    ScriptedTable,
    Served,
    Why,
    accepted,
    broken,
    failure,
    refused,
    snapshot,
    update,
)

TURN = pb.Offer(turn_id=7, hand_id="t1-2")


async def versions(seat: Seat, count: int) -> list[int]:
    """The versions of the next things told."""
    return [(await anext(seat)).version for _ in range(count)]


async def test_an_act_is_answered_with_its_version_and_names_the_turn_of_its_offer() -> None:
    """What is sent is the offered turn with the chosen action; what comes back is where it was applied."""
    acts: list[pb.ActRequest] = []

    async def play(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        assert (await anext(requests)).join.table_id == "t1"
        yield update(4, turn_id=7)
        acts.append((await anext(requests)).act)
        yield accepted(acts[0], 5)
        await asyncio.sleep(10)

    table = ScriptedTable(plays=[play])
    async with Served(table) as servito, servito.play("t1", after_version=3) as seat:
        told = await anext(seat)
        assert isinstance(told, Update)
        assert told.offer is not None
        assert await seat.act(told.offer, check()) == 5
    assert (acts[0].turn_id, acts[0].hand_id, acts[0].action) == (7, "t1-2", check())
    assert table.callers == ["anna"]


async def test_an_act_whose_answer_is_lost_is_sent_again_with_the_same_request_id() -> None:
    """The stream breaks after the act arrived: the next one carries it again, unchanged, and counted."""
    acts: list[pb.ActRequest] = []

    async def dies(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        yield snapshot(3)
        acts.append((await anext(requests)).act)
        raise broken()

    async def lives(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        acts.append((await anext(requests)).act)
        yield accepted(acts[1], 4)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[dies, lives])) as servito, servito.play("t1") as seat:
        await anext(seat)
        assert await seat.act(TURN, check()) == 4
        assert servito.effort.retries >= 1
    assert acts[0] == acts[1]
    assert acts[0].request_id


async def test_a_broken_stream_goes_on_after_the_last_version_and_repeats_nothing() -> None:
    """The new stream is asked for what follows; a version that comes again is not told again."""
    joins: list[pb.WatchRequest] = []

    async def first(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        joins.append((await anext(requests)).join)
        yield snapshot(3)
        yield update(4)
        raise broken()

    async def second(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        joins.append((await anext(requests)).join)
        yield update(4)
        yield update(5)
        yield pb.PlayResponse(goodbye=pb.Goodbye(after_version=5))

    async def third(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        joins.append((await anext(requests)).join)
        yield update(6)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[first, second, third])) as servito, servito.play("t1") as seat:
        assert await versions(seat, 4) == [3, 4, 5, 6]
    assert not joins[0].HasField("after_version")
    assert [join.after_version for join in joins[1:]] == [4, 5]


async def test_a_missing_version_is_never_passed_over_in_silence() -> None:
    """After a gap the stream is opened anew without a version, so that a whole table comes."""
    joins: list[pb.WatchRequest] = []

    async def gap(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        joins.append((await anext(requests)).join)
        yield snapshot(3)
        yield update(5)
        await asyncio.sleep(10)

    async def whole(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        joins.append((await anext(requests)).join)
        yield snapshot(5)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[gap, whole])) as servito, servito.play("t1") as seat:
        assert await versions(seat, 2) == [3, 5]
    assert not joins[1].HasField("after_version")


async def test_a_refused_act_raises_its_reason_and_the_stream_goes_on() -> None:
    """A refusal ends nothing and is not tried again."""

    async def play(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        yield refused((await anext(requests)).act, Why.NOT_YOUR_TURN)
        yield snapshot(3)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[play])) as servito, servito.play("t1") as seat:
        with pytest.raises(Refusal, match="because") as refusal:
            await seat.act(TURN, check())
        assert (refusal.value.reason, refusal.value.retryable) == ("NOT_YOUR_TURN", False)
        assert await versions(seat, 1) == [3]
        assert servito.effort.retries == 0


async def test_an_act_that_may_succeed_later_is_sent_again_over_the_same_stream() -> None:
    """A retryable refusal costs a pause and the same request id once more."""
    ids: list[str] = []

    async def play(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        for why in (Why.CONTENDED, Why.UNAVAILABLE):
            act = (await anext(requests)).act
            ids.append(act.request_id)
            yield refused(act, why)
        act = (await anext(requests)).act
        ids.append(act.request_id)
        yield accepted(act, 9)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[play])) as servito, servito.play("t1") as seat:
        assert await seat.act(TURN, check()) == 9
        assert servito.effort.retries == 2
    assert len(set(ids)) == 1


async def test_a_stream_that_does_not_answer_is_given_up_for_another() -> None:
    """A frozen server costs one call time-out; the act is then answered over a new stream."""

    async def frozen(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        yield snapshot(3)
        await asyncio.sleep(10)

    async def lives(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        yield accepted((await anext(requests)).act, 4)
        await asyncio.sleep(10)

    table = ScriptedTable(plays=[frozen, lives])
    async with Served(table, policy=CALLS_AGAIN) as servito, servito.play("t1") as seat:
        await anext(seat)
        assert await seat.act(TURN, check()) == 4


async def test_an_unknown_table_ends_iteration_and_acts_with_its_reason() -> None:
    """What can never succeed is not tried again."""

    async def none(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        raise failure(Why.UNKNOWN_TABLE)
        yield snapshot(1)

    async with Served(ScriptedTable(plays=[none])) as servito, servito.play("t9") as seat:
        with pytest.raises(Refusal) as listening:
            await anext(seat)
        with pytest.raises(Refusal) as acting:
            await seat.act(TURN, check())
        assert {listening.value.reason, acting.value.reason} == {"UNKNOWN_TABLE"}
        assert servito.effort.retries == 0


async def test_a_server_that_stays_away_is_given_up_within_the_policy() -> None:
    """Both who listens and who acts are told, and nobody waits for ever."""

    async def gone(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        raise broken()
        yield snapshot(1)

    table = ScriptedTable(plays=[gone] * 1000)
    async with Served(table, policy=GIVES_UP) as servito, servito.play("t1") as seat:
        async with asyncio.timeout(20):
            act = asyncio.create_task(seat.act(TURN, check()))
            with pytest.raises(Unanswered):
                await anext(seat)
            with pytest.raises(Unanswered):
                await act
        assert servito.effort.retries > 1


async def test_a_listener_who_falls_behind_gets_a_snapshot_instead() -> None:
    """More updates than are kept are superseded by a whole table; what is told stays in order."""
    count = BACKLOG + 10

    async def floods(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        yield snapshot(1)
        for version in range(2, count):
            yield update(version)
        await asyncio.sleep(10)

    async def whole(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        assert not (await anext(requests)).join.HasField("after_version")
        yield snapshot(count)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[floods, whole])) as servito, servito.play("t1") as seat:
        async with asyncio.timeout(20):
            while seat.version != count:  # noqa: ASYNC110 - nobody reads meanwhile: that is the point
                await asyncio.sleep(0.01)
        told = await anext(seat)
        assert isinstance(told, Snapshot)
        assert told.version == count


async def test_leaving_ends_iteration_quietly_and_leaves_no_task() -> None:
    """Who leaves is not told of an error, and an act under way does not hang."""

    async def play(requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        await anext(requests)
        yield snapshot(1)
        await asyncio.sleep(10)

    async with Served(ScriptedTable(plays=[play])) as servito:
        async with servito.play("t1") as seat:
            await anext(seat)
            waiting = asyncio.create_task(anext(seat, None))
            act = asyncio.create_task(seat.act(TURN, check()))
            await asyncio.sleep(0.05)
        assert await waiting is None
        with pytest.raises(Unanswered):
            await act
        assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("play ")]
