"""What is stored is what was: hands, events, values and the ground between deals come back exactly."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import get_args

import pytest

from servito.table.v1.store_pb2 import (
    StoredBetween,
    StoredEvent,
    StoredHand,
    StoredHandEnded,
    StoredPlayer,
)
from servito_core import events as core
from servito_core.cards import Card
from servito_core.deals import FIRST, Between
from servito_core.rules import RuleSet
from servito_core.state import HandState, Phase, PlayerState
from servito_core.values import Category, HandValue, SfKind
from servito_wire.events import READERS, TABLE_EVENTS, WRITERS, event_from_proto, event_to_bytes
from servito_wire.hand import between_from_proto, between_to_bytes, hand_from_proto, hand_to_bytes
from servito_wire.values import value_from_proto, value_to_proto
from tests.wire.play import RULES, Moment, moments

ACES = tuple(Card(number) for number in (48, 49, 50, 51, 0))

PLAYER = PlayerState(
    seat=9,
    stack=10**12,
    ante=1,
    bet=2,
    paid=3,
    dead=4,
    folded=True,
    left=True,
    leaving=True,
    may_raise_blind=True,
    openers=ACES[:2],
    cards=ACES,
    positions=(0, 5, 10, 15, 255),
    discards=(Card(7),),
    discard_positions=(39,),
    drawn=True,
    owed=1,
    split=True,
    shown=True,
)
HAND = HandState(
    rules=RuleSet(),
    number=2**40,
    button=8,
    lowest_rank=7,
    requirement="QQ",
    raised=True,
    carried=11,
    players=[PLAYER, PlayerState(0, 0)],
    phase=Phase.SECOND_ROUND,
    to_act=0,
    high_bet=12,
    full_bet=13,
    last_raise=14,
    raises=15,
    acted=0b11,
    spoke=0b10,
    opener=0,
    aggressor=1,
    leader=0,
    pot=16,
    entries=17,
    stock=18,
    serving=0,
    judged=True,
    reshuffled=frozenset({200, 3}),
    cip=True,
    blinds_allowed=3,
    blinds=2,
    holder=0,
    outcome=core.Outcome.VOID,
    next_requirement="KK",
    next_raised=True,
)
BETWEEN = Between(0, 1, "AA", True, 5, core.Outcome.CARRIED_OVER, 4, {3: 9, 1: 0}, None)


@cache
def played(rules: str) -> list[Moment]:
    """A few hundred random deals, two to nine players."""
    return [
        moment
        for players in range(2, 10)
        for seed in range(4)
        for moment in moments(RULES[rules], players, seed, deals=6)
    ]


def test_the_sample_leaves_no_field_at_its_default() -> None:
    """The hand, the player and the ground between deals below would show a field that is not stored."""
    for sample, empty in (
        (PLAYER, PlayerState(0, 0)),
        (HAND, HandState(RuleSet(), 0, 0, 0, "", False, 0, [])),
        (BETWEEN, FIRST),
    ):
        for field in fields(sample):
            if field.name != "rules" and field.compare:
                assert getattr(sample, field.name) != getattr(empty, field.name), field.name


def test_every_field_of_a_hand_comes_back() -> None:
    """Nothing of a hand or a player is lost or exchanged."""
    stored = StoredHand.FromString(hand_to_bytes(HAND))
    assert hand_from_proto(stored, HAND.rules) == HAND


NEWER = ("acted_seats", "spoke_seats", "card_count", "discard_count")
"""Fields of newer forms in place of those with the names of the core's (servito_table.adapters.schema)."""


def test_stored_fields_are_those_of_the_state() -> None:
    """The messages name the fields of the core's classes and no others, in their order."""
    names = [field.name for field in fields(HandState) if field.name != "rules" and field.compare]
    stored = [field.name for field in StoredHand.DESCRIPTOR.fields]
    assert [name for name in stored if name not in NEWER] == names
    stored = [field.name for field in StoredPlayer.DESCRIPTOR.fields]
    assert [name for name in stored if name not in NEWER] == [f.name for f in fields(PlayerState)]
    assert [field.name for field in StoredBetween.DESCRIPTOR.fields] == [f.name for f in fields(Between)]


@pytest.mark.parametrize("between", [FIRST, BETWEEN])
def test_the_ground_between_deals_comes_back(between: Between) -> None:
    """Before the first deal, and with everything set."""
    stored = StoredBetween.FromString(between_to_bytes(between))
    assert between_from_proto(stored) == between


@pytest.mark.parametrize("rules", RULES)
def test_every_state_of_play_comes_back(rules: str) -> None:
    """Random play: each state after each event, and what each deal began from."""
    for moment in played(rules):
        stored = StoredHand.FromString(hand_to_bytes(moment.hand))
        assert hand_from_proto(stored, moment.hand.rules) == moment.hand
        ground = StoredBetween.FromString(between_to_bytes(moment.between))
        assert between_from_proto(ground) == moment.between


@pytest.mark.parametrize("rules", RULES)
def test_every_event_of_play_comes_back(rules: str) -> None:
    """Random play: each event."""
    for moment in played(rules):
        stored = StoredEvent.FromString(event_to_bytes(moment.event))
        assert event_from_proto(stored) == moment.event


def test_random_play_meets_every_event() -> None:
    """The two tests above leave no kind of event out."""
    met = {type(moment.event) for rules in RULES for moment in played(rules)}
    assert met == set(get_args(core.Event))


def test_every_event_has_a_writer_and_a_reader() -> None:
    """Every type of Event can be stored; every field of StoredEvent is an event or the table's own."""
    assert set(WRITERS) == set(get_args(core.Event))
    assert {field.name for field in StoredEvent.DESCRIPTOR.fields} == READERS.keys() | TABLE_EVENTS
    assert READERS.keys() == {field for field, _ in WRITERS.values()}


def test_what_is_no_event_of_a_hand_is_not_read() -> None:
    """An empty event and an outcome that does not exist raise, they become no event."""
    with pytest.raises(KeyError):
        event_from_proto(StoredEvent())
    with pytest.raises(KeyError):
        event_from_proto(StoredEvent(hand_ended=StoredHandEnded()))


@pytest.mark.parametrize(
    "value",
    [
        HandValue(Category.HIGH_CARD, (14, 12, 11, 9, 7), None, 0),
        HandValue(Category.STRAIGHT_FLUSH, (10,), SfKind.MINIMA, None),
        HandValue(Category.FULL_HOUSE, (13, 9)),
    ],
)
def test_values_come_back(value: HandValue) -> None:
    """With and without kind and suit."""
    assert value_from_proto(value_to_proto(value)) == value
