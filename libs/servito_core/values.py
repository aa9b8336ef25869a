"""What a hand is worth, as values: the words that core, wire, evaluator and command share.

Only types live here, so that the engine may name a hand value without importing how it is found (`ranking`).
Changes together with `naming`, `servito_wire.evaluator` and the evaluator's proto.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Category(IntEnum):
    """The categories as a stripped deck orders them; with 52 cards full may beat flush (`RULES.md B7`)."""

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
    """Kinds of straight flush: with a low ace, without an ace, with a high ace (`RULES.md A8`)."""

    MINIMA = 1
    MEDIA = 2
    MASSIMA = 3


@dataclass(frozen=True, slots=True)
class HandValue:
    """What five cards are worth under one set of ranking rules and one deck; how two compare is in `ranking`.

    `ranks` (2..14) are in the order in which they are compared: the combination first, then side cards
    descending; of a run its top card alone (the ten of A-7-8-9-10). `kind` is set for a straight flush
    only. `suit` (0..3) is the suit that breaks a tie of equal ranks under those rules, None where suits do
    not count.
    """

    category: Category
    ranks: tuple[int, ...]
    kind: SfKind | None = None
    suit: int | None = None
