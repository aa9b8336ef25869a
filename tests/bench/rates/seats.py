"""Tables full of players, opened and left again by the bare stubs."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import uuid4

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from tests.bench.policy import PLAYERS
from tests.bench.rates.calls import answered, caller

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from grpc import aio

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from tests.bench.rates.calls import Metadata

Result = TypeVar("Result")

PRESET: Final = "italiana"
BUY_IN: Final = 100_000
"""Nobody is out of chips before the end: wagers are the least, but a hand may see many of them."""
TURN_MS: Final = 60_000
AT_ONCE: Final = 16
TABLES: Final = 64
"""Twice as many as acts in flight (ceiling_client.py): one waits for the dealer now and then, the others keep
the calls coming meanwhile.
"""


@dataclass(frozen=True)
class Table:
    """A table, and by seat the metadata of its players' calls."""

    id: str
    callers: tuple[Metadata, ...]


@asynccontextmanager
async def full_tables(channel: aio.Channel, count: int) -> AsyncIterator[list[Table]]:
    """So many tables with five players each; all of them have stood up afterwards."""
    stub = TableServiceStub(channel)
    names = [f"bench-{uuid4().hex[:12]}" for _ in range(count)]
    tables = await _some_at_once([_opened(stub, name) for name in names])
    try:
        yield tables
    finally:
        await _some_at_once([_left(stub, table, seat) for table in tables for seat in range(PLAYERS)])


async def _opened(stub: TableServiceAsyncStub, name: str) -> Table:
    config = pb.TableConfig(
        name=name, preset=PRESET, seats=PLAYERS, min_buy_in=1, max_buy_in=BUY_IN, turn_ms=TURN_MS
    )
    callers = tuple(caller(f"{name}-{seat}") for seat in range(PLAYERS))
    request = pb.CreateTableRequest(request_id=name, config=config)
    created = await answered(stub.CreateTable, request, callers[0])
    for seat, player in enumerate(callers):
        sit = pb.SitRequest(table_id=created.table_id, request_id="sit", seat=seat, buy_in=BUY_IN)
        await answered(stub.Sit, sit, player)
    return Table(created.table_id, callers)


async def _left(stub: TableServiceAsyncStub, table: Table, seat: int) -> None:
    stand = pb.StandRequest(table_id=table.id, request_id="stand")
    await answered(stub.Stand, stand, table.callers[seat])


async def _some_at_once(work: list[Coroutine[Any, Any, Result]]) -> list[Result]:
    room = asyncio.Semaphore(AT_ONCE)

    async def one(task: Coroutine[Any, Any, Result]) -> Result:
        async with room:
            return await task

    return await asyncio.gather(*map(one, work))
