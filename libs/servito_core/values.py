"""What a hand is worth, as values: the words that core, wire, evaluator and command share.

Only types live here, so that the engine may name a hand value without importing how it is found (`ranking`).
Changes together with `naming`, `servito_wire.evaluator` and the evaluator's proto.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Category(IntEnum):
    """The nine categories in the order of a stripped deck; with 52 cards a full house may beat a flush (`RULES.md B7`)."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FULL_HOUSE = 5
    FLUSH = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


class SfKind(IntEnum):
    """The kinds of straight flush: below the ace (minima), without one (media), up to it (massima) (`RULES.md A8`)."""

    MINIMA = 1
    MEDIA = 2
    MASSIMA = 3


@dataclass(frozen=True, slots=True)
class HandValue:
    """What five cards are worth under one set of ranking rules and one deck.

    `ranks` (2..14) names the hand, most telling first: the rank of the four or three of a kind, of the pair(s), then the
    side cards descending; of a run its top card alone (the ten of A-7-8-9-10).
    `strength` is greater for the better hand and equal for a tie, but only among hands judged under the same rules and
    deck, and never between straight flushes of different kinds while the circle is on: for those see `ranking.winners`.
    """

    category: Category
    ranks: tuple[int, ...]
    kind: SfKind | None
    strength: int
