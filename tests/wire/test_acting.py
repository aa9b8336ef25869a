"""Time banks and pre-actions as they are stored and shown: they come back, and what is hidden stays so."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.codec import Codec
from servito_table.adapters.schema import FIRST
from servito_table.adapters.telling import told_from_bytes, told_to_bytes
from servito_table.app.acting_events import (
    ActingEvent,
    ClockRestored,
    PreAction,
    PreActionEnd,
    PreActionEnded,
    PreActionEvent,
    PreActionKind,
    PreActionSet,
    TimeBankReturned,
    TimeBankUsed,
)
from servito_table.app.config import rules_of
from servito_table.app.state import Seated, TableState
from servito_table.app.told import Told
from servito_table.messages.acting import ACTING_FIELDS
from servito_table.messages.own_events import PRIVATE
from servito_table.messages.views import SHARED, event_view
from tests.table.room import CONFIG

WANTED = (
    PreAction(7, 1, PreActionKind.CHECK_OR_FOLD),
    PreAction(2**40, 2, PreActionKind.CALL, 2**41),
)
EVENTS: list[ActingEvent] = [
    TimeBankUsed(3, 0, 600_000),
    TimeBankReturned(0, 20),
    ClockRestored(9, 600_000),
    *(PreActionSet(4, wanted) for wanted in WANTED),
    *(PreActionEnded(4, reason) for reason in PreActionEnd),
]


def test_every_event_is_tried() -> None:
    """The list above leaves none out, and the words are those of the proto."""
    assert {type(event) for event in EVENTS} == set(get_args(ActingEvent))
    for envelope in (pb.TableEvent, store.StoredEvent):
        assert set(envelope.DESCRIPTOR.fields_by_name) >= ACTING_FIELDS
    ends = {name.removeprefix("PRE_ACTION_END_") for name, number in pb.PreActionEnd.items() if number}
    assert ends == set(PreActionEnd.__members__)
    kinds = {name.removeprefix("PRE_ACTION_KIND_") for name, number in pb.PreActionKind.items() if number}
    assert kinds == set(PreActionKind.__members__)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_come_back(event: ActingEvent) -> None:
    """Stored in a commit and read again."""
    told = Told(7, 3, None, 1, (event,))
    assert told_from_bytes(told_to_bytes(told)) == told


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_pre_actions_are_shown_to_their_own_seat_alone(event: ActingEvent) -> None:
    """Nobody else gets a message at all; what everybody sees is written once for all."""
    private = isinstance(event, PreActionEvent)
    assert (type(event) in PRIVATE) is private
    assert (type(event) in SHARED) is not private
    own = event_view(event, event.seat, "t1")
    assert own is not None
    for viewer in (None, event.seat + 1):
        assert event_view(event, viewer, "t1") == (None if private else own)


@pytest.mark.parametrize("wanted", [None, *WANTED])
def test_a_seat_comes_back(wanted: PreAction | None) -> None:
    """With its time banks, the deals that count, and what it wants."""
    seat = Seated(3, "anna", 40, time_banks=2, bank_hands=5, pre_action=wanted)
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG), (seat,))
    codec = Codec()
    assert codec.decode(codec.encode(state)) == state
    state.seats = (replace(seat, time_banks=1),)
    assert codec.decode(codec.encode(state)) == state


def test_a_seat_of_before_has_none() -> None:
    """What an older release stored knows neither time banks nor pre-actions."""
    seat = Seated(3, "anna", 40)
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG), (seat,))
    stored = store.StoredTable.FromString(Codec(FIRST).encode(state))
    fields = {field.name for field, _ in stored.seats[0].ListFields()}
    assert fields.isdisjoint({"time_banks", "bank_hands", "pre_action"})
    assert Codec().decode(stored.SerializeToString()).seats == (seat,)
