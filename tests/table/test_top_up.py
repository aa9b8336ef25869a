"""More chips for a seat: at once where no hand has it, after the hand where one does, within the limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_core.cards import parse_cards
from servito_core.commands import Bet, Call, Fold
from servito_core.events import HandEnded, PotAwarded
from servito_core.state import Phase
from servito_table.app.commands import CloseTable, SitOut, Stand, TopUp
from servito_table.app.commits import Answer
from servito_table.app.evolve import fold
from servito_table.app.refusals import TableReason
from servito_table.app.seat_events import ToppedUp, TopUpAsked
from servito_table.app.waits import WaitKind
from tests.table.room import Room
from tests.table.seats import EASY, dealt_in, do, finish_hand, mild, next_hand, refusal, seat, until_to_act


@pytest.fixture
async def room() -> Room:
    """A new table of hands without an opening; buy-ins are 10..200."""
    room = Room()
    await room.open(replace(EASY, options={"open.requirement": "none", "bet.limit": "none"}))
    return room


async def test_between_hands_the_chips_come_at_once(room: Room) -> None:
    """They are in front of the seat, in the journal, and played with in the next hand."""
    await room.sit("ann", "bob", buy_in=50)
    answer = await room.run(TopUp("ann", 30), room.request("ann"))
    assert answer == Answer(room.known.version, added=30)
    assert room.store.commits[-1].events == (ToppedUp(0, "ann", 30),)
    assert room.store.commits[-1].money == (("ann", 30),)
    await next_hand(room)
    assert {p.seat: p.stack + p.paid for p in room.hand.players} == {0: 80, 1: 50}
    assert room.state.chips == 130


async def test_in_a_hand_the_chips_follow_at_its_end(room: Room) -> None:
    """Nothing of the hand changes; what is noted is no chip of the table until the hand is over."""
    await room.sit("ann", "bob", buy_in=50)
    await next_hand(room)
    hand, turn, deadline = room.hand, room.state.turn, room.known.deadline
    assert (await room.run(TopUp("ann", 30), room.request("ann"))).added is None
    assert room.store.commits[-1].events == (TopUpAsked(0, 30),)
    assert room.store.commits[-1].money == ()
    assert (room.hand, room.state.turn, room.known.deadline) == (hand, turn, deadline)
    assert (room.state.chips, seat(room, "ann").top_up) == (100, 30)
    await do(room, TopUp("ann", 10))
    assert seat(room, "ann").top_up == 40
    await finish_hand(room)
    commit = next(c for c in room.store.commits if any(isinstance(e, HandEnded) for e in c.events))
    assert commit.events[-1] == ToppedUp(0, "ann", 40)
    assert commit.money == (("ann", 40),)
    assert (room.state.chips, seat(room, "ann").top_up) == (140, 0)


async def test_a_seat_that_was_not_dealt_in_gets_its_chips_at_once(room: Room) -> None:
    """Who sat down during the hand, or sits out, has nothing to do with it."""
    await room.sit("ann", "bob", "cat")
    await do(room, SitOut("cat"))
    await next_hand(room)
    assert dealt_in(room) == ["ann", "bob"]
    assert await do(room, TopUp("cat", 30)) == (ToppedUp(2, "cat", 30),)
    assert seat(room, "cat").stack == 130


async def test_the_limit_counts_what_is_there_and_what_is_noted(room: Room) -> None:
    """The refusal says what may be added; nothing is, where the stack is at the limit or above it."""
    await room.sit("ann", "bob", buy_in=150)
    for amount in (51, 0, -5, 2**62):
        told = await refusal(room, TopUp("ann", amount))
        assert told.reason is TableReason.BUY_IN_OUT_OF_LIMITS
        assert "1..50" in told.message
    await next_hand(room)
    await do(room, TopUp("ann", 40))
    behind = next(player.stack for player in room.hand.players if player.seat == 0)
    assert behind == 149
    assert "1..11" in (await refusal(room, TopUp("ann", 12))).message
    await do(room, TopUp("ann", 11))
    told = await refusal(room, TopUp("ann", 1))
    assert told.reason is TableReason.BUY_IN_OUT_OF_LIMITS
    assert "149 chips and 51 to come" in told.message


async def test_who_else_may_not(room: Room) -> None:
    """Nobody without a seat, nobody who has left, nobody at a table that closes."""
    await room.sit("ann", "bob", "cat", buy_in=50)
    assert (await refusal(room, TopUp("eve", 10))).reason is TableReason.NOT_SEATED
    await next_hand(room)
    await do(room, TopUp("ann", 10))
    await do(room, Stand("ann"))
    assert (await refusal(room, TopUp("ann", 10))).reason is TableReason.NOT_SEATED
    await do(room, CloseTable("owner"))
    assert (await refusal(room, TopUp("bob", 10))).reason is TableReason.TABLE_CLOSED


@pytest.mark.parametrize("closing", [False, True])
async def test_who_leaves_gets_nothing_put_in(room: Room, closing: bool) -> None:
    """Neither who stands nor anybody at a table that closes: their chips are those of the hand."""
    await room.sit("ann", "bob", "cat", buy_in=50)
    await next_hand(room)
    await do(room, TopUp("ann", 10))
    await do(room, CloseTable("owner") if closing else Stand("ann"))
    await finish_hand(room)
    assert room.state.seat_of("ann") is None
    moved = [amount for commit in room.store.commits for name, amount in commit.money if name == "ann"]
    assert (moved[0], len(moved)) == (50, 2)
    assert moved[1] < 0
    assert not any(isinstance(e, ToppedUp) for commit in room.store.commits for e in commit.events)


async def test_what_a_hand_won_leaves_less_room(room: Room) -> None:
    """Noted chips are cut to the limit when the hand is over, to none where the stack is above it."""
    for stack, noted, added in ((100, 100, 10), (100, 5, 5), (195, 5, 0)):
        table = Room()
        await table.open(replace(EASY, options={"open.requirement": "none", "ante": "90"}))
        await table.sit("ann", "bob", buy_in=stack)
        await next_hand(table)
        await do(table, TopUp("ann", noted))
        while table.state.running is not None:
            player, offer = table.offer()
            folds = player == "bob" and offer.can_fold
            if player == "ann" and offer.bet:
                await table.act(player, Bet(offer.seat, offer.bet[0]))
            else:
                await table.act(player, Fold(offer.seat) if folds else mild(offer))
        assert seat(table, "ann").stack == stack + 90 + added
        told = [e for commit in table.store.commits for e in commit.events if isinstance(e, ToppedUp)]
        assert told == [ToppedUp(0, "ann", added)]
        moved = sum(amount for commit in table.store.commits for _, amount in commit.money)
        assert table.state.chips == moved


async def test_a_call_is_not_dearer_for_chips_that_are_to_come(room: Room) -> None:
    """poker_bugs CC-04: with 50 behind, 120 to call and 200 noted, 50 is what the seat can call with."""
    await room.open(
        replace(EASY, options={"open.requirement": "none", "bet.limit": "none"}, max_buy_in=500), "r1"
    )
    await room.sit("ann", buy_in=51)
    await room.sit("bob", buy_in=200)
    await next_hand(room)
    offer = await until_to_act(room, "bob")
    while room.hand.phase is not Phase.SECOND_ROUND:
        await room.act("bob", mild(offer))
        offer = await until_to_act(room, "bob")
    await room.act("bob", Bet(1, 120))
    await do(room, TopUp("ann", 200))
    _, offer = room.offer()
    assert (offer.seat, offer.call, offer.raise_to) == (0, 50, None)
    await room.act("ann", Call(0))
    assert room.state.running is None
    told = room.store.commits[-1].events
    assert told[-1] == ToppedUp(0, "ann", 200)
    won = sum(
        share for e in told if isinstance(e, PotAwarded) for seat, share in e.shares.items() if seat == 0
    )
    assert seat(room, "ann").stack == won + 200
    assert room.state.chips == 451


async def test_a_seat_without_chips_buys_in_again(room: Room) -> None:
    """With the least buy-in at least; it is dealt into the next hand, and the table goes on."""
    await broke(room)
    assert room.wait.kind is WaitKind.PLAYERS
    told = await refusal(room, TopUp("ann", 9))
    assert told.reason is TableReason.BUY_IN_OUT_OF_LIMITS
    assert "10..200" in told.message
    await do(room, TopUp("ann", 10))
    await next_hand(room)
    assert dealt_in(room) == ["ann", "bob"]


async def test_too_little_for_a_new_buy_in_is_not_put_in(room: Room) -> None:
    """What was noted to add to a stack is no buy-in of a seat that the hand left without one."""
    await broke(room, noted=9)
    assert (seat(room, "ann").stack, seat(room, "ann").top_up) == (0, 0)
    assert room.store.commits[-1].events[-1] == ToppedUp(0, "ann", 0)
    assert room.store.commits[-1].money == ()


async def broke(room: Room, noted: int = 0) -> None:
    """Ann loses all that she has to Bob, having noted some chips to come."""
    await room.sit("ann", buy_in=10)
    await room.sit("bob", buy_in=20)
    speaking = [parse_cards("Ah Ad As Ks Qs"), parse_cards("9h 9d Js Kh Qd")]  # bob, then ann
    deck = [card for cards in zip(*speaking, strict=True) for card in cards]
    room.dealer.decks[f"{room.table_id}-1"] = deck
    await next_hand(room)
    if noted:
        await do(room, TopUp("ann", noted))
    await until_to_act(room, "bob")
    await room.act("bob", Bet(1, 9))
    await room.act("ann", Call(0))
    await finish_hand(room)
    assert room.state.running is None


async def test_events_alone_give_the_state(room: Room) -> None:
    """Folding what was told from the empty table on gives what was stored."""
    await room.sit("ann", "bob", buy_in=50)
    await do(room, TopUp("ann", 5))
    await next_hand(room)
    await do(room, TopUp("ann", 6))
    await finish_hand(room)
    state = room.store.commits[0].state
    for commit in room.store.commits[1:]:
        state = replace(fold(state, commit.events), turn=commit.state.turn)
        assert state == commit.state
