"""Hands written by a person, named and compared: what `servito eval` shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito_core.cards import Card, format_cards, parse_cards
from servito_core.naming import name_en, name_it
from servito_core.ranking import rank, winners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.rules import RankingRules
    from servito_core.values import HandValue


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """One hand with its worth; `wins` if nobody else holds more (with others: it shares the pot)."""

    cards: tuple[Card, ...]
    value: HandValue
    wins: bool

    @property
    def line(self) -> str:
        """Cards, name in Italian and in English."""
        return f"{format_cards(self.cards)}  {name_it(self.value)} / {name_en(self.value)}"


def judge_hands(texts: Sequence[str], rules: RankingRules, lowest: int) -> list[JudgedHand]:
    """Judge hands such as `Ah Kd Qc Jh 9s`, all of one deal, in the order given.

    `CardError` or `NotAHandError` if one cannot be read, is not five cards of the deck from rank `lowest`,
    or shares a card with another.
    """
    hands = {seat: parse_cards(text) for seat, text in enumerate(texts)}
    won = winners(hands, rules, lowest)
    return [JudgedHand(cards, rank(cards, rules, lowest), seat in won) for seat, cards in hands.items()]
