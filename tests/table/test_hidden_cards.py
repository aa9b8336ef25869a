"""What is shown: a player's own cards to him alone, until they are on the table."""

from __future__ import annotations

import random

from servito.table.v1 import table_pb2 as pb
from servito_core.events import CardsDealt, CardsDrawn, HandShown, HandTabled
from servito_table.app.waits import WaitKind
from servito_table.messages.views import table_view
from tests.table.gallery import Gallery, sent
from tests.table.shown import cards_in


async def test_nobody_is_told_cards_of_others_before_they_are_shown() -> None:
    """Over many hands: what each stream and each view names of a hand are own cards and cards on the
    table.
    """
    gallery, style = Gallery(), random.Random(8)
    room = gallery.room
    await room.open()
    players = ["ann", "bob", "cat", "dan"]
    await room.sit(*players, buy_in=200)
    watchers = {name: await gallery.watch(name) for name in (*players, "eve")}
    for watcher in watchers.values():
        await sent(watcher)
    own: dict[str, set[int]] = {name: set() for name in watchers}
    shown: set[int] = set()
    named = 0
    while room.wait.kind is not WaitKind.PLAYERS and room.known.version < 500:
        before = room.known.version
        await (room.due() if room.wait.seat is None else room.play_on(style))
        seats = {seated.seat: seated.player for seated in room.state.seats}
        for commit in room.store.commits[before:]:
            for event in commit.events:
                if isinstance(event, CardsDealt):
                    own, shown = {name: set() for name in watchers}, set()
                    for seat, cards in zip(event.seats, event.cards, strict=True):
                        own[seats[seat]].update(cards)
                elif isinstance(event, CardsDrawn):
                    own[seats[event.seat]].update(event.cards)
                elif isinstance(event, (HandShown, HandTabled)):
                    shown.update(event.cards)
        for name, watcher in watchers.items():
            told = {card for message in await sent(watcher) for card in cards_in(message)}
            told.update(cards_in(table_view(room.known, name, room.store.now)))
            assert told <= own[name] | shown, name
            named += len(told)
    assert named > 500
    assert not [count for count in room.tally.counts if count[0] == "stalled"]


async def test_the_next_player_on_a_seat_sees_nothing_of_the_last_one() -> None:
    """Neither the view nor the stream shows the cards of who left to who takes the seat, hand over or not."""
    gallery = Gallery()
    room = gallery.room
    await room.open()
    await room.sit("ann", "bob", "cat")
    await room.due()
    await room.stand("ann")
    await room.stand("bob")
    held = {card for player in room.hand.players for card in player.cards}
    assert held
    await room.sit("eve")
    assert room.state.seat_of("eve") is not None
    view = table_view(room.known, "eve", room.store.now)
    assert view.own_seat == 0
    assert not held.intersection(cards_in(view))
    watcher = await gallery.watch("eve", after=1)
    assert not held.intersection(card for message in await sent(watcher) for card in cards_in(message))


async def test_a_stranger_sees_the_table() -> None:
    """Stacks less what was bet, who leaves, the pot and the turn, for everybody; no offer, no cards."""
    gallery = Gallery()
    await gallery.room.open()
    await gallery.room.sit("ann", "bob", "cat")
    await gallery.room.due()
    await gallery.room.stand("bob")
    view = table_view(gallery.room.known, None, gallery.room.store.now)
    assert [(seat.player, seat.stack, seat.leaving) for seat in view.seats] == [
        ("ann", 99, False),
        ("bob", 99, True),
        ("cat", 99, False),
    ]
    assert (view.hand.pot, view.hand.turn_id, view.carried) == (3, gallery.room.state.turn, 0)
    assert view.hand.remaining_ms == 15_000
    assert not view.hand.HasField("offer")
    assert not view.HasField("own_seat")
    assert not list(cards_in(view))
    assert isinstance(view, pb.TableView)
