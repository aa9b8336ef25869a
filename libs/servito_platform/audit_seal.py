"""The audit stream's entries, and the seal in them that only the auditor opens.

    sealer = AuditSealer("a1", public)                          # the table service: the auditor's public key
    seal = sealer.seal(entry.bound, content)
    AuditOpener({"a1": private}).open(entry.bound, entry.sealed)    # the auditor, with his private keys

A seal is `1 | length of key id | key id | ephemeral public key (32) | nonce (12) | ciphertext and tag (16)`:
AES-256-GCM under HKDF-SHA256 of an X25519 agreement between the auditor's key and an ephemeral one. A process
draws that anew every few minutes and keeps no more of it than the agreed key, so a seal costs no curve
operation, and who takes the process over reads what it sealed in those minutes and nothing before. Who made a
seal it does not say: anybody can seal for a public key. Here are bytes only; what is inside is
`servito_wire.secrets`'. Changes with commit.lua of the table service.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from servito_platform.seal_keys import SealError
from servito_platform.seals import FORM, NONCE, frame_of, head_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RENEWED_SECONDS: Final = 300.0
_PUBLIC: Final = 32
_LABEL: Final = b"servito audit seal 1"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry of `{pNNN}:audit`: the commit that made `version` of a table, of `lineage`, out of that of
    `parent`.

    `public` is a StoredCommit; `sealed` a CommitSecrets for the auditor, b"" where nothing is hidden.
    """

    table_id: str
    version: int
    lineage: int
    parent: int
    public: bytes
    sealed: bytes

    @classmethod
    def of(cls, fields: Mapping[bytes, bytes]) -> Self:
        """From the fields of the stream. KeyError or ValueError where they are no entry."""
        return cls(
            fields[b"t"].decode(),
            int(fields[b"v"]),
            int(fields[b"l"]),
            int(fields[b"p"]),
            fields[b"e"],
            fields.get(b"s", b""),
        )

    @property
    def bound(self) -> bytes:
        """What the seal is bound to."""
        return bound(self.table_id, self.version, self.lineage, self.parent, self.public)


def bound(table_id: str, version: int, lineage: int, parent: int, public: bytes) -> bytes:
    """What a seal is bound to: it opens nowhere else."""
    return b"%s %d %d %d\0" % (table_id.encode(), version, lineage, parent) + public


class AuditSealer:
    """Seals for the auditor whose X25519 public key is `public`. ValueError if that is none."""

    def __init__(
        self,
        name: str,
        public: bytes,
        *,
        renewed: float = RENEWED_SECONDS,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._auditor = X25519PublicKey.from_public_bytes(public)
        self._public = public
        self._name = name
        self._renewed = renewed
        self._seconds = seconds
        self._renew()

    def seal(self, to: bytes, content: bytes) -> bytes:
        """`content`, bound to `to`."""
        if self._seconds() >= self._until:
            self._renew()
        nonce = self._count.to_bytes(NONCE, "big")  # never twice: the key is this process's and this while's
        self._count += 1
        head = self._head + nonce
        return head + self._cipher.encrypt(nonce, content, head + to)

    def _renew(self) -> None:
        ephemeral = X25519PrivateKey.generate()
        own = ephemeral.public_key().public_bytes_raw()
        self._cipher = _cipher(ephemeral.exchange(self._auditor), own, self._public)
        self._head = head_of(FORM, self._name, own)
        self._count = 0
        self._until = self._seconds() + self._renewed


class AuditOpener:
    """Opens with the auditor's private keys, by id. ValueError if one is none."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = {name: X25519PrivateKey.from_private_bytes(key) for name, key in keys.items()}
        self._agreed: tuple[tuple[str, bytes], AESGCM] = (("", b""), AESGCM(bytes(32)))

    def open(self, to: bytes, sealed: bytes) -> bytes:
        """What was sealed and bound to `to`; SealError for anything else."""
        frame = frame_of(sealed, more=_PUBLIC)
        if frame.key not in self._keys:
            raise SealError(f"sealed for the auditor's key {frame.key!r}, which was not given")
        try:
            cipher = self._of(frame.key, frame.more)
            return cipher.decrypt(frame.nonce, frame.body, frame.head + to)
        except (InvalidTag, ValueError):
            raise SealError("changed since it was sealed, or sealed for another commit") from None

    def _of(self, name: str, ephemeral: bytes) -> AESGCM:
        """The agreed key; the latest one is kept, since entries of a while share it."""
        if self._agreed[0] != (name, ephemeral):
            key = self._keys[name]
            shared = key.exchange(X25519PublicKey.from_public_bytes(ephemeral))
            cipher = _cipher(shared, ephemeral, key.public_key().public_bytes_raw())
            self._agreed = (name, ephemeral), cipher
        return self._agreed[1]


def new_auditor_key() -> tuple[bytes, bytes]:
    """A private key for the auditor to keep, and the public one for the table service."""
    key = X25519PrivateKey.from_private_bytes(os.urandom(32))
    return key.private_bytes_raw(), key.public_key().public_bytes_raw()


def public_of(private: bytes) -> bytes:
    """The public key of a private one."""
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def _cipher(shared: bytes, ephemeral: bytes, auditor: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=ephemeral + auditor, info=_LABEL).derive(shared))
