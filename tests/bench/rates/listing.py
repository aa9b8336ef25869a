"""What 10,000 tables cost who makes and who lists them: `python -m tests.bench listing`.

By the clock, since a caller waits by it. An empty call is one to the same process that reads nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from grpc import aio
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_local.system import LocalSystem
from tests.bench.measure import Goal, Row, spread
from tests.bench.rates.calls import answered, caller

if TYPE_CHECKING:
    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from tests.bench.measure import Context

TABLES: Final = 10_000
BATCH: Final = 1_000
AT_ONCE: Final = 32
PAGES: Final = 40
"""Pages of one repetition, each after the one before."""
LEAST: Final = 1 / 20
"""A page may take twenty times as long as an empty call."""


def measure(context: Context) -> Iterator[Row | str]:
    """Make the tables, then list them."""
    yield from asyncio.run(_measured(context))


async def _measured(context: Context) -> list[Row | str]:
    with TemporaryDirectory() as directory:
        async with LocalSystem(Path(directory)) as system:
            return await at(context, system)


async def at(context: Context, system: LocalSystem) -> list[Row | str]:
    """Measure a system that runs: seconds of each batch of tables; milliseconds of a page and of an empty
    call.
    """
    number, batch = context.some(TABLES), context.some(BATCH)
    async with aio.insecure_channel(system.target("table")) as channel:
        stub = TableServiceStub(channel)
        created = [await _created(stub, range(first, first + batch)) for first in range(0, number, batch)]
        pages, empty, size = await _listed(channel, context)
    calls = median(page / call for page, call in zip(pages, empty, strict=True))
    return [
        f"{batch:,} tables created, {AT_ONCE} calls at once: {spread(created)} s",
        Row(
            f"a page of {size} tables out of {number:,}",
            pages,
            "an empty call",
            empty,
            unit=" ms",
            better="less",
            goal=Goal(LEAST),
            note=f"so a page takes {calls:.1f} empty calls",
        ),
    ]


async def _listed(channel: aio.Channel, context: Context) -> tuple[list[float], list[float], int]:
    """Milliseconds of a page and of an empty call by repetition; tables on a page."""
    stub = TableServiceStub(channel)
    health: Any = HealthStub(channel)  # its published type knows no methods
    pages, empty, page = [], [], pb.ListTablesResponse()
    for _ in context.repeats():
        taken, calls = [], []
        for _ in range(context.some(PAGES)):
            begun = time.perf_counter()
            page = await stub.ListTables(pb.ListTablesRequest(page_token=page.next_page_token))
            listed = time.perf_counter()
            await health.Check(HealthCheckRequest())
            taken.append(listed - begun)
            calls.append(time.perf_counter() - listed)
        pages.append(1e3 * median(taken))
        empty.append(1e3 * median(calls))
    return pages, empty, len(page.tables)


async def _created(stub: TableServiceAsyncStub, numbers: Iterable[int]) -> float:
    """Seconds for tables of these numbers."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        config = pb.TableConfig(
            name=f"{number}", preset="italiana", seats=5, min_buy_in=1, max_buy_in=500, turn_ms=20_000
        )
        request = pb.CreateTableRequest(request_id=f"{number}", config=config)
        async with room:
            await answered(stub.CreateTable, request, caller("operator"))

    begun = time.perf_counter()
    await asyncio.gather(*map(one, numbers))
    return time.perf_counter() - begun
