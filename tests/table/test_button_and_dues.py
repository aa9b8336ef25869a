"""Who comes and goes between hands: the button moves to the next who plays, and nobody plays for a carried
pot on another's account (RULES.md B1, B5).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_core.commands import Bet, Call, Fold
from servito_core.events import Outcome, ReentryPaid
from servito_table.app.commands import Sit, SitIn, SitOut, Stand
from tests.table.room import Room
from tests.table.seats import EASY, dealt_in, do, finish_hand, mild, next_hand


@pytest.fixture
async def room() -> Room:
    """A new table of hands without an opening."""
    room = Room()
    await room.open(EASY)
    return room


async def buttons(room: Room, hands: int) -> list[int]:
    """Where it is in the next so many hands."""
    found = []
    for _ in range(hands):
        await next_hand(room)
        found.append(room.hand.button)
        await finish_hand(room)
    return found


async def test_the_button_alternates_beside_a_seat_that_sits_out(room: Room) -> None:
    """poker_bugs DB-01: two play and a third sits out: the two have it by turns."""
    await room.sit("ann", "bob", "cat")
    await do(room, SitOut("cat"))
    assert await buttons(room, 4) == [0, 1, 0, 1]


async def test_the_button_does_not_wait_for_a_seat_that_sits_out(room: Room) -> None:
    """It goes past who sits out, and reaches him in his turn when he is back."""
    await room.sit("ann", "bob", "cat", "dan")
    assert await buttons(room, 1) == [0]
    await do(room, SitOut("bob"))
    assert await buttons(room, 2) == [2, 3]
    await do(room, SitIn("bob"))
    assert await buttons(room, 3) == [0, 1, 2]


async def test_a_neighbour_who_goes_does_not_shift_it(room: Room) -> None:
    """poker_bugs DB-02: button at 0, seat 1 goes: 2, then 3; to its left is who speaks first."""
    await room.sit("ann", "bob", "cat", "dan")
    await next_hand(room)
    assert room.hand.button == 0
    await do(room, Stand("bob"))
    await finish_hand(room)
    for button, first in ((2, 3), (3, 0)):
        await next_hand(room)
        assert (room.hand.button, room.wait.seat) == (button, first)
        await finish_hand(room)


async def test_who_leaves_with_the_button_takes_nothing_from_the_next(room: Room) -> None:
    """It goes on clockwise from the seat that is empty now, also if somebody else sits down there."""
    await room.sit("ann", "bob", "cat")
    assert await buttons(room, 2) == [0, 1]
    await do(room, Stand("bob"))
    await do(room, Sit("dan", 1, 100))
    assert await buttons(room, 3) == [2, 0, 1]


async def test_two_become_three_and_two_again(room: Room) -> None:
    """Nobody has it twice running among three; heads-up it goes from one to the other."""
    await room.sit("ann", "bob")
    assert await buttons(room, 3) == [0, 1, 0]
    await room.sit("cat")
    assert await buttons(room, 3) == [1, 2, 0]
    await do(room, Stand("bob"))
    assert await buttons(room, 3) == [2, 0, 2]


async def carried(reentry: str) -> Room:
    """Ann folded to a bet of five; the four others paid it, and their pot was carried over."""
    room = Room()
    options = {**EASY.options, "parola.mode": "carry_over", "parola.reentry": reentry, "bet.limit": "none"}
    await room.open(replace(EASY, options=options))
    await room.sit("ann", "bob", "cat", "dan", "eve")
    await next_hand(room)
    bet = False
    while room.state.running is not None:
        player, offer = room.offer()
        if player == "ann" and offer.can_fold:
            await room.act(player, Fold(offer.seat))
        elif offer.bet and not bet:
            bet = True
            await room.act(player, Bet(offer.seat, 5))
        else:
            await room.act(player, Call(offer.seat) if offer.call else mild(offer))
    assert (room.state.between.outcome, room.state.between.carried) == (Outcome.CARRIED_OVER, 25)
    return room


async def test_the_next_player_on_a_survivors_seat_is_no_survivor() -> None:
    """Only survivors play: who sits down where one of them sat watches until the pot is won."""
    room = await carried("only_survivors")
    await do(room, Stand("bob"))
    await do(room, Sit("zoe", 1, 100))
    await next_hand(room)
    assert dealt_in(room) == ["cat", "dan", "eve"]


async def test_a_survivor_who_sits_out_is_not_dealt_in() -> None:
    """The others play on for the pot, and he is one of those who may play when he comes back at once."""
    room = await carried("only_survivors")
    await do(room, SitOut("cat"))
    assert await started(room) == ["bob", "dan", "eve"]
    room = await carried("only_survivors")
    await do(room, SitOut("cat"))
    await do(room, SitIn("cat"))
    assert await started(room) == ["bob", "cat", "dan", "eve"]


async def test_who_sits_down_on_a_survivors_seat_pays_as_any_newcomer() -> None:
    """What each survivor put in beyond the ante; who folded pays the same, survivors nothing."""
    room = await carried("pay_difference")
    await do(room, Stand("bob"))
    await do(room, Sit("zoe", 1, 100))
    await next_hand(room)
    paid = [e for commit in room.store.commits for e in commit.events if isinstance(e, ReentryPaid)]
    assert sorted(paid, key=lambda e: e.seat) == [ReentryPaid(0, 5), ReentryPaid(1, 5)]
    assert room.hand.pot == 25 + 2 * 5 + 5


async def test_who_sits_out_pays_nothing_for_a_pot_that_he_does_not_play_for() -> None:
    """Ann folded and sits out: she is asked for nothing until she is dealt in."""
    room = await carried("pay_difference")
    await do(room, SitOut("ann"))
    assert await started(room) == ["bob", "cat", "dan", "eve"]
    assert next(own.stack for own in room.state.seats if own.player == "ann") == 99


async def started(room: Room) -> list[str]:
    """Who is dealt into the next hand."""
    await next_hand(room)
    return dealt_in(room)
