"""All tables in pages: each one once, in the order of the ids, however they are spread over the partitions
and whatever filter is held against them.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito_platform.keys import Keys
from servito_platform.lane import Lane
from servito_platform.place import read_place
from servito_platform.state import new_lane
from servito_table.adapters.codec import Codec
from servito_table.adapters.index import EXAMINED, RedisIndex
from servito_table.app.config import rules_of
from servito_table.app.listing import Wanted
from servito_table.app.state import Seated, TableConfig, TableState
from servito_table.app.status import Status
from tests.table.real import RealStore
from tests.table.room import CONFIG

ALL = Wanted()


async def pages(index: RedisIndex, size: int, wanted: Wanted = ALL) -> list[list[str]]:
    """The ids of all pages."""
    found, after = [], ""
    while True:
        tables, after = await index.page(after, size, wanted)
        found.append([table.id for table in tables])
        if not after:
            return found


def table(table_id: str, config: TableConfig = CONFIG, seated: int = 0) -> TableState:
    """A table with so many players."""
    seats = tuple(Seated(seat, f"p{seat}", 100) for seat in range(seated))
    return TableState(table_id, "owner", config, rules_of(config), seats)


async def stored(real: RealStore, tables: list[TableState]) -> None:
    """Store tables as their commits do."""
    codec, keys = Codec(), real.keys
    pipeline = real.client.pipeline(transaction=False)
    for state in tables:
        index = keys.closed if state.status is Status.CLOSED else keys.tables
        pipeline.hset(keys.table(state.id), mapping={"v": 1, "s": codec.encode(state)})
        pipeline.zadd(index(keys.partition(state.id)), {state.id: 0})
    await pipeline.execute()


def index_of(state_url: str) -> tuple[RedisIndex, Lane]:
    """The index of one process."""
    lane = new_lane(read_place(state_url), 2.0)
    return RedisIndex(lane, Keys(64), Codec()), lane


@pytest.mark.parametrize("size", [1, 7, 200])
async def test_every_table_is_on_one_page(real: RealStore, state_url: str, size: int) -> None:
    """Pages of any size: all full but the last, together the ids in order."""
    ids = [f"t{number:05d}" for number in random.Random(size).sample(range(10**5), 60)]
    await stored(real, [table(table_id) for table_id in ids])
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
    await stored(real, [table(table_id) for table_id in crowded + others])
    index, lane = index_of(state_url)
    found = await pages(index, 60)
    await lane.close()
    assert [table_id for page in found for table_id in page] == sorted(crowded + others)


async def test_no_tables(real: RealStore, state_url: str) -> None:
    """One empty page, and no further one."""
    index, lane = index_of(state_url)
    for wanted in (ALL, Wanted(free_seat=True), Wanted(status=Status.CLOSED)):
        assert await pages(index, 50, wanted) == [[]]
    await lane.close()


async def test_a_filter_that_lets_few_tables_through(real: RealStore, state_url: str) -> None:
    """A page looks at a bounded number of tables: it may be empty and still not the last."""
    rare = {f"t{number:04d}" for number in (3, 450, 451, 699)}
    everything = [f"t{number:04d}" for number in range(700)]
    await stored(
        real,
        [table(name, replace(CONFIG, name="Rara")) if name in rare else table(name) for name in everything],
    )
    index, lane = index_of(state_url)
    found = await pages(index, 1, Wanted(name="rAr"))
    whole = await pages(index, EXAMINED, Wanted(name="rar"))
    await lane.close()
    assert [name for page in found for name in page] == sorted(rare)
    assert all(len(page) <= 1 for page in found)
    assert [len(page) for page in whole] == [1, 0, 2, 1]


async def test_a_closed_table_whose_time_is_over(real: RealStore, state_url: str) -> None:
    """Its state came to its end: it is listed no more, and whoever asks takes its place out of the index."""
    closed = [table(name) for name in ("a", "b")]
    for state in closed:
        state.status = Status.CLOSED
    await stored(real, closed)
    await real.client.delete(real.keys.table("a"))
    index, lane = index_of(state_url)
    assert await pages(index, 50, Wanted(status=Status.CLOSED)) == [["b"]]
    await lane.close()
    left = [await real.client.zrange(real.keys.closed(partition), 0, -1) for partition in range(64)]
    assert [name for names in left for name in names] == [b"b"]


async def test_places_of_tables_that_are_gone_are_swept(real: RealStore, state_url: str) -> None:
    """Nobody has to ask for closed tables: a look at each partition forgets what is gone, nothing else."""
    keys, here = real.keys, table("z-closed")
    here.status = Status.CLOSED
    await stored(real, [here, table("z-open")])
    gone = [f"gone{number}" for number in range(1_000)]
    for name in gone:
        await real.client.zadd(keys.closed(keys.partition(name)), {name: 0})
    index, lane = index_of(state_url)
    assert sum([await index.forget_gone() for _ in range(64)]) == 1_000
    assert sum([await index.forget_gone() for _ in range(64)]) == 0
    assert await real.client.zrange(keys.closed(keys.partition(here.id)), 0, -1) == [b"z-closed"]
    assert await real.client.zrange(keys.tables(keys.partition("z-open")), 0, -1) == [b"z-open"]
    await lane.close()


async def test_every_filter(real: RealStore, state_url: str) -> None:
    """Each of them lets through what it says, alone and all together; closed tables are asked for by name."""
    dear = replace(CONFIG, name="Sala Grande", options={"ante": "10"}, min_buy_in=500, max_buy_in=900)
    full = table("b-full", CONFIG, seated=6)
    paused = table("c-paused")
    paused.status = Status.PAUSED
    closing = table("d-closing", CONFIG, seated=2)
    closing.status = Status.CLOSING
    closed = table("e-closed")
    closed.status = Status.CLOSED
    kept = table("f-kept", dear)
    kept.template, kept.revision = "grande", 3
    await stored(
        real,
        [
            table("a-plain"),
            full,
            paused,
            closing,
            closed,
            kept,
            table("g-other", replace(CONFIG, preset="libera")),
        ],
    )
    index, lane = index_of(state_url)
    cases = [
        ("abcdfg", ALL),
        ("g", Wanted(preset="libera")),
        ("f", Wanted(name="grande")),
        ("c", Wanted(status=Status.PAUSED)),
        ("abfg", Wanted(status=Status.OPEN)),
        ("e", Wanted(status=Status.CLOSED)),
        ("acfg", Wanted(free_seat=True)),
        ("abcdg", Wanted(ante=(0, 9))),
        ("abcdg", Wanted(buy_in=(1, 499))),
        ("f", Wanted(buy_in=(300, 0))),
        ("", Wanted(ante=(11, 0))),
        ("f", Wanted("italiana", "SALA", Status.OPEN, True, "grande", (10, 10), (900, 900))),
        ("", Wanted(status=Status.CLOSED, preset="libera")),
    ]
    for names, wanted in cases:
        tables, more = await index.page("", 50, wanted)
        assert ("".join(found.id[0] for found in tables), more) == (names, ""), wanted
    [listed] = [found for found in await index.tables(["f-kept"]) if found]
    await lane.close()
    assert (listed.template, listed.revision, listed.ante, listed.free) == ("grande", 3, 10, 6)


async def test_a_table_that_does_not_exist(real: RealStore, state_url: str) -> None:
    """Asked for by its id it is None, in its place."""
    await stored(real, [table("t1")])
    index, lane = index_of(state_url)
    found = await index.tables(["t0", "t1", "t2"])
    await lane.close()
    assert [None if one is None else one.id for one in found] == [None, "t1", None]


@pytest.mark.parametrize("status", [Status.OPEN, Status.CLOSED])
async def test_a_damaged_table_keeps_nobody_from_the_others(
    real: RealStore, state_url: str, status: Status
) -> None:
    """It is left out and not given up: once it has been put right it is there again."""
    states = [table(name) for name in ("a", "b", "c")]
    for state in states:
        state.status = status
    await stored(real, states)
    key = real.keys.table("b")
    whole = await real.client.hget(key, "s")
    index, lane = index_of(state_url)
    wanted = Wanted(status=status)
    for damaged in (b"", b"\x0a\xff", b"no message"):
        await real.client.hset(key, "s", damaged)
        assert await pages(index, 50, wanted) == [["a", "c"]]
    await real.client.hset(key, "s", whole)
    assert await pages(index, 50, wanted) == [["a", "b", "c"]]
    await lane.close()
