"""Sitting down, standing up, and what becomes of the chips."""

from __future__ import annotations

import random

import pytest

from servito_core.events import PlayerLeft
from servito_table.app.commands import Sit, Stand
from servito_table.app.commits import Answer
from servito_table.app.events import PlayerStood
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room


async def test_seats_and_buy_ins_have_limits(room: Room) -> None:
    """A taken seat, a seat that does not exist, too few or too many chips, a second seat: each its own
    reason.
    """
    await room.sit("ann")
    before = room.known
    for wish, reason in (
        (Sit("bob", 0, 50), TableReason.SEAT_TAKEN),
        (Sit("bob", 6, 50), TableReason.NO_SUCH_SEAT),
        (Sit("bob", 1, 9), TableReason.BUY_IN_OUT_OF_LIMITS),
        (Sit("bob", 1, 201), TableReason.BUY_IN_OUT_OF_LIMITS),
        (Sit("bob", 1, -5), TableReason.BUY_IN_OUT_OF_LIMITS),
        (Sit("ann", 1, 50), TableReason.ALREADY_SEATED),
        (Stand("bob"), TableReason.NOT_SEATED),
    ):
        with pytest.raises(TableRefused) as caught:
            await room.run(wish, room.request(wish.player))
        assert caught.value.reason is reason
    assert room.known == before


async def test_a_full_table(room: Room) -> None:
    """When all seats are taken, any seat is none."""
    await room.sit(*"abcdef")
    with pytest.raises(TableRefused) as caught:
        await room.sit("g")
    assert caught.value.reason is TableReason.TABLE_FULL


async def test_between_hands_the_chips_come_back_at_once(room: Room) -> None:
    """Standing up while no hand runs cashes out, and the journal has both ways."""
    await room.sit("ann", buy_in=70)
    assert await room.stand("ann") == Answer(3, cashed_out=70)
    assert room.state.seats == ()
    assert [commit.money for commit in room.store.commits] == [(), (("ann", 70),), (("ann", -70),)]


async def test_during_a_hand_the_chips_follow_at_its_end(room: Room) -> None:
    """Who leaves in a hand folds; the seat stays taken and its chips in play until the hand is over."""
    await room.sit("ann", "bob", "cat")
    await room.due()
    assert await room.stand("bob") == Answer(room.known.version)
    assert room.state.seats[1].leaving
    with pytest.raises(TableRefused) as caught:
        await room.stand("bob")
    assert caught.value.reason is TableReason.NOT_SEATED
    with pytest.raises(TableRefused) as caught:
        await room.sit("bob")
    assert caught.value.reason is TableReason.ALREADY_SEATED
    style = random.Random(3)
    while room.state.running is not None:
        await room.play_on(style)
    assert room.state.seat_of("bob") is None
    assert ("bob", -99) in room.store.commits[-1].money
    assert room.state.chips == 300 - 99


async def test_who_folded_waits_for_the_end_as_well(room: Room) -> None:
    """The chips of a seat that was dealt in belong to the hand, folded or not: it is marked and nothing
    else.
    """
    style = random.Random(11)
    await room.sit("ann", "bob", "cat")
    await room.due()
    while not any(player.folded for player in room.hand.players):
        await (room.play_on(style) if room.wait.kind is WaitKind.SEAT else room.due())
    folded = next(player for player in room.hand.players if player.folded)
    leaver = next(own.player for own in room.state.seats if own.seat == folded.seat)
    assert room.state.running is not None
    await room.stand(leaver)
    assert list(room.store.commits[-1].events) == [PlayerLeft(folded.seat)]
    while room.state.running is not None:
        await room.play_on(style)
    assert PlayerStood(folded.seat, leaver, folded.stack) in room.store.commits[-1].events


async def test_who_sat_down_meanwhile_leaves_at_once(room: Room) -> None:
    """A seat that was not dealt in has nothing to do with the hand."""
    await room.sit("ann", "bob")
    await room.due()
    await room.sit("cat", buy_in=30)
    assert (await room.stand("cat")).cashed_out == 30


async def test_the_last_opponent_leaves(room: Room) -> None:
    """Who is left alone wins the hand, and the table waits for players without a deadline."""
    await room.sit("ann", "bob")
    await room.due()
    await room.stand("ann")
    assert (room.wait.kind, room.known.deadline) == (WaitKind.PLAYERS, 0)
    assert [own.player for own in room.state.seats] == ["bob"]
    assert room.state.chips == 101


async def test_leaving_while_cards_are_on_their_way(room: Room) -> None:
    """The dealer was asked for the hand as it stood: the cards come in, and then the player is out of it."""
    await room.sit("ann", "bob", "cat")
    room.dealer.down = True
    await room.due()
    assert room.waits_for(WaitKind.CARDS)
    await room.stand("bob")
    room.dealer.down = False
    assert room.waits_for(WaitKind.CARDS)
    await room.due()
    assert next(player for player in room.hand.players if player.seat == 1).folded
    assert room.wait.seat != 1


async def test_a_seat_without_chips_stays_and_is_not_dealt_in(room: Room) -> None:
    """Who lost everything keeps the seat, watches, and leaves with nothing."""
    style = random.Random(5)
    await room.sit("ann", "bob", buy_in=10)
    for _ in range(400):
        if room.wait.kind is WaitKind.PLAYERS:
            break
        await (room.play_on(style) if room.wait.kind is WaitKind.SEAT else room.due())
    loser = next(own for own in room.state.seats if own.stack == 0)
    assert room.state.chips == 20
    assert (await room.stand(loser.player)).cashed_out == 0
    assert room.store.commits[-1].money == ()


async def test_the_cards_of_a_seat_are_not_those_of_the_next_player(room: Room) -> None:
    """Who takes the seat of somebody who left was not dealt into the last hand, whatever it held."""
    await room.sit("ann", "bob")
    await room.due()
    await room.stand("ann")
    assert room.state.hand_seat_of("ann") is None
    await room.sit("eve")
    assert room.state.seat_of("eve") is not None
    assert room.state.hand_seat_of("eve") is None
    assert room.state.hand_seat_of("bob") == 1
    room.store.now += CONFIG.pause_ms
    await room.expire()
    assert room.state.hand_seat_of("eve") == 0
