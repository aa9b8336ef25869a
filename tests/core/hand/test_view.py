"""The one gate for hidden cards: what a viewer sees does not depend on what it may not see (IL entries)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, get_args

import pytest

from servito_core import events as e
from servito_core.cards import DECK_SIZE, Card
from servito_core.deals import Entrant
from servito_core.evolve import replay
from servito_core.rules import RuleSet
from servito_core.view import (
    PROJECTIONS,
    PUBLIC,
    DealSeen,
    DiscardSeen,
    DrawSeen,
    OpenersSeen,
    event_for,
    view_for,
)
from tests.core.hand.driven import Driven
from tests.core.hand.random_play import Play
from tests.core.hand.rule_sets import random_rules

if TYPE_CHECKING:
    from servito_core.events import Event
    from servito_core.state import HandState


def _other(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Other cards in the same number; which ones does not matter here."""
    return tuple(Card((card + 17) % DECK_SIZE) for card in cards)


def _with_other_cards(hand: HandState, viewer: int | None) -> HandState:
    """The same hand, but for every card and position that `viewer` may not know."""
    changed = hand.copied()
    players = []
    for player in hand.players:
        copy = player.copied()
        if player.seat != viewer:
            copy.discards = _other(player.discards)
            copy.openers = () if player.openers else (Card(0),)
            copy.positions = tuple(place + 60 for place in player.positions)
            copy.discard_positions = tuple(place + 60 for place in player.discard_positions)
            if not player.shown:
                copy.cards = _other(player.cards)
        players.append(copy)
    changed.players = players
    return changed


def _event_with_other_cards(event: Event, viewer: int | None) -> Event:
    match event:
        case e.CardsDealt(seats, cards, positions):
            mine = [seat == viewer for seat in seats]
            return e.CardsDealt(
                seats,
                tuple(held if own else _other(held) for held, own in zip(cards, mine, strict=True)),
                tuple(
                    held if own else tuple(place + 60 for place in held)
                    for held, own in zip(positions, mine, strict=True)
                ),
            )
        case e.OpenersFound(openers):
            return e.OpenersFound({seat: cards for seat, cards in openers.items() if seat == viewer})
        case e.Discarded(seat, cards) if seat != viewer:
            return e.Discarded(seat, _other(cards))
        case e.CardsDrawn(seat, entry, cards, positions, deferred, shuffled) if seat != viewer:
            places = tuple(place + 60 for place in positions)
            return e.CardsDrawn(seat, entry, _other(cards), places, deferred, shuffled)
        case _:
            return event


@pytest.mark.parametrize("seed", range(12))
def test_hidden_cards_make_no_difference_to_a_viewer(seed: int) -> None:
    """Under any rules, after every event: the view and the event of a seat, or of a spectator, stay the
    same.
    """
    rng = random.Random(seed)
    players = rng.randint(2, 9)
    rules = RuleSet() if seed < 4 else random_rules(rng, players)
    seen = 0

    def watch(hand: HandState, event: Event | None) -> None:
        nonlocal seen
        for viewer in (None, *(player.seat for player in hand.players)):
            assert view_for(hand, viewer) == view_for(_with_other_cards(hand, viewer), viewer)
            if event is not None:
                assert event_for(event, viewer) == event_for(_event_with_other_cards(event, viewer), viewer)
            seen += 1

    for _ in range(4):
        Play(rules, rng, [Entrant(seat, 100) for seat in range(players)], watch=watch).run()
    assert seen > 50


def test_every_event_is_either_public_or_projected() -> None:
    """A new event is hidden until somebody says otherwise: it is in one of the two lists, or cannot be
    sent.
    """
    assert PUBLIC.isdisjoint(PROJECTIONS)
    assert PUBLIC.union(PROJECTIONS) == set(get_args(e.Event))


def test_what_others_learn_of_a_draw() -> None:
    """IL-05, DR-09: how many, before the next player decides; which, only the owner."""
    game = Driven({}, hands={0: "Ah Ad Jc Ts 9h"}, stock="Kd Qc")
    game.do("0 open 1", "1 call", "2 fold", "3 fold", "0 draw Ts 9h")
    discarded, drawn = game.of(e.Discarded)[0], game.of(e.CardsDrawn)[0]
    for viewer in (1, 2, None):
        assert event_for(discarded, viewer) == DiscardSeen(0, 2, ())
        assert event_for(drawn, viewer) == DrawSeen(
            0, 2, deferred=False, reshuffled=0, cards=(), positions=()
        )
        assert view_for(game.hand, viewer).players[0].discarded == 2
        assert view_for(game.hand, viewer).players[1].discarded is None
    assert event_for(discarded, 0) == DiscardSeen(0, 2, discarded.cards)
    own = event_for(drawn, 0)
    assert isinstance(own, DrawSeen)
    assert (own.cards, own.positions) == (drawn.cards, drawn.positions)


def test_a_seat_learns_only_about_itself_who_may_open() -> None:
    """IL: the right to open tells a pair of jacks."""
    game = Driven({}, hands={0: "Ah Ad Jc Ts 9h", 1: "Ks Qd Jd Th 8s"})
    found = game.of(e.OpenersFound)[0]
    may = event_for(found, 0)
    assert isinstance(may, OpenersSeen)
    assert may.may_open
    assert event_for(found, 1) == event_for(found, None) == OpenersSeen(False, ())
    own = view_for(game.hand, 0).own
    assert own is not None
    assert own.may_open
    assert view_for(game.hand, None).own is None


def test_a_seat_sees_its_own_five_cards() -> None:
    """And a spectator none, in the event as in the view."""
    game = Driven({}, hands={2: "Ah Ad Jc Ts 9h"})
    dealt = game.of(e.CardsDealt)[0]
    mine = event_for(dealt, 2)
    assert isinstance(mine, DealSeen)
    assert mine.cards == next(player.cards for player in game.hand.players if player.seat == 2)
    assert event_for(dealt, None) == event_for(dealt, 9) == DealSeen((), ())
    view = view_for(game.hand, 2)
    assert [len(player.cards) for player in view.players] == [0, 0, 5, 0]
    assert [player.card_count for player in view.players] == [5, 5, 5, 5]


def test_cards_are_seen_once_they_are_on_the_table_and_only_those() -> None:
    """IL-04: a showdown shows live hands; folded ones stay hidden for ever."""
    game = Driven({}, hands={0: "Ah Ad Jc Ts 9h"})
    game.do("0 open 1", "1 call", "2 fold", "3 fold", "0 draw", "1 draw", "0 check", "1 check")
    assert [bool(player.cards) for player in view_for(game.hand, None).players] == [True, True, False, False]


def test_a_view_replayed_from_stored_events_is_the_same() -> None:
    """What a reader sees does not depend on whether the state came from memory or from its events."""
    game = Driven({}, hands={0: "Ah Ad Jc Ts 9h"})
    game.do("0 open 1", "1 call")
    replayed: Any = replay(game.rules, game.events)
    assert view_for(replayed, 1) == view_for(game.hand, 1)
