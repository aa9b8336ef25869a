"""What may be asked of a hand's deck, and what is answered: frozen data without behaviour.

A hand is its seed, its `Opening` and its entries in order; that is all that is stored, and every answer is
recomputed from it (`record.py`). Answers hold cards, so their `repr` shows none: no log or traceback can
spill one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from servito_core.cards import Card

FIRST_CARDS = 5
"""Cards that each slot gets in the deal."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Declares a hand: its deck (every card from `lowest_rank` to the ace), its slots, the most cards a slot
    may get in one draw, and its draws. The slots' first five cards fit the deck.
    """

    hand: str
    lowest_rank: int
    slots: int
    draw_max: int
    draws: int = 1
    holders: bytes = b""
    """A digest of who holds the slots, only compared: 32 bytes or none."""

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return 4 * (15 - self.lowest_rank)


@dataclass(frozen=True, slots=True)
class DealEntry:
    """Entry 0 of every record: five cards to each slot, one at a time, in slot order.

    `contributions`: what the players' entropy comes to in this hand, 32 bytes for each slot or none for one
    whose player has set none; empty where nobody has.
    """

    number: ClassVar[int] = 0
    contributions: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawEntry:
    """Entry `number` of the record: `count` cards to `slot` in the hand's draw `draw`.

    `excluded` and each of `refills` are sets of positions, written in ascending order so that equal sets are
    equal.
    """

    number: int
    slot: int
    draw: int
    count: int
    excluded: tuple[int, ...] = ()
    refills: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError("draws are entries 1, 2, 3 ...: entry 0 is the deal")


Entry = DealEntry | DrawEntry


class DealtCard(NamedTuple):
    """A card and the position from which it was dealt."""

    card: Card
    position: int

    def __repr__(self) -> str:
        return f"<card at position {self.position}>"


class Committed(NamedTuple):
    """A shuffle, at positions `first_position` .. `first_position + size - 1`, and the root that binds the
    dealer to its order; empty in hands that are not committed to.
    """

    first_position: int
    size: int
    root: bytes = b""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Answer to the deal: the five cards of each slot, in slot order, the cards left in the stock, and what
    the dealer was bound to before it dealt them.
    """

    hands: tuple[tuple[DealtCard, ...], ...]
    stock_left: int
    entropy_digest: bytes
    shuffled: Committed


@dataclass(frozen=True, slots=True)
class Drawn:
    """Answer to a draw: cards as dealt, what is left in the stock, the refills that were shuffled."""

    cards: tuple[DealtCard, ...]
    stock_left: int
    shuffled: tuple[Committed, ...]


class Proof(NamedTuple):
    """What opens a position: its card and salt, the leaf that they make, and the way up to the root."""

    position: int
    card: Card
    salt: bytes
    leaf: bytes
    path: tuple[bytes, ...]

    def __repr__(self) -> str:
        return f"<proof of position {self.position}>"


@dataclass(frozen=True, slots=True)
class Proofs:
    """What a hand is bound to so far, and the proofs that were asked for; no digest before the deal."""

    seed_hash: bytes
    entropy_digest: bytes
    shuffles: tuple[Committed, ...]
    proofs: tuple[Proof, ...]


Answer = Dealt | Drawn
