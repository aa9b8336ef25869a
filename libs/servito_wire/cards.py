"""Cards on the wire: the core's own numbers 0..51, packed `repeated uint32`.

Not here: which cards may be held together, which only the receiver's rules can say. Changes with
`servito_core.cards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from servito_core.cards import DECK_SIZE, CardError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_core.cards import Card


def cards_from_proto(numbers: Iterable[int]) -> tuple[Card, ...]:
    """The cards of these numbers, in their order; `CardError` for a number that is no card."""
    cards = cast("tuple[Card, ...]", tuple(numbers))
    if cards and not (min(cards) >= 0 and max(cards) < DECK_SIZE):
        wrong = next(card for card in cards if not 0 <= card < DECK_SIZE)
        raise CardError(f"{wrong} is not a card: cards are numbered 0..51")
    return cards
