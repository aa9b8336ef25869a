"""What the use cases need from outside, as protocols; `adapters` implements them, `main` joins them.

An implementation raises `Refused(UNAVAILABLE)` when it cannot do its work; it never answers with less than it
promises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from servito_dealer.app.source import COMMITTED

if TYPE_CHECKING:
    from servito_dealer.app.refusals import Reason
    from servito_dealer.app.requests import DealEntry, Entry, Opening


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a stored record ended when it was read: its elements (the seed is one) and the last of them.

    Opaque to the use cases. No two elements are ever equal, so equal marks mean equal records.
    """

    length: int
    last: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Stored:
    """A record as the vault holds it, unsealed."""

    seed: bytes
    opening: Opening
    entries: tuple[Entry, ...]
    mark: Mark
    scheme: int = COMMITTED
    """Of `source`: how its orders come from the seed."""
    safe: bool = field(default=False, compare=False)
    """It is known that replicas have it, where there must be some; False: they do not, or were not asked."""


class Vault(Protocol):
    """Keeps sealed records, append-only, each for a limited time after its last entry."""

    async def open(self, opening: Opening, seed: bytes, *first: DealEntry) -> Stored:
        """Stores a new hand, with its entry 0 if that is known, unless there is one of this name; returns
        what is stored, this or the other, and says whether that is safe.
        """

    async def safe(self, hand: str) -> bool:
        """Whether what is stored of a hand, its seed above all, is safe; False if there is no such hand."""

    async def load(self, hand: str) -> Stored | None:
        """What is stored; None if there is no such hand, or it expired."""

    async def append(self, hand: str, mark: Mark, entry: Entry) -> Mark | Stored | None:
        """Adds `entry` if the record still ends at `mark`, and returns the new mark; else adds nothing and
        returns what is stored (None: no such hand).
        """


class Entropy(Protocol):
    """Seeds from the operating system."""

    def seed(self) -> bytes:
        """32 fresh bytes, never from a weaker source."""


class Monitor(Protocol):
    """Counts for the people who run it. Nothing that it is told names a hand, a seed or a card."""

    def hand_opened(self) -> None:
        """A new hand was sealed (a repeated request is not counted)."""

    def entry_recorded(self, kind: str, cards: int) -> None:
        """An entry, "deal" or "draw", was added to a record and dealt so many cards."""

    def refused(self, reason: Reason) -> None:
        """A request was refused."""
