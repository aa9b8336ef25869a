"""Maintenance, in one process over twins: which hands do not begin, who follows, and what nobody may
assume.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from servito_table.app.commands import CloseTable, Hold, PauseTable, ResumeTable
from servito_table.app.config import rules_of
from servito_table.app.events import Pause, TablePaused, TableResumed
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.maintenance import FRESH_SECONDS, SETTLING_SECONDS, Follower, Gate, Mark
from servito_table.app.refusals import NotDue, TableReason, TableRefused, Unavailable
from servito_table.app.state import TableState
from servito_table.app.status import Status
from servito_table.app.templates import Template, course_for
from servito_table.app.waits import WaitKind
from tests.table.kept import MemoryIndex, listed
from tests.table.room import CONFIG, Room
from tests.table.test_course import last_events, pass_out

HELD, RELEASED = TablePaused(Pause.MAINTENANCE), TableResumed(Pause.MAINTENANCE)


@dataclass
class MemoryMarks:
    """`app.maintenance.Marks`. `down`: nobody answers."""

    made: list[Mark] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    asked: int = 0
    down: bool = False

    async def latest(self) -> Mark:
        """See the port."""
        self.asked += 1
        if self.down:
            raise Unavailable("the state server")
        return self.made[-1] if self.made else Mark("", on=False, by="", why="", at=0)

    async def changes(self, most: int) -> tuple[Sequence[Mark], int]:
        """See the port."""
        return self.made[::-1][:most], 2_000

    async def put(self, *, on: bool, by: str, why: str) -> tuple[Mark, int]:
        """See the port."""
        if (await self.latest()).on is not on:
            self.made.append(Mark(f"{len(self.made) + 1}-0", on, by, why, at=1_000))
        return await self.latest(), 2_000

    async def mine(self, what: str, ms: int) -> bool:  # noqa: ARG002 - the port's; a test decides instead
        """See the port; here a test says whose turn it is."""
        return what not in self.taken


@dataclass
class Works:
    """A process with a table, and maintenance. `seconds` is its clock."""

    marks: MemoryMarks = field(default_factory=MemoryMarks)
    room: Room = field(default_factory=Room)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.gate = Gate(self.marks, self.room.tally, lambda: self.seconds)
        self.room = replace(self.room, gate=self.gate)
        self.index = MemoryIndex(self.room.store)
        self.follower = Follower(self.gate, self.marks, self.index, self.room.play, lambda: self.seconds)

    async def turn(self, *, on: bool) -> None:
        """Another process changes it; this one has not read it yet."""
        await self.marks.put(on=on, by="olga", why="upgrade")

    async def look(self, seconds: float = 1.0) -> None:
        """So much later it looks."""
        self.seconds += seconds
        await self.follower.look()
        await self.room.play.tasks.drain()


@pytest.fixture
async def works() -> Works:
    """A table with two players between two hands."""
    works = Works()
    await works.room.open()
    await works.room.sit("ann", "bob")
    return works


async def test_a_hand_that_runs_is_finished_and_none_begins(works: Works) -> None:
    """The seat to act keeps its turn and its clock; after the hand nothing is due, and its players are told
    at once.
    """
    room = works.room
    await room.due()
    turn, deadline = room.state.turn, room.known.deadline
    await works.turn(on=True)
    await works.look()
    assert last_events(room) == (HELD,)
    assert (room.state.turn, room.known.deadline) == (turn, deadline)
    await pass_out(room)
    assert room.waits_for(WaitKind.OWNER)
    assert (room.hand.number, room.known.deadline, room.store.deadlines) == (1, 0, {})
    assert room.state.status is Status.OPEN


async def test_off_lets_hands_begin_by_themselves(works: Works) -> None:
    """One commit sets the wait for the next hand going, without a player or an owner."""
    room = works.room
    await works.turn(on=True)
    await works.look()
    assert room.waits_for(WaitKind.OWNER)
    await works.turn(on=False)
    await works.look()
    assert last_events(room) == (RELEASED,)
    assert room.waits_for(WaitKind.PAUSE)
    assert await room.due() is Expiry.EXPIRED
    assert room.hand.number == 1


async def test_without_a_pause_between_hands_the_next_one_begins_at_once(works: Works) -> None:
    """As after an owner's pause."""
    room = works.room
    await room.open(replace(CONFIG, pause_ms=0), "r1")
    await works.turn(on=True)
    await works.look()
    await room.sit("ann", "bob")
    assert room.state.running is None
    await works.turn(on=False)
    await works.look()
    assert room.hand.number == 1


async def test_a_hand_about_to_begin_is_held_by_whoever_comes_to_it(works: Works) -> None:
    """Before any walk has come by: the process that would begin it reads the mark, and commits the hold
    instead.
    """
    room = works.room
    await works.turn(on=True)
    works.seconds += FRESH_SECONDS + 0.1
    assert await room.due() is Expiry.EXPIRED
    assert last_events(room) == (HELD,)
    assert room.state.running is None
    assert await room.expire() is Expiry.NOT_DUE


