"""Who stands up and comes back has the time banks that he would have, had he stayed."""

from __future__ import annotations

from dataclasses import replace

from servito_table.adapters.codec import Codec
from servito_table.adapters.schema import FIRST, NEWEST
from servito_table.app.commands import Sit
from servito_table.app.events import PlayerSat, PlayerStood, Stood
from servito_table.app.evolve import evolve
from servito_table.app.seating import sit
from servito_table.app.state import BanksLeft, TableState, deals_of
from servito_table.app.time_bank import REMEMBERED
from servito_table.app.told import Told
from tests.table.room import Room
from tests.table.test_time_bank import BANKS


async def used_up(room: Room) -> str:
    """Lets the first to speak use both of his, and fold by the clock; who he was."""
    player, _ = room.offer()
    for _ in range(3):
        await room.due()
    await until_over(room)
    return player


async def until_over(room: Room) -> None:
    """The hand that runs ends by the clock."""
    number = deals_of(room.state)
    while room.state.running is not None and deals_of(room.state) == number:
        await room.due()


def left_of(room: Room, player: str) -> tuple[int, int]:
    """What a player who sits there has, and the deals towards the next one."""
    own = room.state.seat_of(player)
    assert own is not None
    return own.time_banks, own.bank_hands


async def test_who_stands_up_and_sits_down_again_has_what_he_had() -> None:
    """However often; who sits down for the first time has all. The event tells it to those who look."""
    room = Room()
    await room.open(replace(BANKS, time_bank_hands=0))
    await room.sit("ann", "bob", "cat")
    await room.due()
    player = await used_up(room)
    others = {own.player: own.time_banks for own in room.state.seats if own.player != player}
    for _ in range(3):
        await room.stand(player)
        await until_over(room)
        assert room.state.seat_of(player) is None
        assert [left.player for left in room.state.banks_left] == [player]
        await room.sit(player)
        [sat] = [event for event in room.store.commits[-1].events if isinstance(event, PlayerSat)]
        assert (sat.time_banks, left_of(room, player)) == (0, (0, 0))
        assert room.state.banks_left == ()
    await room.sit("dan")
    [sat] = [event for event in room.store.commits[-1].events if isinstance(event, PlayerSat)]
    assert (sat.time_banks, left_of(room, "dan")) == (None, (2, 0))
    assert {own.player: own.time_banks for own in room.state.seats if own.player in others} == others


async def stood_up(banks: int, hands: int, at: int, now: int, every: int = 3) -> TableState:
    """A table that has dealt `now` hands, of which ann stood up after `at`."""
    room = Room()
    await room.open(replace(BANKS, time_bank_hands=every))
    await room.sit("bob", "cat")
    await room.due()
    state = room.state.copied()
    state.seats, state.hand = (), replace(room.hand, number=now)
    state.banks_left = (BanksLeft("ann", banks, hands, at),)
    return state


async def test_meanwhile_they_come_back_as_if_he_had_been_dealt_in() -> None:
    """One for every three deals, those before he stood up included; then nothing is remembered."""
    found = []
    for now in (4, 5, 6, 8, 9, 40):
        state = await stood_up(0, 1, 4, now)
        [sat] = sit(state, Sit("ann", 0, 50))
        after = evolve(state, sat)
        [own] = after.seats
        found.append((now, own.time_banks, own.bank_hands))
        assert after.banks_left == ()
    assert found == [(4, 0, 1), (5, 0, 2), (6, 1, 0), (8, 1, 2), (9, 2, 0), (40, 2, 0)]


async def test_only_so_many_are_remembered() -> None:
    """The earliest is forgotten; who had all of them when he stood up is not noted."""
    state = await stood_up(0, 0, 0, 0, every=0)
    for number in range(REMEMBERED + 1):
        for event in (PlayerSat(0, f"p{number}", 50, 1), PlayerStood(0, f"p{number}", 50, Stood.LEFT)):
            state = evolve(state, event)
    assert [left.player for left in state.banks_left] == [f"p{number + 1}" for number in range(REMEMBERED)]
    for event in (PlayerSat(0, "full", 50), PlayerStood(0, "full", 50, Stood.LEFT)):
        state = evolve(state, event)
    assert len(state.banks_left) == REMEMBERED
    assert "full" not in [left.player for left in state.banks_left]


async def test_what_is_remembered_is_stored_but_in_the_first_form() -> None:
    """There nobody is known to have fewer, and the event has nothing that its release does not know."""
    state = await stood_up(1, 2, 0, 0)
    for schema in (FIRST, NEWEST):
        codec = Codec(schema)
        read = codec.decode(codec.encode(state))
        assert read.banks_left == (() if schema == FIRST else state.banks_left)
        [told] = codec.read_told(codec.told(Told(2, 0, None, 0, (PlayerSat(0, "ann", 50, 1),)))).events
        assert told == PlayerSat(0, "ann", 50, None if schema == FIRST else 1)
