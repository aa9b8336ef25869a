"""After an outage nobody's turn is ended before he has had his time; what is nobody's time goes on."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from servito.table.v1.store_pb2 import StoredCommit
from servito_core.commands import Pass
from servito_core.events import TurnExpired
from servito_table.adapters.codec import Codec
from servito_table.app.acting_events import ClockRestored, TimeBankUsed
from servito_table.app.amnesty import LEAST_MS
from servito_table.app.commits import Fence, Known, Spared, Unmade
from servito_table.app.evolve import evolve
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.waits import WaitKind
from tests.table.gallery import Gallery, sent
from tests.table.real import RealStore
from tests.table.room import CONFIG, Room
from tests.table.test_store import Case, made, new_table, sat


async def playing(room: Room) -> Room:
    """Two players, the first to speak is to act, with fifteen seconds."""
    await room.sit("ann", "bob")
    await room.due()
    return room


def outage(room: Room, *, after: int, ms: int) -> None:
    """Nobody swept for `ms`, from so many ms after the turn began; it is over now."""
    begun = room.known.started + after
    room.store.outage = (begun, begun + ms)
    room.store.now = max(room.store.now, begun + ms)


def last_events(room: Room) -> tuple[object, ...]:
    """What the latest commit told."""
    return room.store.commits[-1].events


@pytest.mark.parametrize(
    ("after", "left"),
    [(1_000, 14_000), (9_000, 6_000), (12_000, LEAST_MS), (14_999, LEAST_MS), (15_999, LEAST_MS)],
)
async def test_a_turn_that_passed_in_an_outage_gets_its_time_again(room: Room, after: int, left: int) -> None:
    """What its clock showed when the outage began, five seconds at the least, from now on; then it ends,
    once, as any turn.
    """
    await playing(room)
    turn, seat = room.state.turn, room.wait.seat
    assert seat is not None
    outage(room, after=after, ms=20_000)
    assert await room.expire() is Expiry.EXPIRED
    assert last_events(room) == (ClockRestored(seat, left),)
    assert (room.state.turn, room.wait.seat) == (turn, seat)
    assert (room.known.started, room.known.deadline) == (room.store.now, room.store.now + left)
    assert room.store.deadlines == {f"{room.table_id}:{turn}": room.known.deadline}
    assert await room.expire(turn) is Expiry.NOT_DUE
    assert await room.due() is Expiry.EXPIRED
    assert TurnExpired(seat) in last_events(room)
    assert ("happened", "clock_restored") in room.tally.counts


async def test_many_sweepers_give_it_back_once(room: Room) -> None:
    """Some name the turn at the same time in several processes: one gives it its time, none ends it."""
    await playing(room)
    outage(room, after=3_000, ms=20_000)
    version, turn = room.known.version, room.state.turn
    processes = (room, room.other(), room.other())
    results = await asyncio.gather(*(process.expire(turn) for process in processes for _ in range(3)))
    assert sorted(results) == [Expiry.EXPIRED] + [Expiry.NOT_DUE] * 8
    assert room.known.version == version + 1
    assert room.known.deadline == room.store.now + 12_000


async def test_a_clock_that_ends_after_the_outage_gets_it_when_it_ends(room: Room) -> None:
    """The time in which nobody could act is not lost to whose clock still showed something afterwards."""
    await playing(room)
    seat = room.wait.seat
    outage(room, after=2_000, ms=12_000)
    assert await room.expire() is Expiry.NOT_DUE
    assert await room.due() is Expiry.EXPIRED
    assert last_events(room) == (ClockRestored(seat or 0, 13_000),)


async def test_a_turn_that_was_over_before_ends_at_once(room: Room) -> None:
    """He had all of his time; and a turn that began afterwards has no more than others."""
    await playing(room)
    seat = room.wait.seat
    outage(room, after=16_000, ms=20_000)
    assert await room.expire() is Expiry.EXPIRED
    assert TurnExpired(seat or 0) in last_events(room)
    assert await room.due() is Expiry.EXPIRED
    assert any(isinstance(event, TurnExpired) for event in last_events(room))


async def test_an_act_meanwhile_is_not_late(room: Room) -> None:
    """He who was to act and comes back before the timers is heard, whatever his clock says."""
    await playing(room)
    player, offer = room.offer()
    outage(room, after=3_000, ms=60_000)
    turn = room.state.turn
    await room.act(player, Pass(offer.seat))
    assert room.state.turn == turn + 1
    assert await room.expire(turn) is Expiry.STALE


async def test_nobody_has_it_twice_or_at_will(room: Room) -> None:
    """With his time again he is as late as anybody when that is over."""
    await playing(room)
    outage(room, after=3_000, ms=20_000)
    await room.expire()
    player, offer = room.offer()
    room.store.now = room.known.deadline + 301
    with pytest.raises(TableRefused) as refused:
        await room.act(player, Pass(offer.seat))
    assert refused.value.reason is TableReason.TOO_LATE


async def test_a_short_clock_is_given_back_whole_and_no_more() -> None:
    """A turn of two seconds does not become one of five."""
    room = Room()
    await room.open(replace(CONFIG, turn_ms=2_000))
    await playing(room)
    outage(room, after=1_500, ms=20_000)
    await room.expire()
    assert last_events(room) == (ClockRestored(room.wait.seat or 0, 2_000),)


async def test_a_time_bank_is_not_used_up_by_an_outage() -> None:
    """First the clock gets its time again; only when that is over the bank is used."""
    room = Room()
    await room.open(replace(CONFIG, time_banks=1, time_bank_ms=20_000))
    await playing(room)
    outage(room, after=3_000, ms=20_000)
    await room.expire()
    assert isinstance(last_events(room)[0], ClockRestored)
    await room.due()
    assert last_events(room) == (TimeBankUsed(room.wait.seat or 0, 0, 20_000),)


async def test_what_is_nobodys_time_goes_on_at_once(room: Room) -> None:
    """The pause before a hand is over with its deadline, outage or not."""
    await room.sit("ann", "bob")
    assert room.waits_for(WaitKind.PAUSE)
    outage(room, after=500, ms=20_000)
    assert await room.expire() is Expiry.EXPIRED
    assert room.waits_for(WaitKind.SEAT)


async def test_watchers_are_told(room: Room) -> None:
    """An update with the event, the same turn and the time that is left now; to the seat its offer too."""
    gallery = Gallery(room.store)
    gallery.room.table_id = room.table_id
    await playing(gallery.room)
    player, _ = gallery.room.offer()
    watcher = await gallery.watch(player)
    await sent(watcher)
    outage(gallery.room, after=4_000, ms=20_000)
    await gallery.room.expire()
    [update] = [update for message in await sent(watcher) for update in message.updates]
    assert update.events[0].clock_restored.ms == update.remaining_ms == update.offer.remaining_ms == 11_000
    assert update.turn_id == gallery.room.state.turn


async def test_the_state_is_what_its_events_say(room: Room) -> None:
    """Nothing in it changes: clocks are beside it. It reads back as it was."""
    await playing(room)
    after = evolve(room.state, ClockRestored(room.wait.seat or 0, 5_000))
    assert after == room.state
    assert Codec().decode(Codec().encode(after)) == room.state


@pytest.fixture
async def case(real: RealStore) -> Case:
    """The real store only."""
    return Case(real.store, None, real)


async def noted(real: RealStore, *times: int) -> None:
    """What the sweepers noted: the latest sweep, and the latest outage."""
    key = real.keys.sweep(real.keys.partition("t1"))
    await real.client.set(key, " ".join(map(str, times)))


async def turn_that_is_up(case: Case, real: RealStore) -> Known:
    """A turn whose clock of 40 ms has run out."""
    known = await made(case, sat(await new_table(case), wait_ms=40))
    await real.sleep_until(known.deadline)
    return known


async def test_the_script_spares_and_gives_back(case: Case, real: RealStore) -> None:
    """State, times and sorted set agree afterwards, and the stream has the new times."""
    known = await turn_that_is_up(case, real)
    end = sat(known, "bob", fence=Fence.TURN)
    again = sat(known, "bob", wait_ms=5_000, fence=Fence.AGAIN)
    again.state.turn = known.state.turn
    now = real.clock.now_ms()
    assert await case.store.commit(again) is Unmade.EARLY
    await noted(real, now, known.started + 15, now)
    assert await case.store.commit(end) == Spared(40, 25)
    restored = await made(case, again)
    assert restored.deadline == restored.started + 5_000
    assert await real.deadlines("t1") == {"t1:1": restored.deadline}
    assert int((await real.fields("t1"))["deadline"]) == restored.deadline
    [(_, entry)] = await real.client.xrange(real.keys.events("t1"), "3-0")
    assert int(entry[b"d"]) == restored.deadline
    assert StoredCommit.FromString(entry[b"c"]).turn == known.state.turn


@pytest.mark.parametrize("begins", [1_040, 10_000])
async def test_outages_that_the_clock_did_not_run_through(case: Case, real: RealStore, begins: int) -> None:
    """One that begins after the deadline, and one that was over before the turn began, excuse nobody."""
    known = await turn_that_is_up(case, real)
    at = known.started
    now = real.clock.now_ms()
    for window in ((at + begins, at + begins + 5_000), (at - 5_000, at)):
        await noted(real, now, *window)
        again = sat(known, "bob", fence=Fence.AGAIN)
        assert await case.store.commit(again) is Unmade.EARLY
    assert (await made(case, sat(known, "bob", fence=Fence.TURN))).version == known.version + 1


async def test_while_an_outage_goes_on_no_clock_is_ended(case: Case, real: RealStore) -> None:
    """Nobody has swept for longer than two seconds: what the clock of a turn says is not used against its
    player until a sweep has noted the outage; a wait of the table goes on, and an act is heard.
    """
    known = await turn_that_is_up(case, real)
    await noted(real, known.started - 2_000)
    await asyncio.sleep(0.4)  # behind the grace
    assert await case.store.commit(sat(known, "bob", fence=Fence.TURN)) is Unmade.EARLY
    assert await case.store.commit(sat(known, "bob", fence=Fence.AGAIN)) is Unmade.EARLY
    await noted(real, real.clock.now_ms())
    assert await case.store.commit(sat(known, "bob", fence=Fence.ACTION)) is Unmade.LATE
    await noted(real, known.started - 2_000)
    assert (await made(case, sat(known, "bob", fence=Fence.ACTION))).version == known.version + 1


async def test_the_table_itself_does_not_wait_for_the_end_of_an_outage(case: Case, real: RealStore) -> None:
    """A wait of the service is over with its deadline also while nobody sweeps."""
    known = await turn_that_is_up(case, real)
    await noted(real, known.started - 60_000)
    assert (await made(case, sat(known, "bob", fence=Fence.EXPIRY))).version == known.version + 1
