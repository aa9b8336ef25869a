"""What a store promises, claimed of the Redis store on a real server and of the twin that other tests use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from servito_table.app.commands import Sit
from servito_table.app.commits import (
    Answer,
    Commit,
    Committed,
    Fence,
    Known,
    Moved,
    Repeated,
    Request,
    Unmade,
)
from servito_table.app.config import rules_of
from servito_table.app.decide import Decision, decide
from servito_table.app.ports import Store
from servito_table.app.state import TableState
from tests.table.real import RealStore, real_store
from tests.table.room import CONFIG
from tests.table.twins import MemoryStore

REQUEST = Request("ann", "one", "0123456789abcdef")


@dataclass
class Case:
    """A store, and a way to let its clock go on."""

    store: Store
    memory: MemoryStore | None
    real: RealStore | None

    async def pass_until(self, server_ms: int) -> None:
        """Until the store's clock shows that."""
        if self.memory is not None:
            self.memory.now = max(self.memory.now, server_ms)
        if self.real is not None:
            await self.real.sleep_until(server_ms)


@pytest.fixture(params=["memory", "redis"])
async def case(request: pytest.FixtureRequest) -> AsyncIterator[Case]:
    """Each of the two stores."""
    if request.param == "memory":
        memory = MemoryStore()
        yield Case(memory, memory, None)
    else:
        async with real_store(request.getfixturevalue("state_url")) as real:
            yield Case(real.store, None, real)


async def new_table(case: Case) -> Known:
    """A table at version 1."""
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    made = await case.store.commit(
        Commit(before=None, state=state, events=(), money=(), wait_ms=0, answer=Answer(1))
    )
    assert isinstance(made, Committed)
    return made.known


def sat(known: Known, player: str = "ann", *, wait_ms: int | None = 50, **changes: object) -> Commit:
    """A commit that seats a player on a table as it is known."""
    with pytest.raises(StopIteration) as decided:
        next(decide(known.state, Sit(player, None, 50)))
    decision: Decision = decided.value.value
    state = replace(decision.state, turn=known.state.turn + (wait_ms is not None))
    commit = Commit(
        known, state, decision.events, ((player, 50),), wait_ms, Answer(known.version + 1, seat=0)
    )
    return replace(commit, **changes)  # type: ignore[arg-type]  # fields of Commit


async def made(case: Case, commit: Commit) -> Known:
    """Commit, which must succeed."""
    outcome = await case.store.commit(commit)
    assert isinstance(outcome, Committed), outcome
    return outcome.known


async def test_what_was_committed_is_read_back(case: Case) -> None:
    """Another reader sees the same state, version and deadline; who knows them already gets its own back."""
    known = await made(case, sat(await new_table(case)))
    assert await case.store.look("t1", None, None) == known
    assert await case.store.look("t1", known, None) is known
    assert known.version == 2
    assert known.deadline == known.started + 50


async def test_an_unknown_table_is_none(case: Case) -> None:
    """There is nothing to look at, with or without a request."""
    assert await case.store.look("nowhere", None, None) is None
    assert await case.store.look("nowhere", None, REQUEST) is None


async def test_a_version_can_be_built_on_once(case: Case) -> None:
    """The second commit on a version changes nothing and is shown the table as it is now."""
    first = await new_table(case)
    known = await made(case, sat(first))
    outcome = await case.store.commit(sat(first, "bob"))
    assert outcome == Moved(known)
    assert await case.store.look("t1", None, None) == known


async def test_a_table_is_made_once(case: Case) -> None:
    """A table that exists is not made again."""
    known = await new_table(case)
    outcome = await case.store.commit(
        Commit(before=None, state=known.state, events=(), money=(), wait_ms=0, answer=Answer(1))
    )
    assert outcome == Moved(known)


async def test_a_repeated_request_gets_the_first_answer(case: Case) -> None:
    """The request comes before the version: a repeat is answered whatever became of the table."""
    first = await new_table(case)
    commit = sat(first, request=REQUEST)
    known = await made(case, commit)
    assert await case.store.commit(commit) == Repeated(Answer(2, seat=0))
    known = await made(case, sat(known, "bob"))
    assert await case.store.commit(commit) == Repeated(Answer(2, seat=0))
    assert await case.store.look("t1", None, REQUEST) == Repeated(Answer(2, seat=0))
    assert await case.store.look("t1", None, None) == known


