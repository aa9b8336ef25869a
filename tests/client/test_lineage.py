"""A version's lineage goes along with it: where the listener stands, and in acts on what he was offered."""

from __future__ import annotations

from collections.abc import AsyncIterator

from servito.table.v1 import table_pb2 as pb
from servito_client.following import Following
from servito_client.updates import Update
from tests.client.scripted import ScriptedTable, Served, broken


async def test_a_stream_goes_on_after_version_and_lineage() -> None:
    """That of the snapshot, then that of the latest update; the listener's own where he comes with one."""
    requests: list[pb.WatchRequest] = []

    async def first(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield pb.WatchResponse(snapshot=pb.TableView(version=3, lineage=33))
        raise broken()

    async def second(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield pb.WatchResponse(updates=[pb.TableUpdate(version=4, lineage=44)])
        raise broken()

    async def third(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield pb.WatchResponse(updates=[pb.TableUpdate(version=5, lineage=55)])

    following = Following()
    async with Served(ScriptedTable(watches=[first, second, third])) as servito:
        async for told in servito.watch("t1", after_version=2, after_lineage=22):
            following.take(told)
            if told.version == 5:
                break
    assert [(each.after_version, each.after_lineage) for each in requests] == [(2, 22), (3, 33), (4, 44)]
    assert isinstance(told, Update)
    assert told.lineage == following.view.lineage == 55


async def test_after_a_gap_no_lineage_is_named() -> None:
    """It would be that of a version which the listener does not name either."""
    requests: list[pb.WatchRequest] = []

    async def gap(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        yield pb.WatchResponse(updates=[pb.TableUpdate(version=7, lineage=77)])

    async def whole(request: pb.WatchRequest) -> AsyncIterator[pb.WatchResponse]:
        requests.append(request)
        yield pb.WatchResponse(snapshot=pb.TableView(version=7, lineage=77))

    async with Served(ScriptedTable(watches=[gap, whole])) as servito:
        await anext(aiter(servito.watch("t1", after_version=2, after_lineage=22)))
    assert (requests[0].HasField("after_version"), requests[0].after_lineage) == (False, 0)
