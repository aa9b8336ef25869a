"""Waiting for a seat of a full table: who is offered one, for how long, and what everybody else is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_table.app.commands import (
    CloseTable,
    JoinWaitingList,
    LeaveWaitingList,
    Sit,
    SitOut,
    Stand,
    TableCommand,
)
from servito_table.app.commits import Answer
from servito_table.app.events import PlayerSat, PlayerStood
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason
from servito_table.app.seat_events import SeatOffered, Unlisted, WaitingJoined, WaitingLeft
from servito_table.app.state import Waiter
from servito_table.app.waiting_list import WAITERS
from servito_table.app.waits import WaitKind
from tests.table.room import Room
from tests.table.seats import EASY, do, finish_hand, next_hand, refusal

TWO = replace(EASY, seats=2)


@pytest.fixture
async def room() -> Room:
    """A full table: Ann and Bob sit at its two seats."""
    room = Room()
    await room.open(TWO)
    await room.sit("ann", "bob")
    return room


async def join(room: Room, *players: str) -> None:
    """Let them wait, in this order."""
    for player in players:
        await do(room, JoinWaitingList(player))


async def why(room: Room, command: TableCommand) -> TableReason:
    """Why it is refused."""
    return (await refusal(room, command)).reason


def waiting(room: Room) -> tuple[Waiter, ...]:
    """The list."""
    return room.state.waiting


def offers(room: Room) -> dict[str, int]:
    """The waits of offers, and how long they last from now."""
    return {name: ends - room.store.now for name, ends in room.known.waits.items() if name[0] == "o"}


async def test_a_free_seat_is_offered_to_the_first(room: Room) -> None:
    """With the commit that frees it; he takes it by sitting down, and is no longer in the list."""
    answer = await room.run(JoinWaitingList("cat"), room.request("cat"))
    assert answer == Answer(room.known.version, place=1)
    assert room.store.commits[-1].events == (WaitingJoined("cat"),)
    await join(room, "dan")
    assert await do(room, Stand("ann")) == (PlayerStood(0, "ann", 100), SeatOffered(0, "cat", 30_000))
    assert waiting(room) == (Waiter("cat", 0), Waiter("dan"))
    assert offers(room) == {"o0": 30_000}
    assert await do(room, Sit("cat", None, 50)) == (PlayerSat(0, "cat", 50),)
    assert (waiting(room), offers(room)) == ((Waiter("dan"),), {})


async def test_nobody_else_gets_a_seat_that_is_held(room: Room) -> None:
    """Not by naming it, not by naming none, not who is second in the list; but whom it is held for may
    name it.
    """
    await join(room, "cat", "dan")
    await do(room, Stand("ann"))
    assert await why(room, Sit("eve", 0, 50)) is TableReason.SEAT_RESERVED
    assert await why(room, Sit("dan", 0, 50)) is TableReason.SEAT_RESERVED
    assert await why(room, Sit("ann", None, 50)) is TableReason.TABLE_FULL
    assert await why(room, Sit("dan", None, 50)) is TableReason.TABLE_FULL
    assert await why(room, Sit("eve", 1, 50)) is TableReason.SEAT_TAKEN
    assert await why(room, Sit("cat", None, 1_000)) is TableReason.BUY_IN_OUT_OF_LIMITS
    await do(room, Sit("cat", 0, 50))


async def test_an_offer_that_is_not_taken_goes_to_the_next(room: Room) -> None:
    """He is dropped; the next has the whole time again; once nobody waits the seat is anybody's."""
    await join(room, "cat", "dan")
    await do(room, Stand("ann"))
    room.store.now += 29_999
    assert await room.expire("o0") is Expiry.NOT_DUE
    room.store.now += 1
    assert await room.expire("o0") is Expiry.EXPIRED
    told = room.store.commits[-1].events
    assert told == (WaitingLeft("cat", Unlisted.LAPSED), SeatOffered(0, "dan", 30_000))
    assert offers(room) == {"o0": 30_000}
    room.store.now += 30_000
    assert await room.expire("o0") is Expiry.EXPIRED
    assert (waiting(room), offers(room)) == ((), {})
    assert await room.expire("o0") is Expiry.STALE
    await do(room, Sit("eve", 0, 50))


async def test_who_waits_no_longer_gives_the_offer_on(room: Room) -> None:
    """Whether one was made to him or not."""
    await join(room, "cat", "dan", "eve")
    await do(room, Stand("ann"))
    await do(room, LeaveWaitingList("dan"))
    assert waiting(room) == (Waiter("cat", 0), Waiter("eve"))
    room.store.now += 10_000
    told = await do(room, LeaveWaitingList("cat"))
    assert told == (WaitingLeft("cat", Unlisted.LEFT), SeatOffered(0, "eve", 30_000))
    assert offers(room) == {"o0": 30_000}
    assert await do(room, LeaveWaitingList("eve")) == (WaitingLeft("eve", Unlisted.LEFT),)
    assert offers(room) == {}