async def test_a_request_id_means_one_request(case: Case) -> None:
    """Other content under the same id is refused; the same id of another player is another request."""
    known = await made(case, sat(await new_table(case), request=REQUEST))
    other = replace(REQUEST, fingerprint="fedcba9876543210")
    assert await case.store.commit(sat(known, "bob", request=other)) is Unmade.REUSED
    assert await case.store.look("t1", known, other) is Unmade.REUSED
    assert await case.store.look("t1", known, replace(REQUEST, player="bob")) is known


@pytest.mark.parametrize(("of_turn", "kept"), [(False, 64), (True, 3)])
async def test_the_latest_requests_are_remembered(case: Case, of_turn: bool, kept: int) -> None:
    """So many before are still answered, the one before them is not; of acts it may be more than three where
    their ids are shorter.
    """
    known = await new_table(case)
    for number in range(kept + 1):
        request = replace(REQUEST, id=f"r{number:063}", of_turn=of_turn)
        known = await made(case, sat(known, f"p{number % 6}", request=request))
        known = replace(known, state=replace(known.state, seats=()))
    assert await case.store.look("t1", known, replace(REQUEST, id=f"r{0:063}")) is known
    assert await case.store.look("t1", known, replace(REQUEST, id=f"r{1:063}")) == Repeated(Answer(3, seat=0))


async def test_acts_push_nothing_else_out_of_memory(case: Case) -> None:
    """A player who acts a hundred times while he asks for the lost answer about his money gets it; and an id
    is good for one request of either kind.
    """
    known = await new_table(case)
    known = await made(case, sat(known, request=REQUEST))
    for number in range(100):
        known = replace(known, state=replace(known.state, seats=()))
        known = await made(case, sat(known, "bob", request=replace(REQUEST, id=f"a{number}", of_turn=True)))
    commit = sat(known, "cat", request=REQUEST)
    assert await case.store.look("t1", known, REQUEST) == Repeated(Answer(2, seat=0))
    assert await case.store.commit(commit) == Repeated(Answer(2, seat=0))
    other = replace(REQUEST, fingerprint="f" * 16, of_turn=True)
    assert await case.store.look("t1", known, other) is Unmade.REUSED
    assert await case.store.commit(replace(commit, request=other)) is Unmade.REUSED


async def test_a_turn_is_expired_when_its_deadline_has_passed(case: Case) -> None:
    """Not before; and a table without a deadline is never due."""
    known = await new_table(case)
    assert await case.store.commit(sat(known, fence=Fence.EXPIRY)) is Unmade.EARLY
    known = await made(case, sat(known))
    assert await case.store.commit(sat(known, "bob", fence=Fence.EXPIRY)) is Unmade.EARLY
    await case.pass_until(known.deadline)
    await made(case, sat(known, "bob", fence=Fence.EXPIRY))


async def test_an_action_is_accepted_until_the_grace_is_over(case: Case) -> None:
    """300 ms after the deadline it still counts, afterwards not; without a deadline it always does."""
    known = await made(case, sat(await new_table(case), fence=Fence.ACTION))
    await case.pass_until(known.deadline + 1)
    known = await made(case, sat(known, "bob", fence=Fence.ACTION))
    await case.pass_until(known.deadline + 301)
    assert await case.store.commit(sat(known, "cat", fence=Fence.ACTION)) is Unmade.LATE
    assert await case.store.look("t1", None, None) == known


async def test_a_wait_that_goes_on_keeps_its_deadline(case: Case) -> None:
    """Keeping the wait leaves turn, start and deadline as they are."""
    known = await made(case, sat(await new_table(case), wait_ms=5_000))
    kept = await made(case, sat(known, "bob", wait_ms=None))
    assert (kept.started, kept.deadline, kept.state.turn) == (known.started, known.deadline, known.state.turn)
    ended = await made(case, sat(kept, "cat", wait_ms=0))
    assert ended.deadline == 0