async def test_who_does_not_know_begins_no_hand(works: Works) -> None:
    """A process that cannot read the mark does not guess; the deadline stays and brings somebody back. What
    it read a moment ago counts.
    """
    room = works.room
    await works.look()
    works.marks.down = True
    works.seconds += FRESH_SECONDS + 0.1
    assert await room.due() is Expiry.FAILED
    assert (room.state.hand, room.state.held, len(room.store.deadlines)) == (None, False, 1)
    works.marks.down = False
    assert await room.expire() is Expiry.EXPIRED
    assert room.hand.number == 1


async def test_what_was_just_read_costs_no_reading(works: Works) -> None:
    """Acts never ask, and a hand that begins asks only where the last reading is old."""
    await works.look()
    asked = works.marks.asked
    await works.room.due()
    await pass_out(works.room)
    await works.room.due()
    assert works.room.hand.number == 2
    assert works.marks.asked == asked


async def test_an_answer_that_was_overtaken_does_not_count(works: Works) -> None:
    """Of two readings the one that was asked for later is right."""
    await works.turn(on=True)
    works.seconds = 5.0
    await works.gate.read()
    works.seconds = 4.0
    works.marks.made.clear()
    assert (await works.gate.read()).on
    works.seconds = 5.5
    assert await works.gate.holds()


async def test_an_owners_pause_stays(works: Works) -> None:
    """Each keeps hands from beginning by itself, and is told and ended by itself."""
    room = works.room
    await room.run(PauseTable("owner"), room.request("owner"))
    await works.turn(on=True)
    await works.look()
    assert last_events(room) == (HELD,)
    await works.turn(on=False)
    await works.look()
    assert room.waits_for(WaitKind.OWNER)
    await works.turn(on=True)
    await works.look()
    await room.run(ResumeTable("owner"), room.request("owner"))
    assert last_events(room) == (TableResumed(),)
    assert room.waits_for(WaitKind.OWNER)
    with pytest.raises(TableRefused) as refused:
        await room.run(ResumeTable("owner"), room.request("owner"))
    assert refused.value.reason is TableReason.NOTHING_TO_CHANGE


async def test_people_come_go_and_are_cashed_out(works: Works) -> None:
    """Only hands do not begin."""
    room = works.room
    await works.turn(on=True)
    await works.look()
    await room.sit("cat")
    out = await room.stand("ann")
    assert out.cashed_out == 100
    assert [own.player for own in room.state.seats] == ["bob", "cat"]
    await room.run(CloseTable("owner"), room.request("owner"))
    assert room.state.status is Status.CLOSED
    with pytest.raises(NotDue):
        await room.run(Hold(on=False))


async def test_a_change_settles_only_when_nobody_can_act_on_the_one_before(works: Works) -> None:
    """A table that another process held by what it had read before is released by a later walk; after that
    there is nothing to do until the routine.
    """
    await works.turn(on=True)
    await works.look()
    await works.turn(on=False)
    await works.look()
    await works.room.run(Hold(on=True))
    await works.look()
    assert last_events(works.room) == (RELEASED,)
    works.marks.taken.add("routine")
    await works.look(SETTLING_SECONDS + 1)
    await works.room.run(Hold(on=True))
    await works.look()
    assert works.room.state.held
    works.marks.taken.clear()
    await works.look(1_000)
    assert not works.room.state.held


async def test_one_process_walks_at_a_time(works: Works) -> None:
    """Who is told that another one does it leaves the tables alone, and does it once nobody does."""
    works.marks.taken.add("change")
    await works.turn(on=True)
    await works.look()
    assert not works.room.state.held
    works.marks.taken.clear()
    await works.look()
    assert works.room.state.held


async def test_a_walk_ends_when_the_mark_has_changed(works: Works) -> None:
    """Of thousands of tables the rest is not held by a change that is over."""
    for number in range(250):
        await works.room.open(request=f"many{number}")
    await works.turn(on=True)
    mark = await works.gate.read()
    await works.turn(on=False)
    assert not await works.follower.walk(mark)
    held = sum(known.state.held for known in works.room.store.tables.values())
    assert 0 < held <= 200


async def test_templates_open_no_tables_because_of_it(works: Works) -> None:
    """A held table takes new players all the same, so there are as many as before."""
    kind = Template("sala", "olga", CONFIG, 1, "seed", numbers=(1,), last=1)
    table = kind.table(1)
    table.held = True
    assert course_for(kind, {1: listed(table)}).create == ()


def test_events_alone_give_the_state() -> None:
    """Folding what was told is what was decided."""
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    assert fold(state, (HELD,)).held
    assert fold(state, (HELD,)).status is Status.OPEN
    assert fold(state, (HELD, TablePaused(), RELEASED)).status is Status.PAUSED
    assert not fold(state, (HELD, TablePaused(), RELEASED)).held
