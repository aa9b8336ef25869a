"""Turns: who may act, in which turn, and that a refusal says why and changes nothing."""

from __future__ import annotations

import pytest

from servito_core.cards import Card, parse_cards
from servito_core.commands import Call, Check, Draw, Fold, Open, Pass
from servito_table.app.commands import Act
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room

HANDS = ("Jd Jh 8s 9c Ts", "Qs Kc 8d 9h Ad", "Qd Ks 8c 9s Ac")
"""In speaking order: one pair of jacks to open with, and two hands that may not open."""


@pytest.fixture
async def dealt() -> Room:
    """Three players, cards dealt, the first to speak may open."""
    room = Room()
    await room.open()
    await room.sit("ann", "bob", "cat")
    order = [card for cards in zip(*map(parse_cards, HANDS), strict=True) for card in cards]
    room.dealer.decks[f"{room.table_id}-1"] = order
    await room.due()
    return room


async def refused(room: Room, reason: TableReason, call: object) -> TableRefused:
    """Await `call`, which must be refused for `reason` and leave the table as it is."""
    before = room.known
    with pytest.raises(TableRefused) as caught:
        await call  # type: ignore[misc]  # a coroutine of the caller's
    assert caught.value.reason is reason, caught.value.message
    assert room.known == before
    return caught.value


def actor(room: Room) -> tuple[str, int]:
    """The player to act and his seat."""
    own = next(own for own in room.state.seats if own.seat == room.wait.seat)
    return own.player, own.seat


async def test_out_of_turn(dealt: Room) -> None:
    """Another seat's turn: NOT_YOUR_TURN, even with the right turn id."""
    _, seat = actor(dealt)
    other = next(own for own in dealt.state.seats if own.seat != seat)
    await refused(dealt, TableReason.NOT_YOUR_TURN, dealt.act(other.player, Pass(other.seat)))


async def test_a_turn_that_is_over(dealt: Room) -> None:
    """The turn id of an earlier or a later turn: STALE_TURN."""
    player, seat = actor(dealt)
    for turn in (dealt.state.turn - 1, dealt.state.turn + 1, 0):
        await refused(dealt, TableReason.STALE_TURN, dealt.act(player, Pass(seat), turn))


async def test_amounts_outside_the_range(dealt: Room) -> None:
    """Below the least, above the greatest, no amount: each its own reason, naming the version."""
    player, seat = actor(dealt)
    for to, reason in (
        (0, TableReason.BELOW_MINIMUM),
        (4, TableReason.ABOVE_MAXIMUM),
        (None, TableReason.MALFORMED),
        (-1, TableReason.MALFORMED),
    ):
        told = await refused(dealt, reason, dealt.act(player, Open(seat, to)))
        assert told.version == dealt.known.version


async def test_an_action_that_is_not_offered(dealt: Room) -> None:
    """To check before the opening, to call nothing, to draw too early: ACTION_NOT_AVAILABLE."""
    player, seat = actor(dealt)
    for command in (Check(seat), Call(seat), Fold(seat), Draw(seat)):
        await refused(dealt, TableReason.ACTION_NOT_AVAILABLE, dealt.act(player, command))


async def test_opening_without_openers(dealt: Room) -> None:
    """Who does not hold the opening may not open: OPENERS_REQUIRED."""
    player, seat = actor(dealt)
    await dealt.act(player, Pass(seat))
    player, seat = actor(dealt)
    await refused(dealt, TableReason.OPENERS_REQUIRED, dealt.act(player, Open(seat, 1)))


async def test_discards(dealt: Room) -> None:
    """Five cards, a card that is not held, a card twice: each its own reason."""
    await _to_the_draw(dealt)
    player, seat = actor(dealt)
    cards = next(p.cards for p in dealt.hand.players if p.seat == seat)
    foreign = next(p.cards[0] for p in dealt.hand.players if p.seat != seat)
    for discards, reason in (
        (cards, TableReason.TOO_MANY_DISCARDS),
        ((cards[0], foreign), TableReason.CARD_NOT_HELD),
        ((cards[0], cards[0]), TableReason.DUPLICATE_CARD),
        ((Card(52),), TableReason.MALFORMED),
    ):
        await refused(dealt, reason, dealt.act(player, Draw(seat, discards)))


async def test_without_a_seat_or_a_hand(room: Room) -> None:
    """A stranger: NOT_SEATED. Before the hand: HAND_NOT_RUNNING. Who sat down during it: NOT_IN_HAND."""
    await room.sit("ann", "bob")
    await refused(room, TableReason.NOT_SEATED, room.act("zoe", Pass(0)))
    await refused(room, TableReason.HAND_NOT_RUNNING, room.act("ann", Pass(0)))
    await room.due()
    await room.sit("cat")
    await refused(room, TableReason.NOT_IN_HAND, room.act("cat", Pass(2)))


async def test_an_unknown_table(room: Room) -> None:
    """UNKNOWN_TABLE, and nothing comes into being."""
    with pytest.raises(TableRefused) as caught:
        await room.play.run("nowhere", Act("ann", 1, "pass", Pass))
    assert caught.value.reason is TableReason.UNKNOWN_TABLE
    assert set(room.store.tables) == {room.table_id}


async def test_too_late(dealt: Room) -> None:
    """After the deadline and a short grace for what was on its way the turn is not the player's any more."""
    player, seat = actor(dealt)
    dealt.store.now = dealt.known.deadline + 301
    await refused(dealt, TableReason.TOO_LATE, dealt.act(player, Pass(seat)))
    dealt.store.now -= 1
    await dealt.act(player, Pass(seat))
    assert actor(dealt)[0] != player


async def test_every_accepted_action_makes_a_new_turn(dealt: Room) -> None:
    """The next seat gets a new turn with a full clock of its own."""
    player, seat = actor(dealt)
    before = dealt.known
    dealt.store.now += 5_000
    await dealt.act(player, Pass(seat))
    assert dealt.state.turn == before.state.turn + 1
    assert dealt.known.deadline == dealt.store.now + CONFIG.turn_ms


async def test_others_come_and_go_without_touching_the_turn(dealt: Room) -> None:
    """Sitting down and standing up during a hand leaves turn and deadline of the seat to act as they are."""
    player, seat = actor(dealt)
    before = dealt.known
    dealt.store.now += 5_000
    await dealt.sit("dan")
    await dealt.stand("dan")
    await dealt.stand(next(own.player for own in dealt.state.seats if own.seat != seat))
    assert (dealt.state.turn, dealt.known.deadline) == (before.state.turn, before.deadline)
    assert dealt.known.version == before.version + 3
    await dealt.act(player, Pass(seat), before.state.turn)


async def _to_the_draw(room: Room) -> None:
    player, seat = actor(room)
    await room.act(player, Open(seat, 1))
    while room.wait.kind is WaitKind.SEAT and room.offer()[1].draw is None:
        player, seat = actor(room)
        await room.act(player, Call(seat))
