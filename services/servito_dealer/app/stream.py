"""Where the order of a hand comes from: one endless byte stream per purpose, and an unbiased shuffle that
reads it.

The stream is SHAKE-256 over seed, hand and purpose, so the same seed gives the same order for ever, anyone
who is given the seed can recompute it with a standard hash, and two purposes of one hand never share a byte.
Nothing here draws entropy. **Changing one byte of this file's output changes hands that were already dealt**:
the golden vectors of `tests/dealer/test_stream.py` must never be edited.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED_BYTES = 32
DOMAIN = b"servito dealer stream 1"

_BLOCK = 136  # the rate of SHAKE-256: a deck of 52 needs about 60 bytes, nearly always one block
_T = TypeVar("_T")


class ByteStream:
    """Bytes that depend on all of `seed` (32 bytes), `hand` and `purpose`, and on nothing else.

    A NUL ends each text, and neither text may contain one, so that no two inputs run together.
    """

    __slots__ = ("_at", "_buffer", "_state")

    def __init__(self, seed: bytes, hand: str, purpose: str) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        if "\0" in hand or "\0" in purpose:
            raise ValueError("hand and purpose may not contain NUL")
        self._state = hashlib.shake_256(b"\0".join((DOMAIN, hand.encode(), purpose.encode(), seed)))
        self._buffer = self._state.digest(_BLOCK)
        self._at = 0

    def byte(self) -> int:
        """The next byte, 0..255."""
        if self._at == len(self._buffer):
            # A longer digest of SHAKE continues the shorter one.
            self._buffer = self._state.digest(2 * len(self._buffer))
        self._at += 1
        return self._buffer[self._at - 1]

    def below(self, bound: int) -> int:
        """A number 0..bound-1, each exactly as likely as the others; `bound` is 1..256.

        Bytes of the last, incomplete run of `bound` numbers are thrown away (rejection), which is what keeps
        the modulo from favouring small numbers.
        """
        if not 1 <= bound <= 256:
            raise ValueError(f"a bound is 1..256, not {bound}")
        limit = 256 - 256 % bound
        while (byte := self.byte()) >= limit:
            pass
        return byte % bound


def shuffled(items: Sequence[_T], stream: ByteStream) -> list[_T]:
    """`items` (at most 256) in an order in which every permutation is equally likely: Fisher-Yates from the
    end.
    """
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = stream.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order
