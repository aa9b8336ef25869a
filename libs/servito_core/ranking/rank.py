"""What five cards are worth: their shape, completed by the suit that breaks a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.cards import DECK_SIZE, format_card, lowest_card, rank_of, suit_of
from servito_core.ranking.shape import shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.cards import Card
    from servito_core.rules import RankingRules
    from servito_core.values import HandValue


class NotAHandError(ValueError):
    """Cards that cannot be held together: the wrong number, one twice, or one that the deck does not hold.

    The message names no card that somebody might hold, only what is wrong; it may travel to a caller and a
    log.
    """


def rank(cards: Sequence[Card], rules: RankingRules, lowest: int) -> HandValue:
    """The value of five cards of the deck from rank `lowest` (2..9) to ace; `NotAHandError` otherwise."""
    if len(cards) != 5:
        raise NotAHandError(f"a hand is five cards, not {len(cards)}")
    check_holding(cards, lowest)
    suited = len({suit_of(card) for card in cards}) == 1
    shape = shape_of([rank_of(card) for card in cards], suited, rules, lowest)
    deciding = [suit_of(card) for card in cards if rank_of(card) == shape.suit_rank]
    return shape.value(max(deciding, default=None))


def check_holding(cards: Sequence[Card], lowest: int) -> None:
    """Raise `NotAHandError` unless these, at least one, are different cards of the deck from `lowest`."""
    first = lowest_card(lowest)
    if min(cards) < first or max(cards) >= DECK_SIZE:
        raise NotAHandError(f"a card is not of this deck, which holds {format_card(first)} to Ah")
    if len(set(cards)) != len(cards):
        raise NotAHandError("a card occurs twice")
