"""How a card is written: with a sign for its suit, or with the letters of the scripts.

Sentences are in `texts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from servito_core.cards import Card, format_card

CardText = Callable[[int], str]

SUITS: Final = str.maketrans("scdh", "♠♣♦♥")


def suit_signs(card: int) -> str:
    """A card with its suit as a sign: `K♥`."""
    return format_card(Card(card)).translate(SUITS)


def letters(card: int) -> str:
    """A card as the scripts write it: `Kh`; for terminals without the signs."""
    return format_card(Card(card))


def written(cards: Iterable[int], text: CardText) -> str:
    """Cards in a line, the best first."""
    return " ".join(text(card) for card in sorted(cards, reverse=True))
