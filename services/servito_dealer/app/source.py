"""What every order and every salt of a hand is made of, and what is committed to it.

Pure: the same source gives the same cards, salts and roots for ever. Two schemes: hands of the release before
there were commitments (1) are dealt to their end as they were begun; in scheme 2 the stream absorbs the shape
of the hand and the players' entropy, and every shuffle has its root.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito_dealer.app import commitments
from servito_dealer.app.requests import Committed, Proof
from servito_dealer.app.stream import ByteStream, shuffled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_core.cards import Card
    from servito_dealer.app.requests import Opening

PLAIN = 1
COMMITTED = 2


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """See the module. `contributions` come from the table, one for each slot, or none at all."""

    seed: bytes
    opening: Opening
    scheme: int
    contributions: tuple[bytes, ...] = ()
    seed_hash: bytes = field(init=False)
    entropy_digest: bytes = field(init=False)

    def __post_init__(self) -> None:
        bound = commitments.seed_hash(self.opening, self.seed)
        digest = commitments.entropy_digest(self.opening, bound, self.contributions)
        object.__setattr__(self, "seed_hash", bound)
        object.__setattr__(self, "entropy_digest", digest)

    def order(self, shuffle: int, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards, in whatever order they come, as shuffle `shuffle` of the hand leaves them."""
        return tuple(shuffled(tuple(cards), self._stream(f"shuffle {shuffle}")))

    def commitment(self, shuffle: int, first: int, cards: Sequence[Card]) -> Committed:
        """What is published about the order `cards`, which lies at position `first` and those behind it."""
        root = b"" if self.scheme == PLAIN else self._root(shuffle, first, cards)
        return Committed(first, len(cards), root)

    def proofs(
        self, shuffle: int, first: int, cards: Sequence[Card], positions: Iterable[int]
    ) -> list[Proof]:
        """What opens these positions of that order, and tells nothing about the others."""
        salts = self._salts(shuffle, len(cards))
        levels = commitments.tree(commitments.leaves(self.opening.hand, first, cards, salts))
        found = []
        for at in (position - first for position in positions):
            salt = salts[commitments.SALT_BYTES * at :][: commitments.SALT_BYTES]
            proof = Proof(first + at, cards[at], salt, levels[0][at], commitments.path(levels, at))
            found.append(proof)
        return found

    def _root(self, shuffle: int, first: int, cards: Sequence[Card]) -> bytes:
        salts = self._salts(shuffle, len(cards))
        levels = commitments.tree(commitments.leaves(self.opening.hand, first, cards, salts))
        bound = self.seed_hash, self.entropy_digest
        return commitments.root(self.opening, shuffle, first, len(cards), bound, levels[-1][0])

    def _salts(self, shuffle: int, count: int) -> bytes:
        """A stream of their own: they follow from no card and no order."""
        return self._stream(f"salts {shuffle}").take(commitments.SALT_BYTES * count)

    def _stream(self, purpose: str) -> ByteStream:
        context = b""
        if self.scheme == COMMITTED:
            context = commitments.shape(self.opening) + self.entropy_digest
        return ByteStream(self.seed, self.opening.hand, purpose, context)
