"""What the dealer is bound to before a card leaves: the hashes of the scheme, each by its definition.

Scheme 2, published in this order: the hash of the seed, the digest of the players' entropy, the root over the
salted positions of a shuffle. Every hash names its purpose, the hand and everything that it depends on, each
field behind its length, so that no two inputs run together. The same definitions stand a second time in both
verifiers (`servito_client.verifying`, `deploy/verifier/verify_hand.py`), which share no code with this file:
test vectors hold the three together. **Changing one of them makes the proofs of hands that were already dealt
worthless.**
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_dealer.app.requests import Opening

DOMAIN = b"servito deal 2 "
SALT_BYTES = 32

_FOUR, _THIRTY_TWO = (length.to_bytes(4, "big") for length in (4, 32))
_CARDS = tuple(b"\0\0\0\1" + bytes((card,)) for card in range(256))
"""Lengths before fields, and cards as fields, written out where a hand makes a hundred hashes."""


def digest(purpose: str, *fields: bytes) -> bytes:
    """SHA-256 of the purpose and the fields, each behind its length in four bytes."""
    return hashlib.sha256(_framed(DOMAIN + purpose.encode(), *fields)).digest()


def number(value: int) -> bytes:
    """A number as a field: four bytes, the highest first."""
    return value.to_bytes(4, "big")


def shape(opening: Opening) -> bytes:
    """Cards in the deck, slots, most cards of a draw, draws: a byte each."""
    return bytes((opening.deck_size, opening.slots, opening.draw_max, opening.draws))


def seed_hash(opening: Opening, seed: bytes) -> bytes:
    """Binds the dealer to the seed, before anything else is known."""
    return digest("seed", opening.hand.encode(), shape(opening), seed)


def entropy_digest(opening: Opening, seed_hash: bytes, contributions: Iterable[bytes]) -> bytes:
    """Binds the table to what the players contributed: one field for each slot, empty for none."""
    return digest("entropy", opening.hand.encode(), seed_hash, *contributions)


def leaves(hand: str, first: int, cards: Sequence[int], salts: bytes) -> list[bytes]:
    """The leaf of each position from `first` on; `salts` holds 32 bytes for each, one after the other."""
    begun = _framed(DOMAIN + b"leaf", hand.encode()) + _FOUR
    sha256, join = hashlib.sha256, b"".join
    each = zip(range(first, first + len(cards)), range(0, len(salts), SALT_BYTES), cards, strict=True)
    return [
        sha256(join((begun, number(at), _THIRTY_TWO, salts[salt : salt + SALT_BYTES], _CARDS[card]))).digest()
        for at, salt, card in each
    ]


def tree(leaves: list[bytes]) -> list[list[bytes]]:
    """The levels of the Merkle tree, leaves first: two neighbours make a node, an odd last one goes up as it
    is (which is the tree of RFC 6962).
    """
    begun = _framed(DOMAIN + b"node") + _THIRTY_TWO
    sha256, join = hashlib.sha256, b"".join
    levels = [leaves]
    while len(level := levels[-1]) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [sha256(join((begun, left, _THIRTY_TWO, right))).digest() for left, right in pairs]
        levels.append(above + level[len(above) * 2 :])
    return levels


def path(levels: Sequence[Sequence[bytes]], index: int) -> tuple[bytes, ...]:
    """The neighbours that lead from leaf `index` to the top, from below."""
    found = []
    for level in levels[:-1]:
        neighbour = index ^ 1
        if neighbour < len(level):
            found.append(level[neighbour])
        index //= 2
    return tuple(found)


def root(
    opening: Opening, shuffle: int, first: int, size: int, bound: tuple[bytes, bytes], top: bytes
) -> bytes:
    """Binds the dealer to an order: shuffle `shuffle` of the hand, which lies at `first` and the `size` - 1
    positions behind it; `bound` are seed hash and entropy digest, `top` is the top of its tree.
    """
    at = (number(shuffle), number(first), number(size))
    return digest("root", opening.hand.encode(), shape(opening), *at, *bound, top)


def _framed(*fields: bytes) -> bytes:
    return b"".join([part for field in fields for part in (len(field).to_bytes(4, "big"), field)])
