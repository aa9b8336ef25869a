"""The use cases: name hands, find openers, find winners. Stateless; every call brings its deck and rules.

Cards come as the core's numbers 0..51. What cannot be held is refused with `NotAHandError`, whose text
names no card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from servito_core.openers import qualifying_cards
from servito_core.ranking import NotAHandError
from servito_evaluator.app.opening import may_open
from servito_evaluator.app.shelf import judge_for
from servito_evaluator.app.winning import winner_set

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.cards import Card
    from servito_core.rules import RankingRules
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_core.values import HandValue
    from servito_evaluator.app.judge import Hands
    from servito_evaluator.app.ports import Tally


class Judgements:
    """Judges for whoever asks; keeps nothing but the tables."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def rank(self, hands: Sequence[Sequence[Card]], rules: RankingRules, lowest: int) -> list[HandValue]:
        """What each hand is worth, in the order asked."""
        values = judge_for(rules, lowest).values(_array(hands))
        self._tally.judged("rank", len(hands))
        return values

    def openers(
        self,
        holdings: Mapping[int, Sequence[Card]],
        requirement: Requirement,
        draw: OpenDraw,
        rules: RankingRules,
        lowest: int,
    ) -> dict[int, tuple[Card, ...]]:
        """The slots that may open, with the cards that qualify each; holdings are one to five cards."""
        whole = [slot for slot, cards in holdings.items() if len(cards) == 5]
        hands = _array([holdings[slot] for slot in whole])
        flags = may_open(judge_for(rules, lowest), hands, requirement, draw)
        passed_over = {slot for slot, flag in zip(whole, flags, strict=True) if not flag}
        qualifying = {
            slot: qualifying_cards(cards, requirement, draw, rules, lowest)
            for slot, cards in holdings.items()
            if slot not in passed_over
        }
        self._tally.judged("open", len(holdings))
        return {slot: cards for slot, cards in qualifying.items() if cards}

    def winners(
        self,
        hands: Mapping[int, Sequence[Card]],
        contests: Sequence[Sequence[int]],
        rules: RankingRules,
        lowest: int,
    ) -> tuple[list[frozenset[int]], dict[int, HandValue]]:
        """The winner set of each contest among its own slots only, and the value of each hand."""
        judge = judge_for(rules, lowest)
        array = _array(list(hands.values()))
        if len(np.unique(array)) < array.size:
            raise NotAHandError("a card is held twice: hands that meet come from one deal")
        strengths = dict(zip(hands, judge.strengths(array).tolist(), strict=True))
        values = dict(zip(hands, judge.values(array), strict=True))
        self._tally.judged("win", len(hands))
        return [winner_set({slot: strengths[slot] for slot in slots}, rules) for slots in contests], values


def _array(hands: Sequence[Sequence[Card]]) -> Hands:
    if any(len(cards) != 5 for cards in hands):
        raise NotAHandError("a hand is five cards")
    return np.array(hands, np.uint8).reshape(-1, 5)
