"""Digests of a hand's state, by which a stored hand is compared when it is folded again.

`shown` is of what a spectator sees and may lie open. `whole` is of everything and belongs under a seal: of a
hand that hides five cards from somebody, he could try all that they might be. A digest begins with the number
of its form, which changes with what is digested (`views`, `hand`): an old one is never taken for wrong.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from servito_core.view import view_for
from servito_wire.hand import hand_to_proto
from servito_wire.views import hand_view_to_proto

if TYPE_CHECKING:
    from servito_core.state import HandState

FORM: Final = 1
"""The form of the digests that are made; the first byte of each."""
SIZE: Final = 17
"""Bytes of a digest, its form included."""


def shown(hand: HandState, table_id: str) -> bytes:
    """Of the hand as everybody sees it."""
    view = hand_view_to_proto(view_for(hand, None), table_id)
    return _digest(b"servito shown", view.SerializeToString(deterministic=True))


def whole(hand: HandState) -> bytes:
    """Of the hand with every card, but for the rules that it is played by. To be sealed."""
    return _digest(b"servito whole", hand_to_proto(hand).SerializeToString(deterministic=True))


def _digest(of: bytes, content: bytes) -> bytes:
    return bytes((FORM,)) + blake2b(content, digest_size=SIZE - 1, person=of).digest()
