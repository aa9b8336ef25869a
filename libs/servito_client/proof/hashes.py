"""The hashes of a hand, written down from their description (deploy/verifier/README.md), and the Merkle tree.

Changes with that page, and never for hands that were dealt.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

DOMAIN: Final = b"servito deal 2 "


def framed(purpose: str, *fields: bytes | int) -> bytes:
    """SHA-256 of the purpose and the fields, each behind its length; numbers and lengths are four bytes."""
    sha = hashlib.sha256()
    for field in (DOMAIN + purpose.encode(), *fields):
        content = field.to_bytes(4, "big") if isinstance(field, int) else field
        sha.update(len(content).to_bytes(4, "big"))
        sha.update(content)
    return sha.digest()


def leaf_of(hand: str, position: int, salt: bytes, card: int) -> bytes:
    """What a card at a position comes to; the salt keeps the 52 possible cards from being tried."""
    return framed("leaf", hand.encode(), position, salt, bytes((card,)))


def root_of(
    hand: str, shape: bytes, where: tuple[int, int, int], bound: tuple[bytes, bytes], top: bytes
) -> bytes:
    """What binds the dealer to a shuffle: `where` are its number, first position and size, `bound` the seed
    hash and the entropy digest of the hand.
    """
    return framed("root", hand.encode(), shape, *where, *bound, top)


def top_of(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The top of the tree to which `path` leads from leaf `index` of `size`; None if it has another length.

    A tree of `size` leaves has its greatest power of two below that on the left side (RFC 6962), so the way
    up is known from above: at each fork the leaf is on one side, and the path has the other one.
    """
    sides = []
    first, last = 0, size
    while last - first > 1:
        fork = first + (1 << (last - first - 1).bit_length() - 1)
        left = index < fork
        sides.append(left)
        first, last = (first, fork) if left else (fork, last)
    if len(sides) != len(path):
        return None
    for neighbour, left in zip(path, reversed(sides), strict=True):
        leaf = framed("node", leaf, neighbour) if left else framed("node", neighbour, leaf)
    return leaf
