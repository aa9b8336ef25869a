"""Seats that nobody plays on: how long they may be held, and that they are given back with their chips."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_core.commands import Fold
from servito_table.app.commands import AnswerProposal, ProposeRules, SitIn, SitOut, Stand, TopUp
from servito_table.app.events import Lapse, PlayerStood, RulesLapsed, Stood
from servito_table.app.expiry import Expiry
from servito_table.app.waits import WaitKind
from tests.table.room import Room
from tests.table.seats import EASY, do, finish_hand, mild, next_hand, seat, until_to_act


@pytest.fixture
async def room() -> Room:
    """A new table of hands without an opening."""
    room = Room()
    await room.open(EASY)
    return room


def removals(room: Room) -> dict[str, int]:
    """The waits of idle seats, and how long they last from now."""
    waits = room.known.waits
    return {name: ends - room.store.now for name, ends in waits.items() if name.startswith("r")}


async def test_who_sits_out_for_too_long_stands_by_himself() -> None:
    """poker_bugs MH-05: at a table where no hand is played, so no count of hands would ever remove him."""
    room = Room()
    await room.open(replace(EASY, seats=2))
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    assert room.waits_for(WaitKind.PLAYERS)
    assert removals(room) == {"r0": 900_000}
    room.store.now += 899_999
    assert await room.expire("r0") is Expiry.NOT_DUE
    room.store.now += 1
    assert await room.expire("r0") is Expiry.EXPIRED
    assert room.store.commits[-1].events == (PlayerStood(0, "ann", 100, Stood.REMOVED),)
    assert room.store.commits[-1].money == (("ann", -100),)
    assert (room.state.seat_of("ann"), room.state.chips, removals(room)) == (None, 100, {})
    assert await room.expire("r0") is Expiry.STALE
    await room.sit("ann")
    assert room.waits_for(WaitKind.PAUSE)


async def test_who_comes_back_in_time_stays(room: Room) -> None:
    """Being dealt in ends the wait; sitting out again begins it anew."""
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    room.store.now += 600_000
    await do(room, SitIn("ann"))
    await next_hand(room)
    assert removals(room) == {}
    assert await room.expire("r0") is Expiry.STALE
    await do(room, SitOut("ann"))
    await finish_hand(room)
    assert removals(room) == {"r0": 900_000}


async def test_sitting_in_and_out_again_gains_no_time(room: Room) -> None:
    """Or a seat could be held for ever by who is never dealt in."""
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    for _ in range(3):
        room.store.now += 250_000
        await do(room, SitIn("ann"))
        await do(room, SitOut("ann"))
    assert removals(room) == {"r0": 150_000}
    room.store.now += 150_000
    assert await room.expire("r0") is Expiry.EXPIRED
    assert room.state.seat_of("ann") is None


async def test_who_is_back_when_the_time_is_over_stays(room: Room) -> None:
    """Nothing happens to him, also where no hand begins; his next absence has its full time."""
    await room.sit("ann")
    await do(room, SitOut("ann"))
    await do(room, SitIn("ann"))
    room.store.now += 900_000
    assert await room.expire("r0") is Expiry.EXPIRED
    assert room.store.commits[-1].events == ()
    assert (removals(room), room.state.chips) == ({}, 100)
    await do(room, SitOut("ann"))
    assert removals(room) == {"r0": 900_000}


async def test_the_time_of_a_seat_is_that_of_its_player(room: Room) -> None:
    """Whoever takes the seat next owes nothing of it."""
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    await do(room, Stand("ann"))
    await room.sit("cat")
    assert (room.state.seats[0].player, removals(room)) == ("cat", {})


async def test_a_seat_in_a_hand_is_not_idle(room: Room) -> None:
    """Who sits out in the middle of a hand has his time from its end on, folded or not."""
    await room.sit("ann", "bob", "cat")
    await next_hand(room)
    await do(room, SitOut("ann"))
    assert removals(room) == {}
    await finish_hand(room)
    assert removals(room) == {"r0": 900_000}


async def test_who_is_away_goes_in_the_end(room: Room) -> None:
    """Nobody has to do anything about a player whose connection is gone for good."""
    await room.sit("ann", "bob", "cat")
    for _ in range(2):
        await until_to_act(room, "ann")
        await room.due()
    while room.state.running is not None:
        player, offer = room.offer()
        await (room.due() if player == "ann" else room.act(player, mild(offer)))
    room.store.now += 900_000
    assert await room.expire("r0") is Expiry.EXPIRED
    assert room.state.seat_of("ann") is None
    assert [own.player for own in room.state.seats] == ["bob", "cat"]


@pytest.mark.parametrize("buys_in", [False, True])
async def test_a_seat_without_chips_is_idle(buys_in: bool) -> None:
    """Nobody keeps a seat for ever by not buying in again; whoever buys in stays."""
    room = Room()
    await room.open(replace(EASY, options={"open.requirement": "none", "ante": "10"}))
    await room.sit("ann", "bob", buy_in=10)
    await next_hand(room)
    await finish_hand(room)
    assert room.waits_for(WaitKind.PLAYERS)
    broke = next(own for own in room.state.seats if not own.stack)
    assert removals(room) == {f"r{broke.seat}": 900_000}
    room.store.now += 500_000
    if buys_in:
        await do(room, TopUp(broke.player, 10))
        assert room.wait.kind is WaitKind.PAUSE
        await next_hand(room)
        assert removals(room) == {}
        return
    await do(room, SitOut(broke.player))
    assert removals(room) == {f"r{broke.seat}": 400_000}, "it was idle before"
    room.store.now += 400_000
    assert await room.expire(f"r{broke.seat}") is Expiry.EXPIRED
    assert room.store.commits[-1].money == ()
    assert room.state.chips == 20


async def test_a_seat_that_is_short_of_the_ante_is_idle_where_it_is_not_dealt_in() -> None:
    """Under ante.short it watches until it adds chips; a change of rules may end that, or bring it about."""
    room = Room()
    await room.open(replace(EASY, options={"ante": "50", "ante.short": "sit_out", "bet.min": "1"}))
    await room.sit("ann", "bob", buy_in=60)
    await room.sit("cat", buy_in=10)
    assert removals(room) == {"r2": 900_000}
    number = (await room.run(ProposeRules("ann", {"ante": "5"}), room.request("ann"))).proposal
    assert number == 1
    for player in ("bob", "cat"):
        await do(room, AnswerProposal(player, number, True))
    await room.due()
    assert removals(room) == {}


async def test_removing_somebody_lapses_an_open_proposal(room: Room) -> None:
    """As leaving by himself does: he was asked."""
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    room.store.now += 880_000
    await do(room, ProposeRules("bob", {"ante": "2"}))
    room.store.now += 20_000
    await room.expire("r0")
    assert room.store.commits[-1].events[0] == RulesLapsed(1, Lapse.LEFT)
    assert not [name for name in room.known.waits if name.startswith("p")]


async def test_removal_happens_once_however_often_it_is_named(room: Room) -> None:
    """By several processes, and in the middle of a hand of the others: turn and deadline stay."""
    await room.sit("ann", "bob", "cat")
    await do(room, SitOut("ann"))
    await next_hand(room)
    room.store.now += 900_000
    room.store.deadlines[f"{room.table_id}:{room.state.turn}"] += 900_000
    turn, version = room.state.turn, room.known.version
    results = [await process.expire("r0") for process in (room, room.other(), room.other())]
    assert results == [Expiry.EXPIRED, Expiry.STALE, Expiry.STALE]
    assert (room.state.turn, room.known.version) == (turn, version + 1)
    assert room.waits_for(WaitKind.SEAT)


async def test_a_table_of_before_gets_its_waits(room: Room) -> None:
    """A seat that was broke before there were such waits has its time from the next change of seats on."""
    await room.sit("ann", "bob")
    await do(room, SitOut("ann"))
    room.store.tables[room.table_id].waits = {}
    room.play.cache.drop(room.table_id)
    await room.sit("cat")
    assert removals(room) == {"r0": 900_000}


async def test_the_last_opponent_is_removed_between_hands(room: Room) -> None:
    """The one who is left has his chips and waits for others; the button goes on from where it was."""
    await room.sit("ann", "bob", "cat")
    await next_hand(room)
    first = room.hand.button
    while room.state.running is not None:
        player, offer = room.offer()
        await room.act(player, Fold(offer.seat) if offer.can_fold else mild(offer))
    for player in ("ann", "bob"):
        await do(room, SitOut(player))
    room.store.now += 900_000
    for name in ("r0", "r1"):
        assert await room.expire(name) is Expiry.EXPIRED
    assert room.waits_for(WaitKind.PLAYERS)
    await room.sit("dan")
    await next_hand(room)
    assert room.hand.button != first
    assert seat(room, "dan").seat == 0


async def test_nothing_but_the_timers_removes_anybody(room: Room) -> None:
    """A member that names a seat which is taken and plays is stale, one of no seat too."""
    await room.sit("ann", "bob")
    await next_hand(room)
    for name in ("r0", "r5", "r99"):
        room.store.deadlines[f"{room.table_id}:{name}"] = 1
        assert await room.expire(name) is Expiry.STALE
    assert len(room.state.seats) == 2
