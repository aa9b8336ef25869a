"""Seals: AES-256-GCM under a key that only the dealer has, bound to the hand and to the place in its record.

A sealed element is `form | length of key id | key id | nonce (12) | ciphertext and tag (16)`. Each hand has a
key of its own, derived from the master key, so that random nonces cannot collide in the life of a master
key. An element that was changed, or moved to another hand or place, does not open. Forms differ in nothing
but their number: 2 is what begins a hand of a scheme that the release before does not know, which would deal
other cards from it and so must not open it.
"""

from __future__ import annotations

import hmac
import os
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FORM: Final = 1
NEW_FORM: Final = 2
_NONCE: Final = 12
_TAG: Final = 16


class SealError(Exception):
    """A sealed element cannot be opened; the text says why and holds nothing of its content."""


class Sealer:
    """Seals under the first of `keys` (id -> 32 bytes) and opens what any of them sealed. `source` gives so
    many random bytes, for nonces; what it raises, `seal` raises.
    """

    def __init__(self, keys: Mapping[str, bytes], source: Callable[[int], bytes] = os.urandom) -> None:
        self._keys = dict(keys)
        self._active = next(iter(self._keys))
        self._source = source

    def seal(self, hand: str, place: int, content: bytes, form: int = FORM) -> bytes:
        """`content` as element `place` of the record of `hand`; never twice the same bytes."""
        name = self._active.encode()
        nonce = self._source(_NONCE)
        head = bytes((form, len(name))) + name + nonce
        return head + self._cipher(self._active, hand).encrypt(nonce, content, _bound(hand, place, head))

    def open(self, hand: str, place: int, sealed: bytes) -> bytes:
        """What was sealed for this hand and place; SealError for anything else."""
        nonce_at = 2 + sealed[1] if len(sealed) > 1 else 0
        body_at = nonce_at + _NONCE
        if not nonce_at or sealed[0] not in (FORM, NEW_FORM) or len(sealed) < body_at + _TAG:
            raise SealError("not a sealed element of a form that this release reads")
        name = sealed[2:nonce_at].decode("ascii", "replace")
        if name not in self._keys:
            raise SealError(f"sealed under key {name!r}, which this dealer was not given")
        nonce, head = sealed[nonce_at:body_at], sealed[:body_at]
        try:
            return self._cipher(name, hand).decrypt(nonce, sealed[body_at:], _bound(hand, place, head))
        except InvalidTag:
            raise SealError("changed since it was sealed, or sealed for another hand or place") from None

    def _cipher(self, name: str, hand: str) -> AESGCM:
        return AESGCM(hmac.digest(self._keys[name], b"servito dealer seal 1\0" + hand.encode(), "sha256"))


def _bound(hand: str, place: int, head: bytes) -> bytes:
    return b"\0".join((hand.encode(), b"%d" % place, head))
