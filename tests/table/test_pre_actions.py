"""Pre-actions: done when the turn of their seat comes, in their hand and betting round, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_core.cards import parse_cards
from servito_core.commands import Bet, Call, Check, Fold, Open, Pass, RaiseTo
from servito_core.events import Called, Checked, Folded, Passed
from servito_core.state import Phase
from servito_table.adapters.codec import Codec
from servito_table.app.acting_events import (
    PreAction,
    PreActionEnd,
    PreActionEnded,
    PreActionKind,
    PreActionSet,
)
from servito_table.app.commands import SetPreAction
from servito_table.app.evolve import fold
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import hand_id
from servito_table.app.waits import WaitKind
from servito_table.messages.views import table_view
from tests.table.gallery import Gallery, sent
from tests.table.room import CONFIG, Room

FREE = replace(CONFIG, options={"open.requirement": "none"})
FOLD, CALL = PreActionKind.CHECK_OR_FOLD, PreActionKind.CALL
PLAYERS = ("ann", "bob", "cat")


async def started(room: Room) -> Room:
    """Three players; the first hand waits for seat 1, then 2, then 0."""
    await room.open(FREE, "free")
    await room.sit(*PLAYERS)
    await room.due()
    assert room.wait.seat == 1
    return room


@pytest.fixture
async def room() -> Room:
    """See `started`."""
    return await started(Room())


def wish(room: Room, player: str, kind: PreActionKind | None, amount: int = 0) -> SetPreAction:
    """What a player wants now."""
    return SetPreAction(player, hand_id(room.table_id, room.hand.number), room.state.turn, kind, amount)


async def want(room: Room, player: str, kind: PreActionKind | None, amount: int = 0) -> None:
    """Set or take back a pre-action."""
    await room.run(wish(room, player, kind, amount), room.request(player))


def wants(room: Room) -> dict[str, PreActionKind]:
    """What the seats want."""
    return {own.player: own.pre_action.kind for own in room.state.seats if own.pre_action is not None}


def last_events(room: Room) -> tuple[object, ...]:
    """What the latest commit told."""
    return room.store.commits[-1].events


async def refusal(room: Room, command: SetPreAction) -> TableReason:
    """Why a wish is refused; nothing is changed by it."""
    before = room.known
    with pytest.raises(TableRefused) as refused:
        await room.run(command, room.request(command.player))
    assert room.known is before
    return refused.value.reason


async def test_a_pre_action_is_done_in_the_commit_that_brings_its_turn(room: Room) -> None:
    """Two seats have said what they do; the act of the third is one commit with both, and one turn on."""
    await want(room, "cat", FOLD)
    await want(room, "ann", FOLD)
    turn = room.state.turn
    await room.act("bob", Bet(1, 2))
    assert last_events(room)[1:] == (
        PreActionEnded(2, PreActionEnd.DONE),
        Folded(2),
        PreActionEnded(0, PreActionEnd.DONE),
        Folded(0),
        *last_events(room)[5:],
    )
    assert room.state.running is None
    assert (room.state.turn, wants(room)) == (turn + 1, {})


async def test_check_or_fold_checks_where_that_is_free(room: Room) -> None:
    """Nobody has bet: the seat checks, and the next one is asked."""
    await want(room, "cat", FOLD)
    await room.act("bob", Check(1))
    assert last_events(room)[1:] == (PreActionEnded(2, PreActionEnd.DONE), Checked(2, ""))
    assert room.wait.seat == 0


async def test_before_the_opening_it_passes() -> None:
    """A pass costs nothing; after an opening it folds."""
    room = Room()
    await room.open()
    await room.sit(*PLAYERS)
    await room.due()
    await want(room, "cat", FOLD)
    await room.act("bob", Pass(1))
    assert Passed(2) in last_events(room)


async def test_a_call_is_of_exactly_the_amount(room: Room) -> None:
    """It is done when it still costs that when the turn comes."""
    await room.act("bob", Bet(1, 2))
    await want(room, "ann", CALL, 2)
    await room.act("cat", Call(2))
    assert PreActionEnded(0, PreActionEnd.DONE) in last_events(room)
    assert Called(0, 2, 2) in last_events(room)
    assert room.hand.phase is Phase.DRAW


async def test_a_raise_drops_a_call_at_once(room: Room) -> None:
    """The player learns of it with the raise, and acts himself when his turn comes."""
    await room.act("bob", Bet(1, 2))
    await want(room, "ann", CALL, 2)
    await room.act("cat", RaiseTo(2, 5))
    assert last_events(room)[1:] == (PreActionEnded(0, PreActionEnd.DROPPED),)
    assert (room.wait.seat, wants(room)) == (0, {})


async def test_a_raise_drops_it_before_the_turn_comes() -> None:
    """Somebody else is to act first: the player can choose anew meanwhile."""
    room = Room()
    await room.open(FREE, "r1")
    await room.sit(*PLAYERS, "dan")
    await room.due()
    await room.act("bob", Bet(1, 2))
    await want(room, "ann", CALL, 2)
    await room.act("cat", RaiseTo(2, 5))
    assert last_events(room)[1:] == (PreActionEnded(0, PreActionEnd.DROPPED),)
    assert room.wait.seat == 3
    await want(room, "ann", CALL, 5)


async def test_a_call_of_the_rest_costs_the_rest_whatever_is_raised() -> None:
    """What a short stack adds stays the same amount, so it stays what was wanted."""
    room = Room()
    await room.open(replace(FREE, options={**FREE.options, "bet.limit": "none"}), "r1")
    await room.sit("ann", buy_in=10)
    await room.sit("bob", "cat")
    await room.due()
    await room.act("bob", Bet(1, 20))
    await want(room, "ann", CALL, 9)
    await room.act("cat", RaiseTo(2, 50))
    assert last_events(room)[1:] == (PreActionEnded(0, PreActionEnd.DONE), Called(0, 9, 9))


async def test_nothing_is_carried_into_another_betting_round(room: Room) -> None:
    """The round ends before the turn comes: the pre-action is over with it."""
    for player, seat in (("bob", 1), ("cat", 2)):
        await room.act(player, Check(seat))
    await want(room, "bob", FOLD)
    await want(room, "cat", FOLD)
    await room.act("ann", Check(0))
    assert PreActionEnded(1, PreActionEnd.OVER) in last_events(room)
    assert PreActionEnded(2, PreActionEnd.OVER) in last_events(room)
    assert (wants(room), room.hand.phase) == ({}, Phase.DRAW)


async def test_nothing_is_carried_into_another_hand(room: Room) -> None:
    """The hand is over by the folds of the others: the next one begins without any intent."""
    await room.act("bob", Bet(1, 2))
    await want(room, "bob", FOLD)
    await room.act("cat", Fold(2))
    await room.act("ann", Fold(0))
    assert PreActionEnded(1, PreActionEnd.OVER) in last_events(room)
    assert wants(room) == {}
    await room.due()
    assert (room.hand.number, wants(room)) == (2, {})


async def test_a_state_with_an_intent_of_another_hand_does_nothing(room: Room) -> None:
    """Even if it were there: hand and round are looked at again when the turn comes."""
    await want(room, "cat", FOLD)
    for stale in (PreAction(7, 1, FOLD), PreAction(1, 2, FOLD)):
        held = room.known
        seats = tuple(
            replace(own, pre_action=stale) if own.player == "cat" else own for own in held.state.seats
        )
        state = held.state.copied()
        state.seats = seats
        room.store.tables[room.table_id] = replace(held, state=state)
        room.play.cache.drop(room.table_id)
        await room.act("bob", Check(1))
        assert PreActionEnded(2, PreActionEnd.OVER) in last_events(room)
        assert (room.wait.seat, wants(room)) == (2, {})
        room.store.tables[room.table_id] = replace(held, version=room.known.version)
        room.play.cache.drop(room.table_id)


async def test_it_can_be_replaced_and_taken_back(room: Room) -> None:
    """The last word counts; taking back does not depend on the turn."""
    await room.act("bob", Bet(1, 2))
    await want(room, "ann", FOLD)
    await want(room, "ann", CALL, 2)
    assert last_events(room) == (PreActionSet(0, PreAction(1, 1, CALL, 2)),)
    late = replace(wish(room, "ann", None), turn=room.state.turn - 1)
    await room.run(late, room.request("ann"))
    assert last_events(room) == (PreActionEnded(0, PreActionEnd.TAKEN_BACK),)
    await room.act("cat", Call(2))
    assert room.wait.seat == 0


async def test_turn_and_clock_of_the_seat_to_act_stay(room: Room) -> None:
    """What others want is nothing to it."""
    turn, deadline = room.state.turn, room.known.deadline
    room.store.now += 5_000
    await want(room, "ann", FOLD)
    assert (room.state.turn, room.known.deadline) == (turn, deadline)
    assert room.waits_for(WaitKind.SEAT)


async def test_a_clock_that_runs_out_lets_the_next_ones_act(room: Room) -> None:
    """Whatever brings the turn: also the timers, and a player who leaves."""
    await want(room, "cat", FOLD)
    await room.due()
    assert PreActionEnded(2, PreActionEnd.DONE) in last_events(room)
    await want(room, "bob", FOLD)
    await room.stand("ann")
    assert PreActionEnded(1, PreActionEnd.OVER) in last_events(room)


async def test_who_leaves_wants_nothing_any_more(room: Room) -> None:
    """His pre-action goes with his hand."""
    await want(room, "ann", FOLD)
    await room.stand("ann")
    assert PreActionEnded(0, PreActionEnd.OVER) in last_events(room)
    assert wants(room) == {}


async def test_what_is_refused(room: Room) -> None:
    """Each reason; nothing is changed by it."""
    cases = [
        (TableReason.NOT_SEATED, wish(room, "eve", FOLD)),
        (TableReason.STALE_TURN, replace(wish(room, "ann", FOLD), turn=room.state.turn + 1)),
        (TableReason.STALE_TURN, replace(wish(room, "ann", FOLD), hand=hand_id(room.table_id, 2))),
        (TableReason.ACTION_NOT_AVAILABLE, wish(room, "bob", FOLD)),
        (TableReason.ACTION_NOT_AVAILABLE, wish(room, "ann", CALL, 1)),
        (TableReason.NOTHING_TO_CHANGE, wish(room, "ann", None)),
    ]
    for reason, command in cases:
        assert await refusal(room, command) is reason
    await room.act("bob", Bet(1, 2))
    assert await refusal(room, wish(room, "ann", CALL, 1)) is TableReason.BELOW_MINIMUM
    assert await refusal(room, wish(room, "ann", CALL, 3)) is TableReason.ABOVE_MAXIMUM
    await want(room, "ann", CALL, 2)
    assert await refusal(room, wish(room, "ann", CALL, 2)) is TableReason.NOTHING_TO_CHANGE
    await room.act("cat", Fold(2))
    assert await refusal(room, wish(room, "cat", FOLD)) is TableReason.NOT_IN_HAND


async def test_only_in_betting_rounds_and_with_chips() -> None:
    """Not while cards are changed, and not for who is all in."""
    room = Room()
    await room.open(FREE, "free")
    await room.sit("ann", buy_in=10)
    await room.sit("bob", "cat")
    await room.due()
    await room.act("bob", Bet(1, 3))
    await room.act("cat", RaiseTo(2, 9))
    await room.act("ann", Call(0))
    assert await refusal(room, wish(room, "ann", FOLD)) is TableReason.ACTION_NOT_AVAILABLE
    await room.act("bob", Call(1))
    assert room.hand.phase is Phase.DRAW
    assert await refusal(room, wish(room, "cat", FOLD)) is TableReason.ACTION_NOT_AVAILABLE


async def test_only_the_player_himself_is_shown_it() -> None:
    """The others see a version pass, with nothing in it; the view and the stored state keep it."""
    gallery = Gallery()
    room = await started(gallery.room)
    own, other, nobody = [await gallery.watch(name) for name in ("ann", "bob", None)]
    for watcher in (own, other, nobody):
        await sent(watcher)
    await want(room, "ann", FOLD)
    told = [[u for m in await sent(watcher) for u in m.updates] for watcher in (own, other, nobody)]
    assert [[len(update.events) for update in updates] for updates in told] == [[1], [0], [0]]
    assert told[0][0].events[0].pre_action_set.seat == 0
    for update in told[1] + told[2]:
        assert (update.turn_id, update.to_act) == (room.state.turn, 1)
    views = [table_view(room.known, name, room.store.now) for name in ("ann", "bob", "eve", None)]
    assert [view.hand.own.HasField("pre_action") for view in views] == [True, False, False, False]
    codec = Codec()
    assert codec.decode(codec.encode(room.state)) == room.state


async def test_events_alone_give_the_state(room: Room) -> None:
    """Folding what was told gives what was stored."""
    began = room.store.commits[0].state
    await want(room, "cat", FOLD)
    await want(room, "ann", FOLD)
    await room.act("bob", Check(1))
    await room.due()
    events = [event for commit in room.store.commits for event in commit.events]
    state = fold(began, events)
    state.turn = room.state.turn
    assert state == room.state


async def test_an_opener_who_is_obliged_is_asked_himself() -> None:
    """Where neither pass nor fold is legal nothing is done for the seat: it is dropped at its turn."""
    room = Room()
    await room.open(replace(CONFIG, options={"open.obliged": "true"}), "r1")
    await room.sit(*PLAYERS)
    hands = ("8s 9h Td Jc Ks", "As Ah Ad Kc Kh", "8h 9d Tc Qs Kd")
    order = [card for cards in zip(*map(parse_cards, hands), strict=True) for card in cards]
    room.dealer.decks[f"{room.table_id}-1"] = order
    await room.due()
    await want(room, "cat", FOLD)
    await room.act("bob", Pass(1))
    assert PreActionEnded(2, PreActionEnd.DROPPED) in last_events(room)
    assert room.wait.seat == 2
    await room.act("cat", Open(2, 1))