async def test_what_is_refused(room: Room) -> None:
    """Each reason, with nothing changed by it."""
    assert await why(room, LeaveWaitingList("cat")) is TableReason.NOT_WAITING
    assert await why(room, JoinWaitingList("ann")) is TableReason.ALREADY_SEATED
    await join(room, "cat")
    told = await refusal(room, JoinWaitingList("cat"))
    assert (told.reason, "place is 1" in told.message) == (TableReason.ALREADY_WAITING, True)
    await do(room, Stand("bob"))
    await do(room, Sit("cat", None, 50))
    await do(room, Stand("cat"))
    told = await refusal(room, JoinWaitingList("dan"))
    assert (told.reason, "seat 1" in told.message) == (TableReason.SEAT_FREE, True)
    await do(room, CloseTable("owner"))
    assert await why(room, JoinWaitingList("dan")) is TableReason.TABLE_CLOSED


async def test_the_list_is_bounded(room: Room) -> None:
    """It is written with every commit; one more than it holds is told so."""
    await join(room, *(f"p{number}" for number in range(WAITERS)))
    told = await refusal(room, JoinWaitingList("late"))
    assert (told.reason, str(WAITERS) in told.message) == (TableReason.TABLE_FULL, True)


async def test_two_seats_that_get_free_at_once(room: Room) -> None:
    """Both players leave in a hand, and two who wait are offered a seat each when it is over."""
    await room.open(replace(TWO, seats=3), "r1")
    await room.sit("ann", "bob", "cat")
    await join(room, "dan", "eve", "fay")
    await next_hand(room)
    for player in ("ann", "bob"):
        await do(room, Stand(player))
        assert not offers(room) or room.state.running is None
    assert room.state.running is None
    assert waiting(room) == (Waiter("dan", 0), Waiter("eve", 1), Waiter("fay"))
    assert offers(room) == {"o0": 30_000, "o1": 30_000}
    await do(room, Sit("eve", None, 50))
    assert room.state.seat_of("eve").seat == 1  # type: ignore[union-attr]  # she has just sat down
    room.store.now += 30_000
    await room.expire("o0")
    assert waiting(room) == (Waiter("fay", 0),)


async def test_a_seat_that_leaves_is_free_when_its_hand_is_over(room: Room) -> None:
    """Until then its chips are in the hand and nobody is offered it; the player himself may not wait."""
    await room.open(replace(TWO, seats=3), "r1")
    await room.sit("ann", "bob", "cat")
    await join(room, "dan")
    await next_hand(room)
    await do(room, Stand("ann"))
    assert offers(room) == {}
    assert await why(room, JoinWaitingList("ann")) is TableReason.ALREADY_SEATED
    await finish_hand(room)
    assert waiting(room) == (Waiter("dan", 0),)


async def test_removal_makes_room_for_who_waits(room: Room) -> None:
    """A seat that is idle for too long goes to the first in the list with the same commit."""
    await join(room, "cat")
    await do(room, SitOut("bob"))
    room.store.now += 900_000
    await room.expire("r1")
    assert room.store.commits[-1].events[-1] == SeatOffered(1, "cat", 30_000)


async def test_closing_ends_the_list(room: Room) -> None:
    """Who waits is told, nobody is offered what gets free, and no wait is left behind."""
    await join(room, "cat", "dan")
    await next_hand(room)
    told = await do(room, CloseTable("owner"))
    assert told[:2] == (WaitingLeft("cat", Unlisted.CLOSED), WaitingLeft("dan", Unlisted.CLOSED))
    await finish_hand(room)
    assert (waiting(room), room.known.waits) == ((), {})
    assert not any(isinstance(e, SeatOffered) for commit in room.store.commits for e in commit.events)


async def test_waiting_disturbs_nobody(room: Room) -> None:
    """Turn and deadline of a hand stay as they are, whoever comes, goes or is offered what."""
    await room.open(replace(TWO, seats=3), "r1")
    await room.sit("ann", "bob", "cat")
    await next_hand(room)
    turn, deadline = room.state.turn, room.known.deadline
    await join(room, "dan", "eve")
    await do(room, LeaveWaitingList("dan"))
    assert (room.state.turn, room.known.deadline, room.wait.kind) == (turn, deadline, WaitKind.SEAT)


async def test_a_repeated_request_joins_once(room: Room) -> None:
    """The same request again gets the same place, also when the list has moved on."""
    await join(room, "cat")
    request = room.request("dan")
    first = await room.run(JoinWaitingList("dan"), request)
    await do(room, LeaveWaitingList("cat"))
    assert await room.run(JoinWaitingList("dan"), request) == first
    assert first.place == 2
    assert waiting(room) == (Waiter("dan"),)


async def test_events_alone_give_the_state(room: Room) -> None:
    """Folding what was told from the empty table on gives what was stored."""
    await join(room, "cat", "dan")
    await do(room, Stand("ann"))
    room.store.now += 30_000
    await room.expire("o0")
    await do(room, Sit("dan", None, 50))
    await do(room, CloseTable("owner"))
    state = room.store.commits[0].state
    for commit in room.store.commits[1:]:
        state = replace(fold(state, commit.events), turn=commit.state.turn)
        assert state == commit.state
