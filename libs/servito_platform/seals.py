"""Seals under keys that only one service has: AES-256-GCM, bound to what they belong to.

A seal is `1 | length of key id | key id | nonce (12) | ciphertext and tag (16)`. Whatever is sealed for one
owner (a table) has a key of its own, derived from the master key, so that random nonces cannot collide in the
life of a master key. A seal that was changed, or put somewhere else than it is bound to, does not open. The
dealer's, which are older, are its own (servito_dealer.adapters.sealer).
"""

from __future__ import annotations

import hmac
import os
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from servito_platform.seal_keys import SealError

if TYPE_CHECKING:
    from collections.abc import Mapping

_FORM: Final = 1
_NONCE: Final = 12
_TAG: Final = 16
_REMEMBERED: Final = 8192


class UnknownKeyError(SealError):
    """Sealed under a key that was not given here; another process may have it."""


def key_of(sealed: bytes) -> str | None:
    """The id of the key that a seal is under, which stands in front of it; None where it is no seal."""
    if len(sealed) < 2 or sealed[0] != _FORM or len(sealed) < 2 + sealed[1]:
        return None
    return sealed[2 : 2 + sealed[1]].decode("ascii", "replace")


class Seals:
    """Seals under the first of `keys` (id -> 32 bytes) and opens what any of them sealed. `purpose` keeps
    keys apart that are derived for other things.
    """

    def __init__(self, keys: Mapping[str, bytes], purpose: str) -> None:
        self._keys = dict(keys)
        self._purpose = purpose
        active = next(iter(self._keys))
        self._active = active
        self._head = bytes((_FORM, len(active))) + active.encode()
        self._ciphers: dict[tuple[str, str], AESGCM] = {}

    def seal(self, owner: str, to: bytes, content: bytes) -> bytes:
        """`content`, bound to `owner` and `to`; never twice the same bytes."""
        nonce = os.urandom(_NONCE)
        head = self._head + nonce
        return head + self._cipher(self._active, owner).encrypt(nonce, content, head + to)

    def open(self, owner: str, to: bytes, sealed: bytes) -> bytes:
        """What was sealed for `owner` and `to`; SealError for anything else, UnknownKeyError among them."""
        nonce_at = 2 + sealed[1] if len(sealed) > 1 else 0
        body_at = nonce_at + _NONCE
        if not nonce_at or sealed[0] != _FORM or len(sealed) < body_at + _TAG:
            raise SealError("not a seal of a form that this release reads")
        name = sealed[2:nonce_at].decode("ascii", "replace")
        if name not in self._keys:
            raise UnknownKeyError(f"sealed under key {name!r}, which was not given here")
        nonce = sealed[nonce_at:body_at]
        try:
            return self._cipher(name, owner).decrypt(nonce, sealed[body_at:], sealed[:body_at] + to)
        except InvalidTag:
            raise SealError("changed since it was sealed, or sealed for another place") from None

    def derived(self, what: str) -> list[bytes]:
        """A key for something else than sealing, from each of the keys, the active one's first."""
        return [self._derive(name, "\0" + what) for name in self._keys]

    def _cipher(self, name: str, owner: str) -> AESGCM:
        cipher = self._ciphers.get((name, owner))
        if cipher is None:
            if len(self._ciphers) >= _REMEMBERED:
                self._ciphers.clear()
            cipher = self._ciphers[name, owner] = AESGCM(self._derive(name, owner))
        return cipher

    def _derive(self, name: str, owner: str) -> bytes:
        return hmac.digest(self._keys[name], f"servito {self._purpose} 1\0{owner}".encode(), "sha256")
