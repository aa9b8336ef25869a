"""Deadlines: each turn is ended once, never early, and a table that nobody drives is brought back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from servito_core.commands import Open, Pass
from servito_core.events import Passed, TurnExpired
from servito_table.app.expiry import Expiry
from servito_table.app.waits import RESUME_MS, WaitKind
from tests.table.room import CONFIG, Room


async def test_an_expired_turn_is_passed(room: Room) -> None:
    """The clock of a seat that does not answer runs out: it passes, and the next seat has a turn."""
    await room.sit("ann", "bob")
    await room.due()
    seat = room.offer()[1].seat
    assert await room.due() is Expiry.EXPIRED
    assert room.store.commits[-1].events[:2] == (TurnExpired(seat), Passed(seat))
    assert ("expired", "0") in room.tally.counts


async def test_a_turn_is_not_ended_early(room: Room) -> None:
    """A millisecond before the deadline nothing happens."""
    await room.sit("ann", "bob")
    await room.due()
    before = room.known
    room.store.now = before.deadline - 1
    assert await room.expire() is Expiry.NOT_DUE
    assert room.known == before


async def test_a_wait_for_players_has_no_end(room: Room) -> None:
    """A table that waits for players is never due, not even in its current turn."""
    await room.sit("ann")
    before = room.known
    room.store.now += 10**9
    assert await room.expire() is Expiry.NOT_DUE
    assert room.known == before


async def test_a_turn_is_ended_once(room: Room) -> None:
    """However often and by how many processes a turn is named, it ends once."""
    await room.sit("ann", "bob")
    await room.due()
    turn, version = room.state.turn, room.known.version
    room.store.now = room.known.deadline
    processes = (room, room.other(), room.other())
    results = await asyncio.gather(*(process.expire(turn) for process in processes for _ in range(3)))
    assert sorted(results) == [Expiry.EXPIRED] + [Expiry.STALE] * 8
    assert room.known.version == version + 1


async def test_player_and_clock_cannot_both_win(room: Room) -> None:
    """Whoever commits first has the turn; the other one is told so."""
    await room.sit("ann", "bob")
    await room.due()
    player, offer = room.offer()
    turn = room.state.turn
    room.store.now = room.known.deadline
    await room.act(player, Pass(offer.seat))
    assert await room.other().expire(turn) is Expiry.STALE


async def test_members_of_the_past_are_dropped(room: Room) -> None:
    """A turn that is over, of a table that may not even exist, is stale; the current one is not dropped."""
    await room.sit("ann", "bob")
    room.store.deadlines[f"{room.table_id}:0"] = 1
    assert await room.expire(0) is Expiry.STALE
    assert set(room.store.deadlines) == {f"{room.table_id}:{room.state.turn}"}
    room.table_id, held = "nowhere", room.table_id
    assert await room.expire(7) is Expiry.STALE
    room.table_id = held


async def test_a_dealer_that_comes_back(room: Room) -> None:
    """While the dealer is away the hand waits; the deadline of the wait asks again, and the hand goes on."""
    await room.sit("ann", "bob")
    room.dealer.down = True
    await room.due()
    assert room.waits_for(WaitKind.CARDS)
    assert room.known.deadline == room.store.now + RESUME_MS
    assert await room.due() is Expiry.FAILED
    room.dealer.down = False
    assert await room.due() is Expiry.EXPIRED
    assert room.waits_for(WaitKind.SEAT)
    assert room.dealer.asked == [(f"{room.table_id}-1", 0)] * 3


async def test_a_process_that_dies_before_the_cards(room: Room) -> None:
    """The first of two commits was the last thing that a process did: another one brings the same cards."""
    await room.sit("ann", "bob")
    room.store.now = room.known.deadline
    room.dealer.down = True  # the first process gets no further
    await room.expire()
    room.dealer.down = False
    other = room.other()
    assert await other.due() is Expiry.EXPIRED
    dealt = {player.seat: player.cards for player in other.hand.players}
    assert room.dealer.records[f"{room.table_id}-1"].answers[0][1].cards.hands[0].cards in dealt.values()  # type: ignore[union-attr]  # entry 0 is a deal


async def test_a_hand_that_can_never_get_cards_is_void(room: Room) -> None:
    """The dealer knows nothing of the hand any more: every stake goes back, and the next hand is dealt."""
    await room.sit("ann", "bob")
    room.dealer.lost = True
    await room.due()
    assert room.store.commits[-1].state.hand.outcome == "void"  # type: ignore[union-attr]  # there is one
    assert [own.stack for own in room.state.seats] == [100, 100]
    room.dealer.lost = False
    await room.due()
    assert room.waits_for(WaitKind.SEAT)


async def test_a_hand_that_can_never_be_judged_is_void(room: Room) -> None:
    """The evaluator refuses the question for good: every stake goes back, as when the dealer does."""
    await room.sit("ann", "bob")
    room.evaluator.lost = True
    await room.due()
    assert room.store.commits[-1].state.hand.outcome == "void"  # type: ignore[union-attr]  # there is one
    assert [own.stack for own in room.state.seats] == [100, 100]
    assert any(count[0] == "stalled" and "evaluator" in count[2] for count in room.tally.counts)


async def test_an_evaluator_that_is_away_stops_nothing_for_good(room: Room) -> None:
    """Without a judgement nothing is committed; the deadline asks again."""
    await room.sit("ann", "bob")
    room.evaluator.down = True
    await room.due()
    assert room.waits_for(WaitKind.CARDS)
    room.evaluator.down = False
    assert await room.due() is Expiry.EXPIRED
    assert room.waits_for(WaitKind.SEAT)


async def test_without_a_pause_the_next_hand_begins_by_itself() -> None:
    """Pause 0: the process that ended a hand begins the next one; its deadline is only a safeguard."""
    room = Room()
    await room.open(replace(CONFIG, pause_ms=0))
    await room.sit("ann", "bob")
    assert room.waits_for(WaitKind.SEAT)
    number = room.hand.number
    while room.hand.number == number:
        player, offer = room.offer()
        await room.act(player, Pass(offer.seat) if offer.can_pass else Open(offer.seat, 1))
    assert room.waits_for(WaitKind.SEAT)
    starts = [commit for commit in room.store.commits if commit.wait_ms == RESUME_MS]
    assert len(starts) >= 2
