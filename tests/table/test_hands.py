"""Whole hands at a table: seats, turns, cards and chips, driven through the one use case."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito_core.events import HandEnded, PotAwarded
from servito_table.app.evolve import fold
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room
from tests.table.twins import Listener


async def test_two_players_and_a_pause_begin_a_hand(room: Room) -> None:
    """One player waits for others; with the second the pause before the first hand runs; its end deals the
    cards.
    """
    await room.sit("ann")
    assert (room.wait.kind, room.known.deadline) == (WaitKind.PLAYERS, 0)
    await room.sit("bob")
    assert room.wait.kind is WaitKind.PAUSE
    assert room.known.deadline == room.store.now + CONFIG.pause_ms
    await room.due()
    assert room.wait.seat is not None
    assert all(len(player.cards) == 5 for player in room.hand.players)


@pytest.mark.parametrize("seed", range(12))
async def test_random_legal_play_keeps_every_chip(seed: int) -> None:
    """Whatever legal happens, the chips on the table are the buy-ins less the cash-outs, after every
    commit.
    """
    style = random.Random(seed)
    room = Room()
    room.dealer.random.seed(seed)
    await room.open(replace(CONFIG, pause_ms=0))
    await room.sit(*"abcde"[: 2 + seed % 4])
    for _ in range(150):
        if room.wait.kind is not WaitKind.SEAT:
            break
        await room.play_on(style)
    moved = 0
    for commit in room.store.commits:
        moved += sum(amount for _, amount in commit.money)
        assert commit.state.chips == moved
    assert any(
        ("hand_ended", outcome) in room.tally.counts for outcome in ("showdown", "uncontested", "passed_out")
    )
    assert not [count for count in room.tally.counts if count[0] in ("stalled", "refused")]


async def test_folding_the_events_of_all_commits_gives_the_state(room: Room) -> None:
    """The event log is complete: from an empty table it leads to the state that was stored with each
    commit.
    """
    style = random.Random(4)
    await room.sit("ann", "bob", "cat")
    for _ in range(120):
        if room.wait.kind is WaitKind.SEAT:
            await room.play_on(style)
        else:
            await room.due()
    state = room.store.commits[0].state
    for commit in room.store.commits[1:]:
        state = replace(fold(state, commit.events), turn=commit.state.turn)
        assert state == commit.state


async def test_cards_are_asked_for_after_the_commit_that_needs_them() -> None:
    """The dealer hears of nothing that is not committed, and of every entry in its order (DECISIONS.md)."""
    listener = Listener()
    room = Room(listener=listener)
    await room.open()
    await room.sit("ann", "bob")
    asked_at: list[int] = []
    entries = room.dealer.asked
    listener.on_commit = lambda: asked_at.append(len(entries))
    await room.due()
    assert asked_at == [0, 1]
    assert entries == [(f"{room.table_id}-1", 0)]


async def test_a_showdown_moves_the_chips_to_the_winners(room: Room) -> None:
    """A hand that is played out pays what was put in."""
    style = random.Random(1)
    await room.sit("ann", "bob")
    await room.due()
    while not any(
        isinstance(e, HandEnded) and e.outcome == "showdown" for e in room.store.commits[-1].events
    ):
        await (room.play_on(style) if room.wait.kind is WaitKind.SEAT else room.due())
    events = room.store.commits[-1].events
    paid = sum(event.amount for event in events if isinstance(event, PotAwarded))
    assert paid > 0
    assert sum(own.stack for own in room.state.seats) + room.state.between.carried == 200
