"""All tables in pages: each one once, in the order of the ids, however they are spread over the
partitions.
"""

from __future__ import annotations

import random

import pytest

from servito_platform.keys import Keys
from servito_platform.lane import Lane
from servito_table.adapters.codec import Codec
from servito_table.adapters.index import RedisIndex
from servito_table.app.config import rules_of
from servito_table.app.state import TableState
from tests.table.real import RealStore
from tests.table.room import CONFIG


async def pages(index: RedisIndex, size: int) -> list[list[str]]:
    """The ids of all pages."""
    found, after = [], ""
    while True:
        tables, after = await index.page(after, size)
        found.append([table.id for table in tables])
        if not after:
            return found


async def stored(real: RealStore, ids: list[str]) -> None:
    """Tables of these ids."""
    codec, keys = Codec(), real.keys
    pipeline = real.client.pipeline(transaction=False)
    for table_id in ids:
        state = TableState(table_id, "owner", CONFIG, rules_of(CONFIG))
        pipeline.hset(keys.table(table_id), mapping={"v": 1, "s": codec.encode(state)})
        pipeline.zadd(keys.tables(keys.partition(table_id)), {table_id: 0})
    await pipeline.execute()


def index_of(state_url: str) -> tuple[RedisIndex, Lane]:
    """The index of one process."""
    lane = Lane(state_url, 2.0)
    return RedisIndex(lane, Keys(64), Codec()), lane


@pytest.mark.parametrize("size", [1, 7, 200])
async def test_every_table_is_on_one_page(real: RealStore, state_url: str, size: int) -> None:
    """Pages of any size: all full but the last, together the ids in order."""
    ids = [f"t{number:05d}" for number in random.Random(size).sample(range(10**5), 60)]
    await stored(real, ids)
    index, lane = index_of(state_url)
    found = await pages(index, size)
    await lane.close()
    assert [table_id for page in found for table_id in page] == sorted(ids)
    assert all(len(page) == size for page in found[:-1])


async def test_tables_that_crowd_in_one_partition(real: RealStore, state_url: str) -> None:
    """A partition that holds the whole page is asked again until it is certain what comes next."""
    keys = Keys(64)
    crowded = [f"a{number}" for number in range(20_000) if keys.partition(f"a{number}") == 7][:150]
    others = [f"b{number}" for number in range(50)]
    await stored(real, crowded + others)
    index, lane = index_of(state_url)
    found = await pages(index, 60)
    await lane.close()
    assert [table_id for page in found for table_id in page] == sorted(crowded + others)


async def test_no_tables(real: RealStore, state_url: str) -> None:
    """One empty page, and no further one."""
    index, lane = index_of(state_url)
    assert await pages(index, 50) == [[]]
    await lane.close()
