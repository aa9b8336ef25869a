"""House rules in the stored form: proposals and the events about them come back as they were."""

from __future__ import annotations

from typing import get_args

import pytest

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.codec import Codec
from servito_table.adapters.telling import told_from_bytes, told_to_bytes
from servito_table.app.config import rules_of
from servito_table.app.events import (
    ConsentEvent,
    Lapse,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
)
from servito_table.app.state import Proposal, TableState
from servito_table.app.told import Told
from servito_table.messages.consent import CONSENT_FIELDS
from servito_table.messages.views import event_view
from tests.table.room import CONFIG

CHANGES = (RuleChange("ante", "1", "5"), RuleChange("raise.max_count", "null", "3"))
EVENTS: list[ConsentEvent] = [
    RulesProposed(2**40, 9, "anna", CHANGES, 600_000),
    RulesAgreed(3, 0),
    RulesRefused(3, 9),
    RulesAccepted(3),
    *(RulesLapsed(3, reason) for reason in Lapse),
    RulesChanged(3, CHANGES),
]


def test_every_event_is_tried() -> None:
    """The list above leaves none out, and each has a field in both envelopes."""
    assert {type(event) for event in EVENTS} == set(get_args(ConsentEvent))
    for envelope in (pb.TableEvent, store.StoredEvent):
        assert {
            name for name in envelope.DESCRIPTOR.fields_by_name if name.startswith("rules_")
        } == CONSENT_FIELDS
    reasons = {name.removeprefix("LAPSE_REASON_") for name, number in pb.LapseReason.items() if number}
    assert reasons == set(Lapse.__members__)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_come_back(event: ConsentEvent) -> None:
    """Stored in a commit and read again; shown to everybody alike, with the same content."""
    told = Told(7, 3, None, 1, (event,))
    assert told_from_bytes(told_to_bytes(told)) == told
    shown = event_view(event, None, "t1")
    assert shown is not None
    assert shown == event_view(event, 4, "t1")
    stored = store.StoredCommit.FromString(told_to_bytes(told)).events[0]
    kind = shown.WhichOneof("event")
    assert kind is not None
    assert getattr(shown, kind) == getattr(stored, kind)


@pytest.mark.parametrize(
    "proposal",
    [None, Proposal(8, 3, "anna", CHANGES, (0, 3, 9)), Proposal(8, 3, "anna", CHANGES, (3,), True)],
)
def test_a_proposal_is_part_of_the_stored_table(proposal: Proposal | None) -> None:
    """Open, accepted or none, with the count of those before; also when nothing else has changed."""
    codec = Codec()
    state = TableState("t1", "owner", CONFIG, rules_of(CONFIG))
    codec.encode(state)
    state = state.copied()
    state.proposal, state.proposals = proposal, 8
    codec.encode(TableState("t1", "owner", CONFIG, state.rules, state.seats, state.between, proposals=7))
    assert Codec().decode(codec.encode(state)) == state
