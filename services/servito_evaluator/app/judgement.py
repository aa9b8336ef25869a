"""The use cases: name hands, find openers, find winners. Stateless; every call brings its deck and rules.

Cards come as the core's numbers 0..51. What cannot be held is refused with `NotAHandError`, whose text
names no card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from servito_core.openers import qualifying_cards
from servito_core.ranking import NotAHandError, check_holding
from servito_evaluator.app.opening import opens
from servito_evaluator.app.shelf import judge_for
from servito_evaluator.app.winning import winner_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from servito_core.cards import Card
    from servito_core.rules import RankingRules
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_core.values import HandValue
    from servito_evaluator.app.judge import Hands
    from servito_evaluator.app.ports import Tally

HAND: Final = 5


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
        judge, qualifying = judge_for(rules, lowest), {}
        for slot, cards in holdings.items():
            if len(cards) == HAND:
                check_holding(cards, lowest)
                if not opens(judge, cards, requirement, draw):
                    continue
            if found := qualifying_cards(cards, requirement, draw, rules, lowest):
                qualifying[slot] = found
        self._tally.judged("open", len(holdings))
        return qualifying

    def winners(
        self,
        hands: Mapping[int, Sequence[Card]],
        contests: Sequence[Sequence[int]],
        rules: RankingRules,
        lowest: int,
    ) -> tuple[list[frozenset[int]], dict[int, HandValue]]:
        """The winner set of each contest among its own slots only, and the value of each hand."""
        judge = judge_for(rules, lowest)
        _check_size(hands.values())
        if held := [card for cards in hands.values() for card in cards]:
            if len(set(held)) < len(held):
                raise NotAHandError("a card is held twice: hands that meet come from one deal")
            check_holding(held, lowest)
        strengths = {slot: judge.strength(cards) for slot, cards in hands.items()}
        values = {slot: judge.value(cards) for slot, cards in hands.items()}
        self._tally.judged("win", len(hands))
        return [winner_set({slot: strengths[slot] for slot in slots}, rules) for slots in contests], values


def _array(hands: Sequence[Sequence[Card]]) -> Hands:
    _check_size(hands)
    return np.array(hands, np.uint8).reshape(-1, HAND)


def _check_size(hands: Iterable[Sequence[Card]]) -> None:
    if any(len(cards) != HAND for cards in hands):
        raise NotAHandError("a hand is five cards")
