"""What players' entropy comes to in a hand: hashes that the dealer is given, and cannot foresee.

Each is bound to the hand, the slot and the dealer's seed hash, so that it differs from hand to hand though
the entropy stands: a dealer that knows those of earlier hands learns nothing for its choice of the next seed.
The definitions are those of `deploy/verifier/README.md`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_table.app.deal_events import Holder

_DOMAIN: Final = b"servito deal 2 "


def contributions(hand: str, seed_hash: bytes, holders: Sequence[Holder]) -> tuple[bytes, ...]:
    """One for each slot, empty for who contributes nothing; none at all where nobody does."""
    if not any(holder.entropy for holder in holders):
        return ()
    return tuple(
        _digest("contribution", hand.encode(), seed_hash, slot.to_bytes(4, "big"), holder.entropy)
        if holder.entropy
        else b""
        for slot, holder in enumerate(holders)
    )


def entropy_digest(hand: str, seed_hash: bytes, contributed: Iterable[bytes]) -> bytes:
    """What the dealer has to answer that it absorbed."""
    return _digest("entropy", hand.encode(), seed_hash, *contributed)


def holders_digest(hand: str, holders: Iterable[Holder]) -> bytes:
    """Who holds the slots, for the dealer to compare; it learns no name by it."""
    return _digest("holders", hand.encode(), *(holder.player.encode() for holder in holders))


def _digest(purpose: str, *fields: bytes) -> bytes:
    framed = (_DOMAIN + purpose.encode(), *fields)
    return hashlib.sha256(b"".join(len(field).to_bytes(4, "big") + field for field in framed)).digest()
