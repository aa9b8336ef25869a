"""The SDK's words are the protocol's: nothing that the server may say is missing."""

from __future__ import annotations

from typing import get_args

from servito.table.v1 import table_pb2 as pb
from servito_client import actions
from servito_client.messages import Event, event_of


def test_every_event_of_the_protocol_is_in_the_union() -> None:
    """What an envelope may hold is what a client may match on."""
    envelope = pb.TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    sent = {field.message_type.name for field in envelope if field.message_type is not None}
    assert sent == {kind.__name__ for kind in get_args(Event)}


def test_an_envelope_gives_the_event_inside() -> None:
    """An event comes out as its own class; an empty envelope as none."""
    assert event_of(pb.TableEvent(turn_expired=pb.TurnExpired(seat=3))) == pb.TurnExpired(seat=3)
    assert event_of(pb.TableEvent()) is None


def test_there_is_a_function_for_every_kind_of_action() -> None:
    """A client needs no message of its own making to do anything that may be offered."""
    made = [
        *(actions.pass_(), actions.open_to(4), actions.check(), actions.bet(4), actions.call()),
        *(actions.raise_to(8), actions.fold(), actions.draw([1, 2])),
        actions.post_blind(pb.BLIND_KIND_BLIND, 8),
        *(actions.cover_blind(), actions.decline_blind(), actions.table_hand(), actions.concede()),
    ]
    assert {action.kind for action in made} == set(pb.ActionKind.values()) - {pb.ACTION_KIND_UNSPECIFIED}
