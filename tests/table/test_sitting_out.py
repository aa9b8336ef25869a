"""Sitting out by wish and being away: who is dealt in, whose clock is short, who is back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_core.events import TurnExpired
from servito_table.app.acting_events import PreActionKind
from servito_table.app.commands import SetPreAction, SitIn, SitOut, Stand
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason
from servito_table.app.seat_events import Absence, SatIn, SatOut, SeatPresent
from servito_table.app.state import hand_id
from servito_table.app.waits import AWAY_TURN_MS, WaitKind
from tests.table.room import Room
from tests.table.seats import EASY, dealt_in, do, finish_hand, mild, next_hand, refusal, seat, until_to_act


@pytest.fixture
async def room() -> Room:
    """A new table of hands without an opening."""
    room = Room()
    await room.open(EASY)
    return room


async def test_who_sits_out_plays_the_hand_on_and_not_the_next(room: Room) -> None:
    """The running hand is nothing to it; the one after is dealt without the seat; its turn stays too."""
    await room.sit("ann", "bob", "cat")
    await next_hand(room)
    turn, deadline = room.state.turn, room.known.deadline
    assert await do(room, SitOut("bob")) == (SatOut(1, Absence.ASKED),)
    assert (room.state.turn, room.known.deadline) == (turn, deadline)
    assert dealt_in(room) == ["ann", "bob", "cat"]
    await finish_hand(room)
    assert any(player.seat == 1 and player.paid for player in room.hand.players), "bob played it"
    await next_hand(room)
    assert dealt_in(room) == ["ann", "cat"]
    assert await do(room, SitIn("bob")) == (SatIn(1),)
    assert dealt_in(room) == ["ann", "cat"]
    await finish_hand(room)
    await next_hand(room)
    assert dealt_in(room) == ["ann", "bob", "cat"]


async def test_acting_in_the_running_hand_does_not_undo_the_wish(room: Room) -> None:
    """Who asked to sit out and plays the hand to its end still sits out after it."""
    await room.sit("ann", "bob", "cat")
    await next_hand(room)
    player, offer = room.offer()
    await do(room, SitOut(player))
    await room.act(player, mild(offer))
    assert seat(room, player).sitting_out is Absence.ASKED


async def test_who_sits_out_may_be_the_last_but_one(room: Room) -> None:
    """One player is no game: the table waits without a deadline, and goes on when somebody sits in."""
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    assert (room.wait.kind, room.known.deadline) == (WaitKind.PLAYERS, 0)
    await do(room, SitIn("ann"))
    assert room.wait.kind is WaitKind.PAUSE
    await next_hand(room)
    assert dealt_in(room) == ["ann", "bob"]


async def test_what_is_refused(room: Room) -> None:
    """Each reason, with nothing changed by it."""
    await room.sit("ann", "bob")
    assert (await refusal(room, SitOut("eve"))).reason is TableReason.NOT_SEATED
    assert (await refusal(room, SitIn("eve"))).reason is TableReason.NOT_SEATED
    assert (await refusal(room, SitIn("ann"))).reason is TableReason.NOTHING_TO_CHANGE
    await do(room, SitOut("ann"))
    assert (await refusal(room, SitOut("ann"))).reason is TableReason.NOTHING_TO_CHANGE
    await do(room, SitIn("ann"))
    await next_hand(room)
    await room.sit("cat")
    await do(room, Stand("ann"))
    assert (await refusal(room, SitOut("ann"))).reason is TableReason.NOT_SEATED


async def test_a_repeated_request_sits_out_once(room: Room) -> None:
    """The same request again is answered as before, also when the player has sat in meanwhile."""
    await room.sit("ann", "bob")
    request = room.request("ann")
    first = await room.run(SitOut("ann"), request)
    await do(room, SitIn("ann"))
    assert await room.run(SitOut("ann"), request) == first
    assert seat(room, "ann").sitting_out is None


async def test_two_expired_turns_in_a_row_are_away(room: Room) -> None:
    """The second one is told with the event; the seat is dealt into no other hand until it sits in."""
    await room.sit("ann", "bob", "cat")
    for missed in (1, 2):
        await until_to_act(room, "ann")
        await room.due()
        told = room.store.commits[-1].events
        assert told[0] == TurnExpired(0)
        assert (SatOut(0, Absence.AWAY) in told) == (missed == 2)
        assert seat(room, "ann").missed == missed
    while room.state.running is not None:
        player, offer = room.offer()
        await (room.due() if player == "ann" else room.act(player, mild(offer)))
    await next_hand(room)
    assert dealt_in(room) == ["bob", "cat"]
    assert await do(room, SitIn("ann")) == (SatIn(0),)
    assert (seat(room, "ann").missed, seat(room, "ann").sitting_out) == (0, None)


@pytest.mark.parametrize("away_after", [1, 3])
async def test_how_many_turns_is_the_tables_to_say(away_after: int) -> None:
    """A table may be stricter or milder."""
    room = Room()
    await room.open(replace(EASY, away_after=away_after))
    await room.sit("ann", "bob", "cat")
    for missed in range(1, away_after + 1):
        await until_to_act(room, "ann")
        assert seat(room, "ann").sitting_out is None
        await room.due()
        assert seat(room, "ann").missed == missed
    assert seat(room, "ann").sitting_out is Absence.AWAY


async def test_a_turn_that_was_acted_on_begins_the_count_anew(room: Room) -> None:
    """In a row means without an act in between; that the player is there again is told once."""
    await room.sit("ann", "bob", "cat")
    await until_to_act(room, "ann")
    await room.due()
    await room.act("ann", mild(await until_to_act(room, "ann")))
    assert room.store.commits[-1].events[0] == SeatPresent(0)
    await room.act("ann", mild(await until_to_act(room, "ann")))
    assert SeatPresent(0) not in room.store.commits[-1].events
    await until_to_act(room, "ann")
    await room.due()
    assert (seat(room, "ann").missed, seat(room, "ann").sitting_out) == (1, None)


async def test_who_says_beforehand_what_he_does_is_there(room: Room) -> None:
    """An expired turn counts no more once he has said how he acts at his next one."""
    await room.sit("ann", "bob", "cat")
    await until_to_act(room, "bob")
    await room.due()
    hand, turn = hand_id(room.table_id, room.hand.number), room.state.turn
    told = await do(room, SetPreAction("bob", hand, turn, PreActionKind.CHECK_OR_FOLD))
    assert told[0] == SeatPresent(1)
    assert seat(room, "bob").missed == 0
    assert room.state.turn == turn
    told = await do(room, SetPreAction("bob", hand, turn, None))
    assert SeatPresent(1) not in told


@pytest.fixture
async def hasty() -> Room:
    """Ann is away since her first turn of the hand, and her second one has come."""
    room = Room()
    await room.open(replace(EASY, away_after=1))
    await room.sit("ann", "bob", "cat")
    await until_to_act(room, "ann")
    await room.due()
    number = room.hand.number
    await until_to_act(room, "ann")
    assert (room.hand.number, seat(room, "ann").sitting_out) == (number, Absence.AWAY)
    return room


async def test_the_turns_of_who_is_away_are_short(hasty: Room) -> None:
    """Nobody waits long for who does not answer; the clock ends the turn as any other."""
    assert hasty.known.deadline == hasty.store.now + AWAY_TURN_MS
    assert await hasty.due() is Expiry.EXPIRED
    assert hasty.store.commits[-1].events[0] == TurnExpired(0)
    assert SatOut(0, Absence.AWAY) not in hasty.store.commits[-1].events, "that was told before"


async def test_sitting_in_gives_the_whole_clock_again(hasty: Room) -> None:
    """In the middle of a short turn: it is a new turn then."""
    turn = hasty.state.turn
    await do(hasty, SitIn("ann"))
    assert (hasty.state.turn, hasty.known.deadline) == (turn + 1, hasty.store.now + EASY.turn_ms)
    assert hasty.offer()[0] == "ann"


async def test_acting_brings_back_who_was_away(hasty: Room) -> None:
    """She acts within her short turn, and is dealt into the next hand."""
    _, offer = hasty.offer()
    await hasty.act("ann", mild(offer))
    assert hasty.store.commits[-1].events[0] == SatIn(0)
    assert (seat(hasty, "ann").missed, seat(hasty, "ann").sitting_out) == (0, None)
    await finish_hand(hasty)
    await next_hand(hasty)
    assert dealt_in(hasty) == ["ann", "bob", "cat"]


async def test_who_is_away_may_make_it_a_wish(hasty: Room) -> None:
    """Then the clock is the usual one again, and acting does not bring the seat back."""
    assert await do(hasty, SitOut("ann")) == (SatOut(0, Absence.ASKED),)
    assert hasty.known.deadline == hasty.store.now + EASY.turn_ms
    _, offer = hasty.offer()
    await hasty.act("ann", mild(offer))
    assert seat(hasty, "ann").sitting_out is Absence.ASKED


async def test_a_table_of_one_that_is_not_away_waits(hasty: Room) -> None:
    """Everybody else is away: no hand is dealt to a player alone."""
    for player in ("bob", "cat"):
        await do(hasty, SitOut(player))
    await hasty.due()
    while hasty.state.running is not None:
        await hasty.due()
    assert (hasty.wait.kind, hasty.known.deadline) == (WaitKind.PLAYERS, 0)


async def test_events_alone_give_the_state(hasty: Room) -> None:
    """Folding what was told from the empty table on gives what was stored, expired turns and all."""
    _, offer = hasty.offer()
    await hasty.act("ann", mild(offer))
    await do(hasty, SitOut("bob"))
    await hasty.due()
    state = hasty.store.commits[0].state
    for commit in hasty.store.commits[1:]:
        state = replace(fold(state, commit.events), turn=commit.state.turn)
        assert state == commit.state
