"""Hands written by a person, named and compared."""

from __future__ import annotations

import pytest

from servito_core.cards import CardError
from servito_core.ranking import NotAHandError
from servito_core.rules import RankingRules
from servito_script.hands import judge_hands

RULES = RankingRules()


def test_hands_are_named_and_the_winner_is_marked() -> None:
    """In the order given, in both languages; the circle decides."""
    judged = judge_hands(["Th Jh Qh Kh Ah", "As 7s 8s 9s Ts", "Kc Kd Ks 7c 7d"], RULES, 7)
    assert [hand.wins for hand in judged] == [False, True, False]
    assert judged[1].line == "As 7s 8s 9s Ts  scala reale minima al dieci / minimum straight flush, ten high"


def test_one_hand_alone_is_named() -> None:
    """It has nobody to lose against."""
    (judged,) = judge_hands(["Jd Js 8c 7h Qh"], RULES, 7)
    assert judged.wins
    assert judged.line.endswith("coppia di fanti / pair of jacks")


@pytest.mark.parametrize("texts", [["Ah Kd Qh Jc 9x"], ["Ah Ah Qh Jc 9h"]])
def test_unreadable_cards_are_refused(texts: list[str]) -> None:
    """No card, or a card twice."""
    with pytest.raises(CardError):
        judge_hands(texts, RULES, 7)


@pytest.mark.parametrize(
    "texts", [["Ah Kd Qh Jc"], ["Ah Kd Qh Jc 6h"], ["Ah Kd Qh Jc 9h", "Ah 7d 7h 7c 7s"], []]
)
def test_what_is_no_deal_is_refused(texts: list[str]) -> None:
    """Too few cards, a card of another deck, a card in two hands, no hand."""
    with pytest.raises(NotAHandError):
        judge_hands(texts, RULES, 7)
