"""Random play with everything that players may do about their seats: chips are kept, waits are right, nothing
is stuck, and who follows the events sees what the table is.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import get_args

import pytest

from servito_client.following import Following
from servito_client.messages import event_of
from servito_core.commands import DeclineBlind
from servito_table.adapters.codec import Codec
from servito_table.adapters.telling import told_from_bytes, told_to_bytes
from servito_table.app.commands import (
    JoinWaitingList,
    LeaveWaitingList,
    Sit,
    SitIn,
    SitOut,
    Stand,
    TableCommand,
    TopUp,
)
from servito_table.app.commits import Commit
from servito_table.app.evolve import fold
from servito_table.app.refusals import TableRefused
from servito_table.app.seat_events import SeatsEvent
from servito_table.app.seating import free_seats
from servito_table.app.sitting_out import is_idle
from servito_table.app.state import TableConfig
from servito_table.app.told import told_by
from servito_table.app.waits import WaitKind, entrants
from servito_table.messages.views import event_view, table_view
from tests.table.room import CONFIG, Room, legal

PLAYERS = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")
STEPS = 250
TABLES = (
    replace(CONFIG, seats=3, sit_out_ms=60_000),
    replace(CONFIG, seats=4, pause_ms=0, away_after=1, sit_out_ms=20_000, preset="classico"),
    replace(
        CONFIG,
        seats=3,
        options={
            "ante": "8",
            "ante.short": "sit_out",
            "parola.mode": "carry_over",
            "parola.reentry": "pay_difference",
        },
    ),
    replace(CONFIG, seats=2, options={"open.requirement": "none", "ante": "10"}, seat_offer_ms=5_000),
)


@dataclass
class Play:
    """One table and a generator that says what happens."""

    room: Room
    rng: random.Random

    @property
    def wishes(self) -> list[Callable[[str], TableCommand]]:
        """What a player may want, in reason or not."""
        rng = self.rng
        return [
            lambda player: Sit(player, rng.choice([None, None, *range(5)]), rng.randint(5, 210)),
            lambda player: Sit(player, None, rng.randint(10, 40)),
            Stand,
            SitOut,
            SitIn,
            SitIn,
            lambda player: TopUp(player, rng.randint(-1, 150)),
            JoinWaitingList,
            JoinWaitingList,
            LeaveWaitingList,
        ]

    async def step(self) -> None:
        """A wish, an act, the clock, or one of the waits beside the turn: due or not."""
        room, rng = self.room, self.rng
        chance = rng.random()
        if chance < 0.45 and room.waits_for(WaitKind.SEAT) and room.store.now <= room.known.deadline:
            player, offer = room.offer()
            blind = offer.can_decline
            await room.act(player, DeclineBlind(offer.seat) if blind else legal(offer, rng, room.hand))
        elif chance < 0.6 and room.known.deadline:
            room.store.now = max(room.store.now, room.known.deadline)
            await room.expire()
        elif chance < 0.7 and room.known.waits:
            name = rng.choice(sorted(room.known.waits))
            if rng.random() < 0.5:
                room.store.now = max(room.store.now, room.known.waits[name])
            await room.expire(name)
        else:
            await self.wish()

    async def wish(self) -> None:
        """A refused one changes nothing."""
        player = self.rng.choice(PLAYERS)
        before = self.room.known
        try:
            await self.room.run(self.rng.choice(self.wishes)(player), self.room.request(player))
        except TableRefused:
            assert self.room.known is before


def check(room: Room) -> None:
    """What holds after every commit."""
    state, known = room.state, room.known
    moved = sum(amount for commit in room.store.commits for _, amount in commit.money)
    assert state.chips == moved
    assert all(own.stack >= 0 and own.top_up >= 0 for own in state.seats)
    assert all(own.top_up == 0 or state.in_hand(own.seat) is not None for own in state.seats)
    idle = {f"r{own.seat}" for own in state.seats if is_idle(state, own)}
    held = {f"o{waiter.seat}" for waiter in state.waiting if waiter.seat is not None}
    not_dealt_in = {f"r{own.seat}" for own in state.seats if state.in_hand(own.seat) is None}
    assert idle | held <= set(known.waits) <= not_dealt_in | held
    turn = {f"{state.id}:{state.turn}"} if known.deadline else set()
    assert set(room.store.deadlines) == turn | {f"{state.id}:{name}" for name in known.waits}
    assert not free_seats(state) or all(waiter.seat is not None for waiter in state.waiting)
    assert len({waiter.player for waiter in state.waiting}) == len(state.waiting)
    assert not {own.player for own in state.seats} & {waiter.player for waiter in state.waiting}
    goes_on = known.deadline > 0
    assert goes_on == (room.wait.kind is not WaitKind.PLAYERS)
    if state.running is None and state.rules.ante_short == "all_in":
        assert goes_on == (len(entrants(state)) >= 2)


def follow(commits: list[Commit], room: Room) -> None:
    """Events alone give state, stored form and what a spectator is shown."""
    state, codec = commits[0].state, Codec()
    following = Following(view=table_view(replace(room.known, state=state, version=1), None, 0))
    for commit in commits[1:]:
        state = replace(fold(state, commit.events), turn=commit.state.turn)
        assert state == commit.state
        assert codec.decode(codec.encode(state)) == state
        told = told_by(commit.version, state, commit.events)
        assert told_from_bytes(told_to_bytes(told)) == told
        for event in commit.events:
            if (seen := event_view(event, None, state.id)) is not None:
                happened = event_of(seen)
                assert happened is not None
                following.event(happened)
        shown = table_view(replace(room.known, state=state), None, 0)
        for view in (shown, following.view):
            for waiter in view.waiting:
                waiter.remaining_ms = 0
        assert list(following.view.seats) == list(shown.seats)
        assert list(following.view.waiting) == list(shown.waiting)
        assert following.view.carried == shown.carried


async def play(config: TableConfig, seed: int) -> Room:
    """Two hundred and fifty things happen; then everybody is gone for good, and the clock goes on alone."""
    room = Room()
    room.dealer.random.seed(seed)
    await room.open(config)
    table = Play(room, random.Random(seed))
    for _ in range(STEPS):
        await table.step()
        check(room)
    for _ in range(400):
        if not room.store.deadlines:
            break
        member, due = min(room.store.deadlines.items(), key=lambda one: one[1])
        room.store.now = max(room.store.now, due)
        await room.expire(member.split(":")[1])
        check(room)
    return room


@pytest.mark.parametrize("config", TABLES, ids=range(len(TABLES)))
async def test_whatever_players_do_about_their_seats(config: TableConfig) -> None:
    """Every chip is where it belongs after each step; in the end nobody holds a seat that he does not play
    on, and no hand is left unfinished.
    """
    told: set[str] = set()
    for seed in range(8):
        room = await play(config, seed)
        told |= {type(event).__name__ for commit in room.store.commits for event in commit.events}
        # Whoever is left waits alone for others, as he may.
        assert len(room.state.seats) <= 1
        assert all(own.sitting_out is None and own.stack for own in room.state.seats)
        assert (room.state.running, room.state.waiting) == (None, ())
        follow(room.store.commits, room)
    seats = {event.__name__ for event in get_args(SeatsEvent)}
    if config.away_after == 1:  # the first turn that expires is the last one before being away
        seats -= {"SeatPresent"}
    assert seats | {"HandEnded", "PlayerLeft", "TurnExpired"} <= told
