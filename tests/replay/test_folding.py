"""A stored hand folds to the states that were played, for the auditor and for everybody, under any rules."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from servito_core import events as e
from servito_core.rules import PRESETS, RuleSet
from servito_core.view import event_for, view_for
from servito_replay.entries import read_all
from servito_replay.folding import folded
from tests.core.hand.rule_sets import random_rules
from tests.replay.stored import OPENER, Dealt, dealt

SEEDS = 12
SHOWY = {"open.proof": "show_on_uncalled_win", "show.muck": "may_concede", "draw.opener_split": "announce"}
CARRYING = {"parola.mode": "carry_over", "parola.reentry": "pay_difference", "draw.max": 5}


def compared(hand: Dealt) -> int:
    """Every state of it, whole and as everybody sees it; how many."""
    whole = list(folded(read_all(hand.entries, OPENER), hand.number))
    assert [step.hand for step in whole] == hand.states
    assert [step.events for step in whole] == hand.events
    shown = list(folded(read_all(hand.entries, None), hand.number))
    for step, state in zip(shown, hand.states, strict=True):
        assert view_for(step.hand, None) == view_for(state, None)
    for step, events in zip(shown, hand.events, strict=True):
        told = [event_for(event, None) for event in step.events]
        assert told == [event_for(event, None) for event in events]
    return len(whole)


@pytest.mark.parametrize("preset", PRESETS)
def test_hands_of_every_preset(preset: str) -> None:
    """Some dozen hands each, of two to nine players."""
    rules = RuleSet.from_options({"preset": preset})
    hands = [hand for players in range(2, 10) for hand in dealt(rules, players, players, 2)]
    assert sum(map(compared, hands)) > 120


@pytest.mark.parametrize("seed", range(SEEDS))
def test_hands_of_any_rules(seed: int) -> None:
    """Random rules, random play with time-outs, departures and void hands."""
    style = random.Random(seed)
    players = style.randint(2, 9)
    assert sum(compared(hand) for hand in dealt(random_rules(style, players), players, seed, 4)) > 0


def test_every_kind_of_event_was_among_them() -> None:
    """Blinds, refills, concessions, proofs of openings, deferred draws, carried pots, void hands."""
    seen: Counter[object] = Counter()
    chosen = [RuleSet.from_options(SHOWY | CARRYING | {"blind.depth": 3})]
    chosen += [RuleSet.from_options(SHOWY), RuleSet.from_options(CARRYING)]
    for rules in chosen:
        for seed in range(10):
            for hand in dealt(rules, 2 + seed % 8, seed, 4):
                compared(hand)
                events = [event for commit in hand.events for event in commit]
                seen.update(type(event) for event in events)
                seen.update(event.outcome for event in events if isinstance(event, e.HandEnded))
                seen["refills"] += sum(
                    bool(event.shuffled) for event in events if type(event) is e.CardsDrawn
                )
    wanted = {*e.Outcome, "refills", e.BlindPosted, e.DeferredDrawBegan, e.HandTabled, e.OpeningJudged}
    wanted |= {e.OpeningProved, e.PlayerLeft, e.ReentryPaid, e.TurnExpired, e.UncalledBetReturned}
    assert {kind for kind in wanted if not seen[kind]} == set()
