"""What holds whatever the cards, the players and the rules: random legal play with universal checks."""

from __future__ import annotations

import random

import pytest

from servito_core.deals import Between, Entrant
from servito_core.events import HandEnded, Outcome
from servito_core.rules import PRESETS, RuleSet, preset
from tests.core.hand.random_play import Play, play_session
from tests.core.hand.rule_sets import random_rules


@pytest.mark.parametrize("players", range(2, 10))
def test_italiana_holds_its_promises(players: int) -> None:
    """Chips, cards, one actor, replay and an end, after every event of hands of 2 to 9 players."""
    rules = RuleSet.from_options({"ante": 2})
    played = [hand for seed in range(6) for hand, _ in play_session(rules, seed, players, 8)]
    assert len(played) >= 30
    assert Outcome.SHOWDOWN in {hand.outcome for hand in played}


@pytest.mark.parametrize("players", [2, 3, 5, 9])
def test_italiana_accepts_what_it_offers_and_nothing_else(players: int) -> None:
    """Both ends of each offered range are accepted, just outside is refused, and a refusal changes
    nothing.
    """
    rules = RuleSet.from_options({"ante": 2})
    assert len(play_session(rules, players, players, 8, thorough=True)) >= 2


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_hold_their_promises(name: str) -> None:
    """The same for every preset."""
    for seed in range(4):
        assert play_session(preset(name), seed, 5, 6, thorough=seed == 0)


@pytest.mark.parametrize("batch", range(8))
def test_any_valid_rules_hold_their_promises(batch: int) -> None:
    """The same under random valid rule sets, for two to ten players."""
    rng = random.Random(batch)
    hands = 0
    for seed in range(25):
        players = rng.randint(2, 10)
        rules = random_rules(rng, players)
        hands += len(play_session(rules, seed, players, 4, thorough=seed % 5 == 0))
    assert hands >= 50


@pytest.mark.parametrize("first", [2, 3, 4])
def test_a_deck_that_stays_too_small_holds_its_promises(first: int) -> None:
    """`deck.players=at_creation`: eight players where fewer came first; draws find their cards."""
    for seed in range(30):
        rng = random.Random(seed)
        options = random_rules(rng, 8).to_options() | {"deck": "eleven_minus_n", "deck.lowest": None}
        rules = RuleSet.from_options(options | {"deck.players": "at_creation"})
        entrants = [Entrant(seat, rng.choice((5, 20, 100))) for seat in range(8)]
        ended = Play(rules, rng, entrants, Between(rng.randint(0, 6), deck_players=first)).run()
        assert ended.lowest_rank == 11 - first
        assert len(ended.players) <= 4 * (first + 4) // 5


def test_the_same_commands_on_the_same_cards_give_the_same_events() -> None:
    """Nothing in a hand depends on anything but its rules, its cards and what was asked of it."""
    for seed in range(5):
        rules = random_rules(random.Random(seed), 6)
        once, again = (play_session(rules, seed, 6, 3) for _ in range(2))
        assert [events for _, events in once] == [events for _, events in again]


def test_every_hand_ends_with_the_event_that_says_how() -> None:
    """`HandEnded` is the last event, and the only one of its kind."""
    for _, events in play_session(RuleSet(), 1, 4, 10):
        assert [isinstance(event, HandEnded) for event in events].index(True) == len(events) - 1
