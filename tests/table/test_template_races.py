"""Two table processes keep one template: both are called at the same moments, one of them dies in between,
and there are as many tables as there should be, none twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from tests.table.caller import Caller, calling, fresh, listed
from tests.table.processes import Running, service
from tests.table.test_template_store import in_order, kind, names, put, taking, until

OPEN = 8


@pytest.fixture
async def doomed(services: dict[str, str]) -> AsyncIterator[Running]:
    """A second table process, which a test may kill."""
    with service("table", services) as running:
        yield running


async def everything(ann: Caller, template_id: str) -> list[str]:
    """Names of all tables that the template ever had."""
    found: list[pb.TableSummary] = []
    for status in (pb.TABLE_STATUS_UNSPECIFIED, pb.TABLE_STATUS_CLOSED):
        found += (await listed(ann, template_id=template_id, status=status, page_size=200))[0]
    return in_order(table.config.name for table in found)


def numbered(first: int, count: int) -> list[str]:
    """Names of so many tables."""
    return [f"Gara {number}" for number in range(first, first + count)]


async def settled(ann: Caller, template_id: str) -> None:
    """Until as many tables as wished for take players."""
    for _ in range(600):
        if len(await names(ann, template_id)) == OPEN:
            return
        await asyncio.sleep(0.05)
    raise TimeoutError(f"{await names(ann, template_id)} are not {OPEN}")


async def fill(callers: list[Caller], template_id: str, round_: int) -> list[str]:
    """Take every seat of every open table, through all processes at once; a busy process is asked again. What
    failed even so: with one that is dead, some do.
    """
    tables = await taking(callers[0], template_id)

    async def sit(caller: Caller, table: pb.TableSummary, place: int) -> str | None:
        failed = ""
        for _ in range(5):
            try:
                await caller.as_player(f"p{round_}-{place}-{table.table_id[:10]}").sit(table.table_id)
            except aio.AioRpcError as error:
                failed = f"{table.config.name}: {error.code().name} {error.details()}"
                await asyncio.sleep(0.1)
            else:
                return None
        return failed

    tried = await asyncio.gather(
        *(
            sit(callers[(number + place) % len(callers)], table, place)
            for number, table in enumerate(tables)
            for place in range(2)
        )
    )
    return [failed for failed in tried if failed is not None]


async def test_both_are_called_at_the_same_moments(ann: Caller, doomed: Running) -> None:
    """Rounds in which every table fills up through both: each time all are replaced, by numbers without
    a gap.
    """
    template_id = f"race-{fresh()}"
    await put(ann, template_id, kind("Gara"), OPEN)
    async with calling(doomed.grpc) as there:
        for round_ in range(4):
            await until(ann, template_id, numbered(round_ * OPEN + 1, OPEN))
            assert await fill([ann, there], template_id, round_) == []
        await until(ann, template_id, numbered(4 * OPEN + 1, OPEN))
    assert await everything(ann, template_id) == numbered(1, 5 * OPEN)


async def test_one_dies_while_tables_fill_up(ann: Caller, doomed: Running) -> None:
    """The other one does what is left to do."""
    template_id = f"race-{fresh()}"
    async with calling(doomed.grpc) as there:
        await put(there, template_id, kind("Gara"), OPEN)
        await settled(there, template_id)
        filling = asyncio.create_task(fill([ann, there], template_id, 0))
        await asyncio.sleep(0.12)
        doomed.kill()
        await filling
    await settled(ann, template_id)
    found = await everything(ann, template_id)
    assert found == numbered(1, len(found))
    assert OPEN <= len(found) <= 2 * OPEN
