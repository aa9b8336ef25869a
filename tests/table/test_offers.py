"""Offers: every legal action with its range, to the seat to act alone, however the table is looked at."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_core.hand import legal_actions
from servito_table.app.waits import WaitKind
from servito_table.messages.update import snapshot
from servito_table.messages.views import table_view
from servito_wire.offers import offer_to_bytes
from tests.table.gallery import Gallery, sent
from tests.table.room import CONFIG

OPTIONS: tuple[dict[str, str], ...] = ({}, {"open.requirement": "none", "bet.limit": "none"})
NAMES = ("ann", "bob", "cat", "dan")


@pytest.mark.parametrize("options", OPTIONS, ids=["italiana", "no limit"])
async def test_the_seat_to_act_alone_is_offered_what_is_legal(options: dict[str, str]) -> None:
    """In an update, a snapshot, and a view: the same offer, of this hand and turn; nobody else has one."""
    style, gallery = random.Random(len(options)), Gallery()
    room = gallery.room
    await room.open(replace(CONFIG, options=options, pause_ms=0, away_after=100))
    await room.sit(*NAMES)
    watchers = {name: await gallery.watch(name) for name in (*NAMES, None)}
    for watcher in watchers.values():
        await sent(watcher)
    turns = 0
    while turns < 60 and room.wait.kind is WaitKind.SEAT:
        if style.random() < 0.9:
            await room.play_on(style)
        else:
            await room.due()
        told = {
            name: [u for m in await sent(watcher) for u in m.updates] for name, watcher in watchers.items()
        }
        if room.wait.kind is not WaitKind.SEAT:
            continue
        turns += 1
        player, legal = room.offer()
        assert legal == legal_actions(room.hand, legal.seat)
        left = room.known.deadline - room.store.now
        expected = pb.Offer.FromString(offer_to_bytes(legal, room.state.turn, left))
        expected.hand_id = f"{room.table_id}-{room.hand.number}"
        expected.lineage = room.known.begun
        for name in (*NAMES, None):
            seen = table_view(room.known, name, room.store.now)
            whole = pb.WatchResponse.FromString(snapshot(room.known, name, room.store.now)).snapshot
            last = told[name][-1]
            assert seen == whole
            offers = [of.offer for of in (seen.hand, last) if of.HasField("offer")]
            assert offers == ([expected] * 2 if name == player else [])
            assert not [u for u in told[name][:-1] if u.HasField("offer") and u.turn_id == room.state.turn]
            assert (last.to_act, last.turn_id, last.remaining_ms) == (legal.seat, room.state.turn, left)
    assert turns > 20
