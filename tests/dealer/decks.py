"""Decks and orders of the dealer's own making, for the tests that look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.cards import deck_from
from servito_dealer.app.deck import Deck, fresh_deck
from servito_dealer.app.requests import Opening
from servito_dealer.app.source import COMMITTED, Source

if TYPE_CHECKING:
    from servito_core.cards import Card


def source(
    seed: bytes, hand: str, lowest_rank: int, scheme: int = COMMITTED, entropy: tuple[bytes, ...] = ()
) -> Source:
    """Of a hand of four slots, in which each may get four cards once."""
    return Source(seed, Opening(hand, lowest_rank, 4, 4), scheme, entropy)


def deck(seed: bytes, hand: str, lowest_rank: int, scheme: int = COMMITTED) -> Deck:
    """Its deck, nothing dealt."""
    return fresh_deck(source(seed, hand, lowest_rank, scheme))


def order(seed: bytes, hand: str, lowest_rank: int) -> tuple[Card, ...]:
    """The order of its deck, which is made without the commitments."""
    return source(seed, hand, lowest_rank).order(0, deck_from(lowest_rank))
