"""A table's course in the stored form: status, stakes and the events about them come back as they were."""

from __future__ import annotations

from typing import get_args

import pytest

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.codec import Codec
from servito_table.adapters.schema import FIRST, NotYet
from servito_table.adapters.telling import told_from_bytes, told_to_bytes
from servito_table.app.config import rules_of
from servito_table.app.events import (
    CarriedReturned,
    CarriedShare,
    CourseEvent,
    Pause,
    PlayerStood,
    Stood,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
)
from servito_table.app.state import TableState
from servito_table.app.status import Status
from servito_table.app.told import Told
from servito_table.messages.course import COURSE_FIELDS
from servito_table.messages.views import event_view
from tests.table.room import CONFIG

EVENTS: list[CourseEvent] = [
    TablePaused(),
    TablePaused(Pause.MAINTENANCE),
    TableResumed(),
    TableResumed(Pause.MAINTENANCE),
    TableClosing(),
    CarriedReturned((CarriedShare("anna", 0, 2**40), CarriedShare("bruno", None, 1))),
    TableClosed(),
]


def test_every_event_is_tried() -> None:
    """The list above leaves none out, and each has a field in both envelopes."""
    assert {type(event) for event in EVENTS} == set(get_args(CourseEvent))
    for envelope in (pb.TableEvent, store.StoredEvent):
        assert set(envelope.DESCRIPTOR.fields_by_name) >= COURSE_FIELDS
    assert {name.removeprefix("TABLE_STATUS_") for name, number in pb.TableStatus.items() if number} == set(
        Status.__members__
    )


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_come_back(event: CourseEvent) -> None:
    """Stored in a commit and read again; shown to everybody alike, with the same content."""
    told = Told(7, 3, None, 1, (event,))
    assert told_from_bytes(told_to_bytes(told)) == told
    shown = event_view(event, None, "t1")
    assert shown == event_view(event, 4, "t1")
    assert shown is not None
    stored = store.StoredCommit.FromString(told_to_bytes(told)).events[0]
    kind = shown.WhichOneof("event")
    assert kind is not None
    assert getattr(shown, kind) == getattr(stored, kind)


@pytest.mark.parametrize("reason", Stood)
def test_why_somebody_stood_comes_back(reason: Stood) -> None:
    """Every reason, under the name that the proto has for it."""
    told = Told(7, 3, None, 1, (PlayerStood(2, "anna", 50, reason),))
    assert told_from_bytes(told_to_bytes(told)) == told
    names = {"UNSPECIFIED" if why is Stood.LEFT else why.name for why in Stood}
    assert {name.removeprefix("STAND_REASON_") for name in pb.StandReason.keys()} == names  # noqa: SIM118 - no mapping


@pytest.mark.parametrize("status", Status)
def test_status_and_stakes_are_part_of_the_stored_table(status: Status) -> None:
    """Also when nothing else has changed since the table was encoded before."""
    codec = Codec()
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    codec.encode(state)
    state = state.copied()
    state.status = status
    assert Codec().decode(codec.encode(state)) == state
    state = state.copied()
    state.stakes = (("anna", 2**40), ("bruno", 1))
    assert Codec().decode(codec.encode(state)) == state


def test_that_maintenance_holds_a_table_is_stored() -> None:
    """Also when nothing else has changed; in the form of the release before there is no room for it, and a
    table that could lose it is not written.
    """
    codec = Codec()
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    assert not codec.listed(codec.encode(state), "t1").held
    state = state.copied()
    state.held = True
    assert codec.decode(codec.encode(state)) == state
    assert codec.listed(codec.encode(state), "t1").held
    with pytest.raises(NotYet):
        Codec(FIRST).encode(state)


def test_the_template_of_a_table_is_stored() -> None:
    """Its id and its revision; lists show them without reading the whole table."""
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG), template="sala", revision=2**40)
    codec = Codec()
    assert codec.decode(codec.encode(state)) == state
    listed = codec.listed(codec.encode(state), "t1")
    assert (listed.id, listed.template, listed.revision) == ("t1", "sala", 2**40)


def test_a_table_of_before_is_open() -> None:
    """The fields are absent in what earlier releases stored."""
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    old = store.StoredTable.FromString(Codec(FIRST).encode(state))
    old.ClearField("status")
    old.ClearField("stakes")
    assert Codec().decode(old.SerializeToString()) == state
