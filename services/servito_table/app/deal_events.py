"""What binds the dealer before cards come, what players contribute to their order, and what opens them after.

Events are past tense and frozen, as all; that a seat contributes something else is told to its own player
alone (`messages.own_events.PRIVATE`). Hashes are the dealer's: the table publishes them, and makes none but
those of what its players contribute (`adapters.contributions`).
"""

from __future__ import annotations

from dataclasses import dataclass

from servito_core.cards import Card
from servito_core.commands import SupplyDeal, SupplyDraw


@dataclass(frozen=True, slots=True)
class DeckCommitted:
    """The dealer is bound to the order of the deck; `CardsDealt` follows."""

    seed_hash: bytes
    entropy_digest: bytes
    size: int
    slots: int
    draw_max: int
    draws: int
    root: bytes


@dataclass(frozen=True, slots=True)
class RefillCommitted:
    """The dealer is bound to the order of dead cards that became the stock; `CardsDrawn` follows."""

    first_position: int
    size: int
    root: bytes


@dataclass(frozen=True, slots=True)
class EntropySet:
    """The seat contributes this from the next hand on that it is dealt into; empty: nothing."""

    seat: int
    entropy: bytes


CommittedEvent = DeckCommitted | RefillCommitted
DealEvent = CommittedEvent | EntropySet


@dataclass(frozen=True, slots=True)
class Holder:
    """Who gets the cards of a slot, and what he contributes to their order."""

    player: str
    entropy: bytes


@dataclass(frozen=True, slots=True)
class Supplied:
    """The dealer's answer: cards, and what it was bound to before; nothing in hands without roots."""

    cards: SupplyDeal | SupplyDraw
    committed: tuple[CommittedEvent, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Opening:
    """What opens a position: its card and salt, the leaf that they make, the way from it to the root."""

    position: int
    card: Card
    salt: bytes
    leaf: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Proofs:
    """What the dealer says that it is bound to in a hand, and what opens cards of it."""

    seed_hash: bytes
    entropy_digest: bytes
    shuffles: tuple[RefillCommitted, ...]
    """The deck first."""
    openings: tuple[Opening, ...]
