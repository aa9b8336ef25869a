"""Hands told: golden stories of the shared scripts, and any hand at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_cli.story import Tale, _Teller, tell
from servito_cli.words import letters
from servito_client.bots.own_cards import OwnCards
from servito_client.messages import ActionKind, CardsDrawn, Event, HandShown, SeatActed
from servito_core.events import Event as CoreEvent
from servito_core.events import HandEnded
from tests.cli.stories import GOLDEN, TOLD, own, seen, story, tale_of
from tests.wire.play import RULES, moments


@pytest.mark.parametrize("name", TOLD)
def test_scripts_are_told_as_a_player_would_read_them(name: str) -> None:
    """The golden stories; `python -m tests.cli.stories` writes them anew, to be read before they are kept."""
    assert story(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def random_deals(rules: str, players: int, seed: int) -> Iterator[list[CoreEvent]]:
    """The events of some whole deals played at random."""
    played = moments(RULES[rules], players, seed, deals=3)
    for _, deal in groupby(played, key=lambda moment: moment.hand.number):
        yield [moment.event for moment in deal]


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(RULES)), st.integers(2, 9), st.integers(0, 10_000))
def test_any_hand_can_be_told_and_the_pot_adds_up(rules: str, players: int, seed: int) -> None:
    """Through time-outs, leaving and void hands, the pot that is told is what the hand carries in the end."""
    for deal in random_deals(rules, players, seed):
        tale = tale_of(deal, {})
        teller = _Teller(tale, letters)
        assert all(line.strip() for event in tale.events for line in teller.lines(event))
        ended = deal[-1]
        assert isinstance(ended, HandEnded)
        assert teller._pot == ended.carried


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_a_seat_reads_from_its_stream_the_cards_that_it_ends_with(players: int, seed: int) -> None:
    """Dealt less discards plus draws is what it shows."""
    for deal in random_deals("italiana", players, seed):
        for event in seen(deal, None):
            if isinstance(event, HandShown):
                hand = own(deal, event.seat)
                assert sorted(hand.held) == sorted(event.cards)
                assert len(hand.dealt) == 5


def test_what_is_not_known_is_told_as_a_number_of_cards() -> None:
    """Without the players' leave no card is told before the showdown."""
    events: list[Event] = [
        SeatActed(seat=1, kind=ActionKind.ACTION_KIND_DRAW, discarded=3),
        CardsDrawn(seat=1, count=3),
        CardsDrawn(seat=1, count=1, deferred=True),
    ]
    tale = Tale("Sala 1", {1: "anna"}, events)
    assert [line.strip() for line in tell(tale)] == [
        "anna throws 3 cards",
        "anna gets 3 cards",
        "anna gets a card, owed beyond three",
    ]


def test_cards_are_written_as_the_terminal_allows() -> None:
    """Signs for the suits, or the letters of the scripts; best cards first."""
    tale = Tale("Sala 1", {1: "anna"}, [HandShown(seat=1, cards=[0, 51], value_it="a", value_en="b")])
    assert "A♥ 2♠" in tell(tale)[0]
    assert "Ah 2s" in tell(tale, letters)[0]


def test_own_cards_may_be_missing() -> None:
    """A bot that joined in the middle knows no deal: its cards are told as a number."""
    tale = Tale("Sala 1", {1: "anna"}, [CardsDrawn(seat=1, count=2)], {1: OwnCards(hand_id="t-1")})
    assert tell(tale)[0].strip() == "anna gets 2 cards"