async def test_a_wait_is_prolonged_under_its_own_turn(case: Case) -> None:
    """A time bank: the same turn gets a new deadline once the old one has passed, and no sooner."""
    first = await made(case, sat(await new_table(case), wait_ms=40))
    longer = replace(
        sat(first, "bob", wait_ms=60), state=first.state, fence=Fence.EXPIRY, events=(), money=()
    )
    assert await case.store.commit(longer) is Unmade.EARLY
    await case.pass_until(first.deadline)
    second = await made(case, longer)
    assert second.state.turn == first.state.turn
    assert second.deadline >= first.deadline + 60
    again = replace(longer, before=second)
    assert await case.store.commit(again) is Unmade.EARLY
    if case.real is not None:
        member = f"t1:{first.state.turn}"
        assert await case.real.deadlines("t1") == {member: second.deadline}


async def test_only_a_turn_that_is_over_is_forgotten(case: Case) -> None:
    """The current deadline stays; one of the past, or of no table, goes."""
    known = await made(case, sat(await new_table(case), wait_ms=5_000))
    assert await case.store.forget_wait("t1", str(known.state.turn)) is False
    assert await case.store.forget_wait("t1", str(known.state.turn - 1)) is True
    assert await case.store.forget_wait("nowhere", "3") is True
    assert await case.store.look("t1", None, None) == known


async def test_waits_beside_the_turn(case: Case) -> None:
    """Each has its name and deadline, is kept by commits that do not name it, and ends by its name."""
    known = await made(case, sat(await new_table(case), waits=(("p1", 5_000), ("d12", 70_000))))
    assert known.waits == {"p1": known.started + 5_000, "d12": known.started + 70_000}
    assert await case.store.look("t1", None, None) == known
    kept = await made(case, sat(known, "bob", wait_ms=None))
    assert kept.waits == known.waits
    ended = await made(case, sat(kept, "cat", waits=(("p1", 0), ("p2", 9_000))))
    assert set(ended.waits) == {"d12", "p2"}
    assert ended.waits["d12"] == known.waits["d12"]
    assert await case.store.look("t1", known, None) == ended
    assert await case.store.forget_wait("t1", "p2") is False
    assert await case.store.forget_wait("t1", "d1") is True
    assert await case.store.forget_wait("t1", "p1") is True


async def test_a_wait_beside_the_turn_has_a_fence_of_its_own(case: Case) -> None:
    """It is ended when its own deadline has passed, whatever the turn's; an answer is late by it alone."""
    known = await made(case, sat(await new_table(case), wait_ms=60_000, waits=(("p1", 40),)))
    ending = sat(known, "bob", fence=Fence.EXPIRY, fenced="p1", wait_ms=None, waits=(("p1", 0),))
    assert await case.store.commit(ending) is Unmade.EARLY
    other = replace(ending, fenced="p2")
    await case.pass_until(known.ends("p1"))
    assert await case.store.commit(other) is Unmade.EARLY
    known = await made(case, sat(known, "bob", fence=Fence.ACTION, fenced="p1", wait_ms=None))
    await case.pass_until(known.ends("p1") + 301)
    late = sat(known, "cat", fence=Fence.ACTION, fenced="p1", wait_ms=None)
    assert await case.store.commit(late) is Unmade.LATE
    ended = await made(case, replace(late, fence=Fence.EXPIRY, waits=(("p1", 0),)))
    assert (ended.waits, ended.deadline) == ({}, known.deadline)


async def test_of_many_commits_at_once_one_is_made(case: Case) -> None:
    """Twenty processes decide on the same version: one wins, the others are shown what it made."""
    known = await new_table(case)
    outcomes = await asyncio.gather(*(case.store.commit(sat(known, f"p{i}")) for i in range(20)))
    won = [outcome for outcome in outcomes if isinstance(outcome, Committed)]
    assert len(won) == 1
    assert [outcome for outcome in outcomes if outcome not in won] == [Moved(won[0].known)] * 19
