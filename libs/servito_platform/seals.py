"""Seals under keys that only one service has: AES-256-GCM, bound to what they belong to.

A seal is `form | length of key id | key id | nonce (12) | ciphertext and tag (16)`. Whatever is sealed for
one owner (a table, a hand) has a key of its own, derived from the master key, so that random nonces cannot
collide in the life of a master key. A seal that was changed, or put somewhere else than it is bound to, does
not open. The table's and the dealer's differ in what they are bound to (servito_table.adapters.sealing,
servito_dealer.adapters.sealer); the auditor's has a key of its own in the same frame (audit_seal.py).
"""

from __future__ import annotations

import hmac
import os
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from servito_platform.seal_keys import SealError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

FORM: Final = 1
NONCE: Final = 12
_TAG: Final = 16
_REMEMBERED: Final = 8192


class UnknownKeyError(SealError):
    """Sealed under a key that was not given here; another process may have it."""


class Frame(NamedTuple):
    """A seal in its parts. `head` is everything before `body`, `more` what a kind of seals has between key id
    and nonce.
    """

    key: str
    more: bytes
    nonce: bytes
    head: bytes
    body: bytes


def head_of(form: int, key: str, more: bytes = b"") -> bytes:
    """What a seal begins with, before its nonce."""
    return bytes((form, len(key))) + key.encode() + more


def frame_of(sealed: bytes, forms: Collection[int] = (FORM,), more: int = 0) -> Frame:
    """The parts of a seal of one of these forms, with so many bytes more; SealError for anything else."""
    more_at = 2 + sealed[1] if len(sealed) > 1 else 0
    nonce_at = more_at + more
    body_at = nonce_at + NONCE
    if not more_at or sealed[0] not in forms or len(sealed) < body_at + _TAG:
        raise SealError("not a seal of a form that this release reads")
    key = sealed[2:more_at].decode("ascii", "replace")
    return Frame(key, sealed[more_at:nonce_at], sealed[nonce_at:body_at], sealed[:body_at], sealed[body_at:])


def key_of(sealed: bytes) -> str | None:
    """The id of the key that a seal is under, which stands in front of it; None where it is no seal."""
    if len(sealed) < 2 or sealed[0] != FORM or len(sealed) < 2 + sealed[1]:
        return None
    return sealed[2 : 2 + sealed[1]].decode("ascii", "replace")


class Seals:
    """Seals under the first of `keys` (id -> 32 bytes) and opens what any of them sealed. `purpose` keeps
    keys apart that are derived for other things.

    `forms`: those that are opened. `place_first`: a seal is bound to its place and head in this order, as the
    dealer's are, not to head and place. `source` gives so many random bytes, for nonces; what it raises,
    `seal` raises.
    """

    def __init__(
        self,
        keys: Mapping[str, bytes],
        purpose: str,
        *,
        forms: Collection[int] = (FORM,),
        place_first: bool = False,
        source: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._keys = dict(keys)
        self._purpose = purpose
        self._active = next(iter(self._keys))
        self._heads = {form: head_of(form, self._active) for form in forms}
        self._place_first = place_first
        self._source = source
        self._ciphers: dict[tuple[str, str], AESGCM] = {}

    def seal(self, owner: str, to: bytes, content: bytes, form: int = FORM) -> bytes:
        """`content`, bound to `owner` and to the place `to`; never twice the same bytes."""
        nonce = self._source(NONCE)
        head = self._heads[form] + nonce
        return head + self._cipher(self._active, owner).encrypt(nonce, content, self._bound(head, to))

    def open(self, owner: str, to: bytes, sealed: bytes) -> bytes:
        """What was sealed for `owner` and `to`; SealError for anything else, UnknownKeyError among them."""
        frame = frame_of(sealed, self._heads)
        if frame.key not in self._keys:
            raise UnknownKeyError(f"sealed under key {frame.key!r}, which was not given here")
        cipher = self._cipher(frame.key, owner)
        try:
            return cipher.decrypt(frame.nonce, frame.body, self._bound(frame.head, to))
        except InvalidTag:
            raise SealError("changed since it was sealed, or sealed for another place") from None

    def derived(self, what: str) -> list[bytes]:
        """A key for something else than sealing, from each of the keys, the active one's first."""
        return [self._derive(name, "\0" + what) for name in self._keys]

    def _bound(self, head: bytes, to: bytes) -> bytes:
        return to + head if self._place_first else head + to

    def _cipher(self, name: str, owner: str) -> AESGCM:
        cipher = self._ciphers.get((name, owner))
        if cipher is None:
            if len(self._ciphers) >= _REMEMBERED:
                self._ciphers.clear()
            cipher = self._ciphers[name, owner] = AESGCM(self._derive(name, owner))
        return cipher

    def _derive(self, name: str, owner: str) -> bytes:
        return hmac.digest(self._keys[name], f"servito {self._purpose} 1\0{owner}".encode(), "sha256")
