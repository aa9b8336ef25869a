"""A spectator's stream: opened again where it broke, each version told once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_client.errors import Refusal
from servito_client.messages import SeatActed, TurnExpired
from servito_client.updates import Snapshot, Update
from tests.client.scripted import ScriptedTable, Served, Why, broken, failure


def update(version: int, *events: pb.TableEvent) -> pb.WatchResponse:
    """One commit."""
    return pb.WatchResponse(updates=[pb.TableUpdate(version=version, events=events)])


async def test_a_spectator_is_told_each_version_once_across_broken_streams() -> None:
    """Heartbeats are not told, a broken stream goes on after the last version."""
    requests: list[pb.WatchRequest] = []

    async def first(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield pb.WatchResponse(snapshot=pb.TableView(version=3))
        yield pb.WatchResponse(heartbeat=pb.Heartbeat(version=3))
        raise broken()

    async def second(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield update(3)
        yield update(4)

    async def third(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield update(5)

    async with Served(ScriptedTable(watches=[first, second, third])) as servito:
        seen = []
        async for told in servito.watch("t1"):
            seen.append(told.version)
            if told.version == 5:
                break
    assert seen == [3, 4, 5]
    assert [request.after_version for request in requests] == [0, 3, 4]


async def test_a_table_that_went_back_is_told_as_such() -> None:
    """A rewound snapshot supersedes what came after its version; the stream goes on from there, and so does
    the next one.
    """
    requests: list[pb.WatchRequest] = []

    async def first(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        yield pb.WatchResponse(snapshot=pb.TableView(version=8))
        yield update(9)
        yield pb.WatchResponse(snapshot=pb.TableView(version=7), rewound=True)
        yield update(8)
        raise broken()

    async def second(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield update(9)

    async with Served(ScriptedTable(watches=[first, second])) as servito:
        seen = []
        async for told in servito.watch("t1"):
            seen.append((told.version, isinstance(told, Snapshot) and told.rewound))
            if len(seen) == 5:
                break
    assert seen == [(8, False), (9, False), (7, True), (8, False), (9, False)]
    assert [request.after_version for request in requests] == [8]


async def test_events_come_as_their_own_types_in_order() -> None:
    """An update holds what happened, ready to be matched; a kind that nobody here knows is left out."""

    async def watch(_request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        acted = pb.TableEvent(seat_acted=SeatActed(seat=1))
        yield update(1, pb.TableEvent(turn_expired=TurnExpired(seat=1)), pb.TableEvent(), acted)

    async with Served(ScriptedTable(watches=[watch])) as servito:
        told = await anext(aiter(servito.watch("t1", after_version=0)))
    assert isinstance(told, Update)
    assert told.events == (TurnExpired(seat=1), SeatActed(seat=1))
    assert told.offer is None
    assert told.to_act is None


async def test_a_refusal_ends_the_watching() -> None:
    """An unknown table is not asked for again."""

    async def watch(_request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        raise failure(Why.UNKNOWN_TABLE)
        yield pb.WatchResponse()

    async with Served(ScriptedTable(watches=[watch])) as servito:
        with pytest.raises(Refusal) as refusal:
            await anext(aiter(servito.watch("t9")))
    assert refusal.value.reason == "UNKNOWN_TABLE"
