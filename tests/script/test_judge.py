"""The remembering judge answers as the plain definition does."""

from __future__ import annotations

import random

from servito_core.cards import deck_from
from servito_core.openers import opening_cards
from servito_core.ranking import rank, winners
from servito_script.judge import Judge
from tests.core.hand.rule_sets import random_rules


def test_the_judge_agrees_with_the_plain_definition() -> None:
    """Values, winner sets and openers of random deals under random rules, again and again with the same
    judge.
    """
    for seed in range(30):
        rng = random.Random(seed)
        lowest = rng.randint(2, 8)
        rules = random_rules(rng, 4)
        judge, deck = Judge(rules, lowest), deck_from(lowest)
        for _ in range(40):
            dealt = rng.sample(deck, 20)
            hands = {seat: tuple(dealt[5 * seat : 5 * seat + 5]) for seat in range(4)}
            values = {seat: judge.value(cards) for seat, cards in hands.items()}
            assert values == {seat: rank(cards, rules, lowest) for seat, cards in hands.items()}
            assert judge.winners(values, tuple(hands)) == winners(hands, rules, lowest)
            for cards in hands.values():
                kept, raised = cards[: rng.randint(1, 5)], rng.random() < 0.5
                for held in (cards, kept):
                    expected = opening_cards(held, "QQ", rules, lowest, raised)
                    assert judge.openers(held, "QQ", raised) == expected


def test_no_cards_open_nothing() -> None:
    """What an opener keeps who throws all five away."""
    assert Judge(random_rules(random.Random(0), 4), 7).openers((), "JJ", raised=False) == ()
