"""Sitting out, chips to come and the waiting list in the stored form: all of it comes back as it was."""

from __future__ import annotations

from typing import get_args

import pytest

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.codec import Codec
from servito_table.adapters.schema import FIRST
from servito_table.adapters.telling import told_from_bytes, told_to_bytes
from servito_table.app.commits import Known
from servito_table.app.config import rules_of
from servito_table.app.seat_events import (
    Absence,
    SatIn,
    SatOut,
    SeatOffered,
    SeatPresent,
    SeatsEvent,
    ToppedUp,
    TopUpAsked,
    Unlisted,
    WaitingJoined,
    WaitingLeft,
)
from servito_table.app.state import AWAY_AFTER, SEAT_OFFER_MS, SIT_OUT_MS, Seated, TableState, Waiter
from servito_table.app.told import Told
from servito_table.messages.config import config_from_proto, config_to_proto
from servito_table.messages.seats import SEATS_FIELDS
from servito_table.messages.views import event_view, table_view
from tests.table.room import CONFIG

EVENTS: list[SeatsEvent] = [
    *(SatOut(9, reason) for reason in Absence),
    SatIn(0),
    SeatPresent(3),
    TopUpAsked(2, 2**40),
    ToppedUp(2, "anna", 2**40),
    ToppedUp(2, "anna", 0),
    WaitingJoined("bruno"),
    *(WaitingLeft("bruno", reason) for reason in Unlisted),
    SeatOffered(0, "bruno", 30_000),
]


def test_every_event_is_tried() -> None:
    """The list above leaves none out, and each has a field in both envelopes and every reason its name."""
    assert {type(event) for event in EVENTS} == set(get_args(SeatsEvent)) == set(SEATS_FIELDS)
    for envelope in (pb.TableEvent, store.StoredEvent):
        assert set(envelope.DESCRIPTOR.fields_by_name) >= set(SEATS_FIELDS.values())
    for names, prefix, reasons in (
        (pb.SitOutReason, "SIT_OUT_REASON_", Absence),
        (pb.WaitingReason, "WAITING_REASON_", Unlisted),
    ):
        assert {name.removeprefix(prefix) for name, number in names.items() if number} == set(
            reasons.__members__
        )


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_come_back(event: SeatsEvent) -> None:
    """Stored in a commit and read again; shown to everybody alike, with the same content."""
    told = Told(7, 3, None, 1, (event,))
    assert told_from_bytes(told_to_bytes(told)) == told
    shown = event_view(event, None, "t1")
    assert shown == event_view(event, 4, "t1")
    assert shown is not None
    kind = shown.WhichOneof("event")
    assert kind == SEATS_FIELDS[type(event)]
    stored = store.StoredCommit.FromString(told_to_bytes(told)).events[0]
    assert getattr(shown, kind) == getattr(stored, kind)


SEATS = (
    Seated(0, "anna", 70, sitting_out=Absence.AWAY, missed=2),
    Seated(3, "bruno", 0, since=4, sitting_out=Absence.ASKED, top_up=2**40),
    Seated(5, "carla", 9),
)
WAITING = (Waiter("dario", 0), Waiter("elena", 9), Waiter("fabio"))


def test_seats_and_list_are_part_of_the_stored_table() -> None:
    """Also when nothing else has changed since the table was encoded before."""
    codec = Codec()
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    codec.encode(state)
    state = state.copied()
    state.seats = SEATS
    assert Codec().decode(codec.encode(state)) == state
    state = state.copied()
    state.waiting = WAITING
    assert Codec().decode(codec.encode(state)) == state
    assert state.copied() == state


def test_a_table_of_before_has_everybody_dealt_in_and_nobody_waiting() -> None:
    """The fields are absent in what earlier releases stored; what a table says of times is the usual."""
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG), (Seated(5, "carla", 9),))
    old = store.StoredTable.FromString(Codec(FIRST).encode(state))
    for name in ("away_after", "sit_out_ms", "seat_offer_ms"):
        old.config.ClearField(name)
    assert not old.waiting
    assert [name.name for name, _ in old.seats[0].ListFields()] == ["seat", "player", "stack"]
    read = Codec().decode(old.SerializeToString())
    assert read == state
    assert (read.config.away_after, read.config.sit_out_ms) == (AWAY_AFTER, SIT_OUT_MS)


def test_a_configuration_says_all_of_it() -> None:
    """Both ways; what a creator leaves out is the usual."""
    sent = pb.TableConfig(preset="italiana", away_after=5, sit_out_ms=1_000, seat_offer_ms=2_000)
    config = config_from_proto(sent)
    assert (config.away_after, config.sit_out_ms, config.seat_offer_ms) == (5, 1_000, 2_000)
    assert config_from_proto(config_to_proto(config)) == config
    usual = config_from_proto(pb.TableConfig())
    assert (usual.away_after, usual.sit_out_ms, usual.seat_offer_ms) == (
        AWAY_AFTER,
        SIT_OUT_MS,
        SEAT_OFFER_MS,
    )


def test_everybody_is_shown_who_sits_out_and_who_waits() -> None:
    """With the time that a seat is still held."""
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG), SEATS, waiting=WAITING)
    view = table_view(Known(state, 3, waits={"o0": 5_000, "o9": 900}), None, 1_000)
    assert [(seat.sitting_out, seat.top_up) for seat in view.seats] == [
        (pb.SIT_OUT_REASON_AWAY, 0),
        (pb.SIT_OUT_REASON_ASKED, 2**40),
        (pb.SIT_OUT_REASON_UNSPECIFIED, 0),
    ]
    shown = [
        (one.player, one.seat if one.HasField("seat") else None, one.remaining_ms) for one in view.waiting
    ]
    assert shown == [("dario", 0, 4_000), ("elena", 9, 0), ("fabio", None, 0)]
