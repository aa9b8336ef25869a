"""An update is made once for all who see the same, and everybody is told what is meant for him."""

from __future__ import annotations

import random
from dataclasses import replace

from servito.table.v1 import table_pb2 as pb
from servito_core.events import CardsDealt, CardsDrawn, Discarded
from servito_table.app.acting_events import PreActionEnd, PreActionEnded
from servito_table.app.commits import Known
from servito_table.app.events import TableEvent
from servito_table.messages.update import Update
from servito_table.messages.views import event_view
from tests.table.room import CONFIG, Room
from tests.table.twins import Listener

SEATS = 4


async def heard(acts: int) -> list[tuple[Known, tuple[TableEvent, ...]]]:
    """The commits of random play of four."""
    listener, style = Listener(), random.Random(8)
    room = Room(listener=listener)
    await room.open(replace(CONFIG, pause_ms=0))
    await room.sit("ann", "bob", "cat", "dan")
    for _ in range(acts):
        await room.play_on(style)
    return listener.told


def told(update: Update, seat: int | None) -> pb.TableUpdate:
    """What is sent to that seat."""
    [found] = pb.WatchResponse.FromString(update.message(seat, "t1", 0)).updates
    return found


async def test_each_seat_is_told_what_it_may_see() -> None:
    """Of every commit, whoever asked before: event by event what the gate gives to it, and the offer to the
    seat to act alone.
    """
    style = random.Random(4)
    for known, made in await heard(200):
        ended = PreActionEnded(style.randrange(SEATS), PreActionEnd.DROPPED)
        events = (*made, ended) if style.random() < 0.3 else made
        update = Update.of(known, events)
        for seat in style.sample((None, *range(SEATS)), SEATS + 1):
            seen = told(update, seat)
            expected = [event_view(event, seat, "t1") for event in events]
            assert list(seen.events) == [event for event in expected if event is not None]
            assert seen.HasField("offer") is (seat is not None and seat == update.told.to_act)
            assert (seen.version, seen.turn_id) == (known.version, known.state.turn)


async def test_a_draw_is_written_for_its_seat_and_once_for_all_others() -> None:
    """The same bytes, not only equal ones; those of a deal are everybody's own."""
    met: set[type] = set()
    for known, events in await heard(120):
        kinds, update = {type(event) for event in events}, Update.of(known, events)
        if kinds & {Discarded, CardsDrawn} and CardsDealt not in kinds:
            own: set[int | None] = {
                event.seat for event in events if isinstance(event, Discarded | CardsDrawn)
            }
            own |= {update.told.to_act}
            others = [update.message(seat, "t1", 0) for seat in (None, *range(SEATS)) if seat not in own]
            assert len({id(message) for message in others}) == 1
            met |= kinds
        for dealt in events:
            if isinstance(dealt, CardsDealt):
                assert len({update.message(seat, "t1", 0) for seat in dealt.seats}) == len(dealt.seats)
                met |= kinds
    assert {Discarded, CardsDrawn, CardsDealt} <= met
