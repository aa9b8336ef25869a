"""Time banks: a clock that runs out is prolonged a few times, under the same turn, and then acts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito_core.commands import Pass
from servito_core.events import HandStarted, TurnExpired
from servito_table.adapters.codec import Codec
from servito_table.app.acting_events import TimeBankReturned, TimeBankUsed
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seat_events import Absence
from servito_table.app.state import TableState
from servito_table.messages.views import table_view
from tests.table.room import CONFIG, Room

BANKS = replace(CONFIG, time_banks=2, time_bank_ms=20_000, time_bank_hands=3)


@pytest.fixture
async def room() -> Room:
    """Two players with two time banks each, the first to speak is to act."""
    room = Room()
    await room.open(BANKS)
    await room.sit("ann", "bob")
    await room.due()
    return room


def banks(room: Room) -> list[int]:
    """What each seat has left."""
    return [own.time_banks for own in room.state.seats]


def last_events(room: Room) -> tuple[object, ...]:
    """What the latest commit told."""
    return room.store.commits[-1].events


async def test_a_clock_that_runs_out_is_prolonged_until_nothing_is_left(room: Room) -> None:
    """Twice more time for the same turn, counted from the commit; the third time the clock acts."""
    turn, seat = room.state.turn, room.wait.seat
    assert seat is not None
    for left in (1, 0):
        room.store.now = room.known.deadline + 70  # the timers are a little late, and that costs nobody time
        assert await room.expire() is Expiry.EXPIRED
        assert last_events(room) == (TimeBankUsed(seat, left, 20_000),)
        assert (room.state.turn, room.wait.seat) == (turn, seat)
        assert room.known.deadline == room.store.now + 20_000
        assert room.store.deadlines == {f"{room.table_id}:{turn}": room.known.deadline}
        assert await room.expire(turn) is Expiry.NOT_DUE
    await room.due()
    assert TurnExpired(seat) in last_events(room)
    assert room.state.turn == turn + 1


async def test_an_act_counts_in_the_time_that_was_added(room: Room) -> None:
    """It names the turn that it was offered, which is still the same."""
    player, offer = room.offer()
    turn = room.state.turn
    await room.due()
    room.store.now += 19_000
    await room.act(player, Pass(offer.seat), turn)
    assert room.state.turn == turn + 1


async def test_slow_timers_take_nothing_from_who_has_a_time_bank(room: Room) -> None:
    """His clock has not run out before the bank was used; without one he is TOO_LATE after the grace."""
    player, offer = room.offer()
    room.store.now = room.known.deadline + 5_000
    await room.act(player, Pass(offer.seat))
    player, offer = room.offer()
    for _ in range(2):
        await room.due()
    room.store.now = room.known.deadline + 301
    with pytest.raises(TableRefused) as refused:
        await room.act(player, Pass(offer.seat))
    assert refused.value.reason is TableReason.TOO_LATE


async def test_one_comes_back_with_so_many_deals(room: Room) -> None:
    """With the third deal after it was used, and only to who misses one; events alone give the state."""
    used = room.wait.seat
    assert used is not None
    await room.due()
    assert banks(room)[used] == 1
    began = room.store.commits[0].state
    while room.hand.number < 8:
        if room.state.running is None:
            await room.due()
        else:
            player, offer = room.offer()
            await room.act(player, Pass(offer.seat))
    assert banks(room) == [2, 2]
    events = [event for commit in room.store.commits for event in commit.events]
    back = next(i for i, event in enumerate(events) if isinstance(event, TimeBankReturned))
    assert events[back] == TimeBankReturned(used, 2)
    assert [e.number for e in events[:back] if isinstance(e, HandStarted)] == [1, 2, 3, 4]
    state = fold(began, events)
    state.turn = room.state.turn
    assert state == room.state


async def test_using_another_one_does_not_put_off_the_return(room: Room) -> None:
    """The deals count from the first that is missing, not from the last that was used."""
    seat = room.wait.seat
    assert seat is not None
    await room.due()
    while room.hand.number < 4:
        if room.hand.number == 3 and room.wait.seat == seat and banks(room)[seat] == 1:
            await room.due()
            assert banks(room)[seat] == 0
        elif room.state.running is None:
            await room.due()
        else:
            player, offer = room.offer()
            await room.act(player, Pass(offer.seat))
    assert banks(room)[seat] == 1


async def test_without_a_return_none_comes_back() -> None:
    """0 hands: never."""
    room = Room()
    await room.open(replace(BANKS, time_bank_hands=0))
    await room.sit("ann", "bob")
    await room.due()
    seat = room.wait.seat
    assert seat is not None
    await room.due()
    for _ in range(30):
        if room.state.running is None:
            await room.due()
        else:
            player, offer = room.offer()
            await room.act(player, Pass(offer.seat))
    assert room.hand.number > 5
    assert banks(room)[seat] == 1


async def test_a_table_without_time_banks_has_none(room: Room) -> None:
    """The default; states of before there were time banks are read so."""
    await room.open(CONFIG, "r1")
    await room.sit("ann", "bob")
    await room.due()
    assert banks(room) == [0, 0]
    await room.due()
    assert any(isinstance(event, TurnExpired) for event in last_events(room))


async def test_who_is_away_is_given_no_time() -> None:
    """His turns are short, and what he has left is there when he comes back."""
    room = Room()
    await room.open(replace(BANKS, options={"open.requirement": "none"}, away_after=1, time_banks=1))
    await room.sit("ann", "bob")
    await room.due()
    seat = room.wait.seat
    assert seat is not None
    room.store.tables[room.table_id] = replace(room.known, state=_away(room.state, seat))
    room.play.cache.drop(room.table_id)
    await room.due()
    assert banks(room)[seat] == 1
    assert any(isinstance(event, TurnExpired) for event in last_events(room))


def _away(state: TableState, seat: int) -> TableState:
    """The same with that seat away."""
    away = state.copied()
    away.seats = tuple(
        replace(own, sitting_out=Absence.AWAY) if own.seat == seat else own for own in state.seats
    )
    return away


async def test_who_has_left_is_given_no_time(room: Room) -> None:
    """Nobody waits for a player who is gone."""
    await room.open(replace(BANKS, options={"open.requirement": "none"}), "r1")
    await room.sit("ann", "bob", "cat")
    await room.due()
    seat = room.wait.seat
    player = next(own.player for own in room.state.seats if own.seat == seat)
    await room.stand(player)
    assert room.wait.seat != seat
    assert not any(isinstance(event, TimeBankUsed) for event in last_events(room))


async def test_it_is_shown_and_stored(room: Room) -> None:
    """Everybody sees what each seat has left; a state that is read back has it."""
    await room.due()
    view = table_view(room.known, None, room.store.now)
    assert sorted(seat.time_banks for seat in view.seats) == [1, 2]
    assert (view.config.time_banks, view.config.time_bank_ms, view.config.warn_ms) == (2, 20_000, 5_000)
    assert view.hand.remaining_ms == 20_000
    codec = Codec()
    assert codec.decode(codec.encode(room.state)) == room.state


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"time_banks": 21, "time_bank_ms": 1_000}, "time_banks"),
        ({"time_banks": 1}, "time_bank_ms"),
        ({"time_bank_ms": 999}, "time_bank_ms"),
        ({"time_banks": 1, "time_bank_ms": 600_001}, "time_bank_ms"),
        ({"time_bank_hands": 10_001}, "time_bank_hands"),
        ({"warn_ms": 499}, "warn_ms"),
    ],
)
async def test_settings_are_bounded(changes: dict[str, int], named: str) -> None:
    """What cannot be is named; nothing is created."""
    room = Room()
    with pytest.raises(TableRefused) as refused:
        await room.open(replace(CONFIG, **changes))  # type: ignore[arg-type]  # all of these are int
    assert refused.value.reason is TableReason.INVALID_CONFIG
    assert refused.value.message.startswith(f"{named}: ")
    assert not room.store.tables


@pytest.mark.parametrize("seed", range(6))
async def test_random_play_with_clocks_that_run_out(seed: int) -> None:
    """Legal acts and expired clocks mixed: chips stay, the banks of a seat never exceed what it may have, and
    every turn ends after at most three clocks.
    """
    room, style = Room(), random.Random(seed)
    await room.open(replace(BANKS, pause_ms=0))
    await room.sit("ann", "bob", "cat", "dan", buy_in=80)
    clocks: dict[int, int] = {}
    for _ in range(150):
        if room.known.deadline == 0:
            break
        if room.wait.seat is not None and style.random() < 0.3:
            await room.play_on(style)
        else:
            turn = room.state.turn
            clocks[turn] = clocks.get(turn, 0) + 1
            assert await room.due() is Expiry.EXPIRED
        assert room.state.chips == 320
        assert all(0 <= left <= 2 for left in banks(room))
    assert max(clocks.values()) == 3
