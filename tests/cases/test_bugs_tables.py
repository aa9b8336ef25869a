"""Faults between hands and in keeping them, replayed (BP, CC, SE and RC entries of poker_bugs.json).

At a table of the table service's own use cases, over its twins in memory.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from servito.table.v1.store_pb2 import StoredHand, StoredTable
from servito_core import commands as c
from servito_core.deals import FIRST, Entrant, NotEnoughPlayersError, after, start_hand
from servito_core.evolve import replay
from servito_core.hand import legal_actions, play
from servito_core.rules import RuleSet
from servito_core.state import HandState, Phase
from servito_table.adapters.codec import Codec
from servito_table.adapters.schema import UnreadableState
from servito_table.app.waits import WaitKind
from servito_wire.hand import hand_from_proto, hand_to_bytes
from tests.cases.bugs import options_of
from tests.core.hand.random_play import Play, apart
from tests.core.hand.rule_sets import random_rules
from tests.table.room import CONFIG, Room

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito_core.events import Event

MOST_TURNS = 500


def _text(fault: str) -> dict[str, str]:
    """The options of an entry as a table's configuration writes them."""
    return {key: str(value) for key, value in options_of(fault).items()}


async def _room(fault: str, players: str) -> Room:
    """A table with an ante of ten, the players seated with 50 each, the first hand not begun."""
    room = Room()
    await room.open(replace(CONFIG, options={**_text(fault), "ante": "10"}))
    await room.sit(*players, buy_in=50)
    return room


def _bold(hand: HandState, seat: int) -> c.Command:
    """Puts in as much as is allowed, and calls whatever others put in."""
    offer = legal_actions(hand, seat)
    assert offer is not None
    for limits, wager in ((offer.open, c.Open), (offer.raise_to, c.RaiseTo), (offer.bet, c.Bet)):
        if limits is not None:
            return wager(seat, limits[1])
    if offer.draw is not None:
        return c.Draw(seat)
    if offer.call is not None:
        return c.Call(seat)
    return c.Pass(seat) if offer.can_pass else c.Check(seat)


async def _until_somebody_is_broke(room: Room) -> tuple[str, ...]:
    """Play boldly, but c, who folds when he can, until a seat has no chips after a hand; who that is."""
    for _ in range(MOST_TURNS):
        if room.wait.kind is WaitKind.SEAT:
            player, offer = room.offer()
            await room.act(
                player,
                c.Fold(offer.seat) if player == "c" and offer.can_fold else _bold(room.hand, offer.seat),
            )
        elif broke := tuple(own.player for own in room.state.seats if not own.stack):
            return broke
        else:
            await room.due()
        assert all(own.stack >= 0 for own in room.state.seats)
    raise AssertionError("nobody went broke")


async def test_a_player_without_chips_is_not_dealt_in() -> None:
    """BP-01: one of three is broke and a fourth sits down: three hands, a pot of 30, no stack below zero."""
    room = await _room("BP-01", "abc")
    (broke,) = await _until_somebody_is_broke(room)
    before = {own.player: own.stack for own in room.state.seats}
    assert sum(before.values()) + room.state.between.carried == 150
    await room.sit("d", buy_in=50)
    carried = room.state.between.carried
    await room.due()
    dealt = {player.seat for player in room.hand.players}
    seats = {own.player: own.seat for own in room.state.seats}
    assert dealt == {seat for player, seat in seats.items() if player != broke}
    assert len(dealt) == 3
    assert room.hand.pot == 30 + carried
    assert all(player.stack >= 0 for player in room.hand.players)


async def _heads_up_to_the_end(fault: str) -> tuple[Room, str]:
    """Two play until one has everything; that one."""
    room = await _room(fault, "ab")
    (broke,) = await _until_somebody_is_broke(room)
    return room, "b" if broke == "a" else "a"


async def test_who_wins_all_in_has_all_the_chips_and_is_not_broke() -> None:
    """BP-03: the winner keeps every chip and his seat, the loser has none, and no hand begins."""
    room, winner = await _heads_up_to_the_end("BP-03")
    stacks = {own.player: own.stack for own in room.state.seats}
    assert stacks == {winner: 100, "a" if winner == "b" else "b": 0}
    assert next(own for own in room.state.seats if own.player == winner).sitting_out is None
    assert (room.wait.kind, room.known.deadline) == (WaitKind.PLAYERS, 0)


