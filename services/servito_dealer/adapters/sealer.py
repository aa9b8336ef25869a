"""What the dealer seals: elements of a hand's record, each bound to the hand and to its place there.

The seal itself is the platform's (`servito_platform.seals`), under a key for each hand. An element that was
changed, or moved to another hand or place, does not open. Forms differ in nothing but their number: 2 is what
begins a hand of a scheme that the release before does not know, which would deal other cards from it and so
must not open it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from servito_platform.seals import Seals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FORM: Final = 1
NEW_FORM: Final = 2
_PURPOSE: Final = "dealer seal"


class Sealer:
    """Seals under the first of `keys` (id -> 32 bytes) and opens what any of them sealed. `source` gives so
    many random bytes, for nonces; what it raises, `seal` raises.
    """

    def __init__(self, keys: Mapping[str, bytes], source: Callable[[int], bytes] = os.urandom) -> None:
        forms = (FORM, NEW_FORM)
        self._seals = Seals(keys, _PURPOSE, forms=forms, place_first=True, source=source)

    def seal(self, hand: str, place: int, content: bytes, form: int = FORM) -> bytes:
        """`content` as element `place` of the record of `hand`; never twice the same bytes."""
        return self._seals.seal(hand, _place(hand, place), content, form)

    def open(self, hand: str, place: int, sealed: bytes) -> bytes:
        """What was sealed for this hand and place; SealError for anything else."""
        return self._seals.open(hand, _place(hand, place), sealed)


def _place(hand: str, place: int) -> bytes:
    return b"%s\0%d\0" % (hand.encode(), place)
