"""Cards and decks: the only place that knows how a card is numbered and written.

A card is a plain integer 0..51, `4 * (rank - 2) + suit`, with ranks 2..14 (ace 14) and suits 0 spades, 1
clubs, 2 diamonds, 3 hearts, so that a greater number is a greater card and suits break ties (`RULES.md
B7`). The same number travels on the wire; `servito_wire.cards` changes with this file. Nothing about hands
or rules belongs here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "scdh"
ACE = 14
DECK_SIZE = 52


class CardError(ValueError):
    """Text or a number that names no card, or the same card twice; the message says what is allowed."""


def make_card(rank: int, suit: int) -> Card:
    """The card of a rank 2..14 and a suit 0..3; `CardError` outside of these."""
    if not (2 <= rank <= ACE and 0 <= suit <= 3):
        raise CardError(f"no card has rank {rank} and suit {suit}: ranks are 2..14, suits 0..3")
    return Card(4 * (rank - 2) + suit)


def rank_of(card: Card) -> int:
    """2..14, the ace being 14."""
    return card // 4 + 2


def suit_of(card: Card) -> int:
    """0 spades, 1 clubs, 2 diamonds, 3 hearts."""
    return card % 4


def parse_card(text: str) -> Card:
    """The card written as rank and suit, `Ah` or `Tc`; `CardError` for anything else."""
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise CardError(f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, like Ah")
    return Card(4 * RANKS.index(text[0]) + SUITS.index(text[1]))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by blanks, in the order written; `CardError` if one is unreadable or occurs twice."""
    cards = tuple(parse_card(word) for word in text.split())
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise CardError(f"{format_card(twice)} occurs twice in {text!r}")
    return cards


def format_card(card: Card) -> str:
    """The inverse of `parse_card`; `CardError` if the number is not 0..51."""
    if not 0 <= card < DECK_SIZE:
        raise CardError(f"{card} is not a card: cards are numbered 0..51")
    return RANKS[card // 4] + SUITS[card % 4]


def format_cards(cards: Iterable[Card]) -> str:
    """The inverse of `parse_cards`."""
    return " ".join(format_card(card) for card in cards)


def lowest_card(lowest_rank: int) -> Card:
    """The least card of the deck that begins at `lowest_rank`, 2..9; `CardError` for any other rank."""
    if not 2 <= lowest_rank <= 9:
        raise CardError(f"no deck begins at rank {lowest_rank}: the lowest rank is 2..9")
    return Card(4 * (lowest_rank - 2))


@cache
def deck_from(lowest_rank: int) -> tuple[Card, ...]:
    """Every card from `lowest_rank` (2..9) to the ace, ascending (`RULES.md B1`)."""
    return tuple(Card(number) for number in range(lowest_card(lowest_rank), DECK_SIZE))


@cache
def deck_cards(lowest_rank: int) -> frozenset[Card]:
    """The cards of `deck_from`, for asking whether cards belong to it."""
    return frozenset(deck_from(lowest_rank))


def lowest_rank(players: int) -> int:
    """The lowest rank of the deck for this many players, eleven minus their number (`RULES.md B1`)."""
    return max(2, 11 - players)
