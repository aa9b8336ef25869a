"""Where the order of a hand comes from: one endless byte stream per purpose, and an unbiased shuffle that
reads it.

The stream is SHAKE-256 over seed, hand and purpose, and in hands that are committed to over their shape and
the players' entropy as well (`source`). So the same seed gives the same order for ever, anyone who is given
the seed can recompute it with a standard hash, and two purposes of one hand never share a byte. Nothing here
draws entropy. **Changing one byte of this file's output changes hands that were already dealt**: the golden
vectors of `tests/dealer/test_stream.py` must never be edited.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SEED_BYTES = 32
DOMAIN = b"servito dealer stream 1"
COMMITTED_DOMAIN = b"servito dealer stream 2"
"""Streams with a context."""

_BLOCK = 136  # the rate of SHAKE-256: a deck of 52 needs about 60 bytes, nearly always one block
_LIMITS = (0, *(256 - 256 % bound for bound in range(1, 257)))
"""By bound: where the last, incomplete run of so many numbers begins among the values of a byte."""
_T = TypeVar("_T")


class ByteStream:
    """Bytes that depend on all of `seed` (32 bytes), `hand`, `purpose` and `context`, and on nothing else.

    A NUL ends each text, and neither text may contain one, so that no two inputs run together; `context`
    comes last and is empty, or always of the same length.
    """

    __slots__ = ("_at", "_buffer", "_state")

    def __init__(self, seed: bytes, hand: str, purpose: str, context: bytes = b"") -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        if "\0" in hand or "\0" in purpose:
            raise ValueError("hand and purpose may not contain NUL")
        domain = COMMITTED_DOMAIN if context else DOMAIN
        self._state = hashlib.shake_256(b"\0".join((domain, hand.encode(), purpose.encode(), seed + context)))
        self._buffer = self._state.digest(_BLOCK)
        self._at = 0

    def __iter__(self) -> Iterator[int]:
        """The bytes that were not read yet, without end, each 0..255."""
        while True:
            if self._at == len(self._buffer):
                # A longer digest of SHAKE continues the shorter one.
                self._buffer = self._state.digest(2 * len(self._buffer))
            self._at += 1
            yield self._buffer[self._at - 1]

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        end = self._at + count
        if end > len(self._buffer):
            self._buffer = self._state.digest(max(end, 2 * len(self._buffer)))
        self._at, begin = end, self._at
        return self._buffer[begin:end]


def shuffled(items: Sequence[_T], stream: Iterable[int]) -> list[_T]:
    """`items` (at most 256) in an order in which every permutation is equally likely: Fisher-Yates from the
    end, each place by a byte of `stream`.

    Of `bound` cards that are left a byte chooses one by its remainder. Bytes of the last, incomplete run of
    `bound` numbers are thrown away (rejection), which is what keeps the remainder from favouring small ones.
    """
    order = list(items)
    bound = len(order)
    if bound > 256:
        raise ValueError(f"a byte cannot choose fairly among {bound}")
    if bound < 2:
        return order
    for byte in stream:
        if byte >= _LIMITS[bound]:
            continue
        chosen, bound = byte % bound, bound - 1
        order[bound], order[chosen] = order[chosen], order[bound]
        if bound == 1:
            return order
    raise ValueError("the stream ended in the middle of a shuffle")
