"""What a viewer is told of a stored hand is what the table service told him, event by event."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import StoredCommit, StoredEvent
from servito_replay.entries import Commit, Entry, read_all
from servito_replay.folding import folded
from servito_replay.told import PRIVATE, PlayerLines, record, seat_of, shown
from servito_table.messages import own_events
from servito_table.messages.views import event_view
from servito_wire.events import TABLE_EVENTS
from tests.replay.stored import OPENER, TABLE, dealt
from tests.table.shown import cards_in
from tests.wire.play import RULES

OF_TABLE = TABLE_EVENTS - {"hidden"}


@pytest.mark.parametrize("rules", RULES)
def test_a_hand_is_told_as_it_was(rules: str) -> None:
    """For everybody and for each seat every event is what the service sends; without the auditor's key
    everybody is told the same.
    """
    told = 0
    for hand in dealt(RULES[rules], 5, 3, 8):
        whole = list(folded(read_all(hand.entries, OPENER), hand.number))
        public = list(folded(read_all(hand.entries, None), hand.number))
        begins = whole[0].commit.public
        for player in (None, *begins.players, "stranger"):
            seat = None if player is None else seat_of(begins, player)
            expected = [event_view(event, seat, TABLE) for events in hand.events for event in events]
            found = [event for step in whole for event in seen(step, seat)]
            assert found == expected
            told += len(found)
        assert [event for step in public for event in seen(step, None)] == [
            event_view(event, None, TABLE) for events in hand.events for event in events
        ]
    assert told > 500


def seen(step: Any, seat: int | None) -> list[pb.TableEvent | None]:
    """Of the events of the hand in a step."""
    events = dict(zip(step.places, step.events, strict=True))
    whole = step.commit.whole or step.commit.public
    told = shown(step.commit, whole, events, seat, seat)
    return [each for place, each in enumerate(told) if place in events]


def any_event(field: str) -> StoredEvent:
    """One of the table, with something in each field."""
    stored = StoredEvent()
    filled(getattr(stored, field))
    return stored


def filled(message: Any) -> None:
    """Something in each field, seats the third one."""
    message.SetInParent()
    for field in message.DESCRIPTOR.fields:
        if field.is_repeated:
            continue
        if field.message_type is not None:
            filled(getattr(message, field.name))
        elif field.type == FieldDescriptor.TYPE_STRING:
            setattr(message, field.name, "ann")
        elif field.type == FieldDescriptor.TYPE_BYTES:
            setattr(message, field.name, bytes(32))
        else:
            setattr(message, field.name, 1 if field.enum_type is not None else 2)


@pytest.mark.parametrize("field", sorted(OF_TABLE))
@pytest.mark.parametrize("seat", [None, 2, 3])
def test_an_event_of_the_table_is_told_as_it_was(field: str, seat: int | None) -> None:
    """Each kind of them; what is private, to its own seat alone."""
    stored = any_event(field)
    commit = Commit(Entry(TABLE, 1, 1, 0, 0, b""), StoredCommit(events=[stored]), None, b"")
    event = own_events.FROM_STORE[field](getattr(stored, field))
    assert shown(commit, commit.public, {}, None, seat) == [event_view(event, seat, TABLE)]


def test_what_is_private_here_is_private_there() -> None:
    """The two lists are one."""
    stored = {own_events.TO_STORE[kind] for kind in own_events.PRIVATE}
    assert stored
    fields = {field for field in OF_TABLE if private(field)}
    assert fields == PRIVATE


def private(field: str) -> bool:
    """Whether the service tells it to one seat alone."""
    return type(own_events.FROM_STORE[field](getattr(any_event(field), field))) in own_events.PRIVATE


def test_a_record_is_that_of_the_hand() -> None:
    """Players, rules, times and the end; a player finds his own cards in it and nobody else's that were not
    shown.
    """
    for hand in dealt(RULES["every phase"], 4, 11, 6):
        steps = list(folded(read_all(hand.entries, OPENER), hand.number))
        names = list(steps[0].commit.public.players)
        shown_to_all = set(cards_in(record(steps, None)))
        for name in names:
            sent = record(steps, name)
            assert (sent.finished, sent.complete, sent.number) == (True, True, hand.number)
            assert [own.player for own in sent.players] == names
            assert sent.events[0].event.HasField("hand_started")
            assert sent.events[-1].event.HasField("hand_ended")
            held = held_by(hand.states, sent.own_seat)
            assert set(cards_in(sent)) <= held | shown_to_all
            assert held <= set(cards_in(sent))


def held_by(states: Any, seat: int) -> set[int]:
    """Every card that a seat ever held."""
    return {
        card
        for state in states
        for own in state.players
        if own.seat == seat
        for card in (*own.cards, *own.discards)
    }


def test_a_players_lines_take_the_auditors_key() -> None:
    """Without it nothing is made up."""
    hand = next(dealt(RULES["italiana"], 3, 1, 1))
    with pytest.raises(ValueError, match="takes the auditor's key"):
        list(PlayerLines("p0").of(next(read_all(hand.entries, None))))


def test_between_hands_what_is_private_is_told_to_who_sits_there() -> None:
    """Who left a seat after a hand is not told what the next one there contributes to the order of the cards;
    that one is, before any hand that he is dealt into.
    """
    hand = next(dealt(RULES["italiana"], 3, 1, 1))
    found = list(read_all(hand.entries, OPENER))
    left = found[0].public.players[0]
    seat = seat_of(found[0].public, left)
    assert seat is not None
    events = (
        StoredEvent(player_stood=pb.PlayerStood(seat=seat, player=left)),
        StoredEvent(player_sat=pb.PlayerSat(seat=seat, player="zoe", buy_in=20)),
        StoredEvent(entropy_set=pb.EntropySet(seat=seat, entropy=bytes(8))),
    )
    for version, event in enumerate(events, found[-1].entry.version + 1):
        whole = StoredCommit(version=version, events=[event])
        found.append(Commit(Entry(TABLE, version, version, 0, 0, b""), whole, whole, b""))
    for player, told in ((left, "hidden"), ("zoe", "entropy_set"), ("ann", "hidden")):
        lines_for = PlayerLines(player)
        lines = [line for commit in found for line in lines_for.of(commit)]
        assert lines[-1]["kind"] == told, player
