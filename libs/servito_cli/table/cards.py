"""Cards as a terminal shows them: each suit in its colour, the backs of hidden ones.

Four colours, because spades from clubs and hearts from diamonds have to be told apart at a glance. Changes
with `servito_cli.words`, which writes the cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from servito_cli.words import CardText, suit_signs

SUIT_STYLES: Final = ("bold", "bold green", "bold dodger_blue1", "bold red")
"""Spades, clubs, diamonds, hearts."""
WRITTEN: Final = (
    (r"\b[2-9TJQKA][♠s](?!\w)", SUIT_STYLES[0]),
    (r"\b[2-9TJQKA][♣c](?!\w)", SUIT_STYLES[1]),
    (r"\b[2-9TJQKA][♦d](?!\w)", SUIT_STYLES[2]),
    (r"\b[2-9TJQKA][♥h](?!\w)", SUIT_STYLES[3]),
)
"""How cards are found again in a line that was told."""


def card(number: int, card_text: CardText) -> Text:
    """One card in the colour of its suit."""
    return Text(card_text(number), style=SUIT_STYLES[number % 4])


def cards(numbers: Iterable[int], card_text: CardText) -> Text:
    """Cards side by side, the best first."""
    return Text(" ").join(card(number, card_text) for number in sorted(numbers, reverse=True))


def backs(count: int, card_text: CardText) -> Text:
    """Cards that nobody may see."""
    back = "▒▒" if card_text is suit_signs else "##"
    return Text(" ".join([back] * count), style="dim")


def coloured(line: str) -> Text:
    """A told line, its cards in the colours of their suits."""
    text = Text(line)
    for pattern, style in WRITTEN:
        text.highlight_regex(pattern, style)
    return text
