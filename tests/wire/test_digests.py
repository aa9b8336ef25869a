"""Digests tell every change of a hand that their reader may see, and none that he may not."""

from __future__ import annotations

from dataclasses import fields, replace
from hashlib import blake2b
from types import NoneType
from typing import Any

import pytest

from servito.table.v1.store_pb2 import StoredHand
from servito_core.cards import Card
from servito_core.events import Outcome
from servito_core.state import HandState, Phase, PlayerState
from servito_core.view import view_for
from servito_wire.digests import FORM, SIZE, shown, whole
from servito_wire.hand import hand_from_proto, hand_to_bytes
from tests.wire.play import RULES, Moment, moments
from tests.wire.test_views import masked

HELD = {"cards", "positions", "discards", "discard_positions", "openers"}
BOOKKEEPING = {"rules", "players", "unshared"}


def late(seed: int) -> HandState:
    """A hand of five in its second round, somebody having drawn."""
    found = (
        moment.hand
        for moment in moments(RULES["italiana"], 5, seed, 60)
        if moment.hand.phase is Phase.SECOND_ROUND and any(own.discards for own in moment.hand.players)
    )
    return next(found)


def other(value: Any) -> Any:
    """Another value of the same type."""
    others: dict[type, Any] = {
        bool: lambda: not value,
        Phase: lambda: Phase.DEAL if value is Phase.OVER else Phase.OVER,
        str: lambda: value + "?",
        frozenset: lambda: value | {200},
        tuple: lambda: (*value[1:], Card(200)),
        NoneType: lambda: 1,
    }
    return others.get(type(value), lambda: value + 1)()


def test_the_same_hand_has_the_same_digests() -> None:
    """Also when it was stored and read, and nothing else is in them but the form in front."""
    for moment in moments(RULES["every phase"], 6, 1, 6):
        hand = moment.hand
        again = hand_from_proto(StoredHand.FromString(hand_to_bytes(hand)), hand.rules)
        assert (shown(again, "t"), whole(again)) == (shown(hand, "t"), whole(hand))
        assert {shown(hand, "t")[0], whole(hand)[0]} == {FORM}
        assert len(shown(hand, "t")) == len(whole(hand)) == SIZE


def test_digests_of_before_are_made_again() -> None:
    """What release 183e76a made of these hands: an archive has them, and a replay compares."""
    every = blake2b(digest_size=16)
    for rules in RULES:
        for seed in (1, 2, 3):
            for moment in moments(RULES[rules], 5, seed, 8):
                every.update(shown(moment.hand, "t1") + whole(moment.hand))
    assert every.hexdigest() == "d3ec4b8e5d83f07278868e23f3a9a58c"
    assert shown(late(2), "t1").hex() == "01f0d99d4d7f7489247c9c5b2f30850e59"
    assert whole(late(2)).hex() == "01fb41d4d34477e188322525ab1a0ee0a9"


@pytest.mark.parametrize("name", sorted({own.name for own in fields(HandState)} - BOOKKEEPING))
def test_each_field_of_a_hand_is_in_the_whole_digest(name: str) -> None:
    """Whatever of it is another, the digest is another."""
    hand = late(2)
    value: Any = Outcome.VOID if name == "outcome" else other(getattr(hand, name))
    assert whole(replace(hand, **{name: value})) != whole(hand)


@pytest.mark.parametrize("name", sorted(own.name for own in fields(PlayerState)))
def test_each_field_of_a_player_is_in_the_whole_digest(name: str) -> None:
    """Likewise."""
    hand = late(4)
    index = next(index for index, own in enumerate(hand.players) if own.discards)
    changed = list(hand.players)
    changed[index] = replace(changed[index], **{name: other(getattr(changed[index], name))})
    assert whole(replace(hand, players=changed)) != whole(hand)


@pytest.mark.parametrize("rules", RULES)
def test_the_open_digest_follows_the_view_and_hides_what_that_hides(rules: str) -> None:
    """Two states have one open digest if everybody sees the same of them, and only then: with other cards in
    the hands of those who did not show them it is the same.
    """
    digests: dict[bytes, object] = {}

    def looked_at(moment: Moment) -> None:
        hand, view = moment.hand, view_for(moment.hand, None)
        digest = shown(hand, "t")
        assert digests.setdefault(digest, view) == view
        hidden = [own if own.shown else masked(own) for own in hand.players]
        assert shown(replace(hand, players=hidden), "t") == digest
        assert shown(hand, "u") != digest

    for moment in moments(RULES[rules], 5, 7, 12):
        looked_at(moment)
    assert len(digests) > 30