async def test_no_ante_is_taken_once_one_player_has_everything() -> None:
    """CC-01: three pauses later nothing has happened: no commit, no deadline, no chip moved."""
    room, winner = await _heads_up_to_the_end("CC-01")
    commits, known = len(room.store.commits), room.known
    assert f"{room.table_id}:{room.state.turn}" not in room.store.deadlines
    for _ in range(3):
        room.store.now += CONFIG.pause_ms
        await room.expire()
    assert (len(room.store.commits), room.known) == (commits, known)
    assert {own.stack for own in room.state.seats if own.player == winner} == {100}
    entrants = [Entrant(own.seat, own.stack) for own in room.state.seats]
    with pytest.raises(NotEnoughPlayersError):
        start_hand(room.state.rules, entrants, room.state.between, 2)


async def test_who_sits_down_in_the_middle_of_a_hand_plays_from_the_next() -> None:
    """SE-02: four draw from 32 cards, a fifth sits down: nothing changes; the next hand has 36."""
    room = Room()
    room.dealer.random.seed(3)
    await room.open(replace(CONFIG, options=_text("SE-02")))
    await room.sit(*"abcd")
    for _ in range(MOST_TURNS):
        if room.state.running is not None and room.hand.phase is Phase.DRAW:
            break
        if room.wait.kind is WaitKind.SEAT:
            player, offer = room.offer()
            await room.act(player, c.Call(offer.seat) if offer.call else _mild(room.hand, offer.seat))
        else:
            await room.due()
    player, offer = room.offer()
    held = next(own.cards for own in room.hand.players if own.seat == offer.seat)
    await room.act(player, c.Draw(offer.seat, held[:2]))
    assert room.hand.phase is Phase.DRAW
    before, deadline, number = apart(room.hand), room.known.deadline, room.hand.number
    await room.sit("e")
    assert (room.hand, room.known.deadline) == (before, deadline)
    assert (room.hand.lowest_rank, len(room.hand.players)) == (7, 4)
    while room.state.running is not None:
        player, offer = room.offer()
        assert player in "abcd"
        await room.act(player, _mild(room.hand, offer.seat))
    await room.due()
    assert room.hand.number == number + 1
    assert (room.hand.lowest_rank, len(room.hand.players)) == (6, 5)


def _mild(hand: HandState, seat: int) -> c.Command:
    """Opens for the least, checks, stands pat and calls."""
    offer = legal_actions(hand, seat)
    assert offer is not None
    if offer.open is not None:
        return c.Open(seat, offer.open[0])
    if offer.can_check:
        return c.Check(seat)
    if offer.can_pass:
        return c.Pass(seat)
    return c.Draw(seat) if offer.draw is not None else c.Call(seat)


def _restored(hand: HandState) -> HandState:
    """Written to bytes and read back, as the state server keeps it."""
    return hand_from_proto(StoredHand.FromString(hand_to_bytes(hand)), hand.rules)


@pytest.mark.parametrize("seed", range(15))
def test_a_hand_that_was_stored_goes_on_as_the_one_that_was_not(seed: int) -> None:
    """RC-05: after every event of random hands with antes, all-ins, draws and carried pots; then both go on
    alike: the same events, stacks and offers for the same commands.
    """
    rng = random.Random(seed)
    rules = RuleSet.from_options(options_of("RC-05")) if seed < 5 else random_rules(rng, 5)
    stacks, between = {seat: rng.choice((rules.ante, 20, 100)) for seat in range(5)}, FIRST
    for _ in range(4):
        entrants = [Entrant(seat, stack) for seat, stack in stacks.items() if stack]
        if len(entrants) < 2:
            break
        snapshots: list[HandState] = []
        one = Play(rules, rng, entrants, between, watch=_into(snapshots))
        ended = one.run()
        assert snapshots
        assert [_restored(hand) for hand in snapshots] == snapshots
        hand = again = replay(rules, start_hand(rules, entrants, between, len(entrants)))
        for command in one.commands:
            again = _restored(again)
            assert _offers(again) == _offers(hand)
            (events, hand), (same, again) = play(hand, command), play(again, command)
            assert events == same
        assert hand == again == ended
        stacks |= {player.seat: player.stack for player in ended.players}
        between = after(between, ended)


def _into(snapshots: list[HandState]) -> Callable[[HandState, Event | None], None]:
    return lambda hand, _: snapshots.append(apart(hand))


def _offers(hand: HandState) -> list[object]:
    return [legal_actions(hand, player.seat) for player in hand.players]


async def test_a_form_that_is_not_known_is_refused_loudly() -> None:
    """RC-05: a table stored under another schema number is not read at all."""
    room = await _room("RC-05", "ab")
    await room.due()
    assert isinstance(room.state.running, HandState)
    codec, state = Codec(), room.state
    stored = codec.encode(state)
    assert codec.decode(stored) == state
    foreign = StoredTable.FromString(stored)
    foreign.schema += 1
    with pytest.raises(UnreadableState, match="form 4 and this server reads 1 to 3"):
        codec.decode(foreign.SerializeToString())
