"""The chains: what the hash of a row covers. Pure; a reader in another language does the same.

Each table has two chains, of its commits and of its money. The hash of a row is SHA-256 over the name of the
form, the hash of the row before (32 zero bytes before the first), its place, and everything that the row
says; every part behind its length (8 bytes, the greatest first), a number as decimal text, nothing as no
part but its length of all ones. So a changed, missing, moved or added row does not fit where it stands.

It is no seal: who may write the archive could compute a whole chain anew. What holds him is a hash that was
noted elsewhere (`servito audit heads`), and the state server, whose tables stand on the last row.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from servito_history.rows import Commit, Payment

BEGIN: Final = bytes(32)
"""In place of the hash before the first row."""
_COMMIT: Final = b"servito history commit 1"
_PAYMENT: Final = b"servito history payment 1"
_NOTHING: Final = b"\xff" * 8

Part = bytes | str | int | None


def commit_hash(before: bytes, seq: int, follows: int | None, commit: Commit) -> bytes:
    """Of a row in a chain of commits."""
    return _digest(
        _COMMIT,
        before,
        seq,
        commit.table_id,
        commit.version,
        commit.lineage,
        commit.parent,
        follows,
        commit.at,
        commit.nth,
        commit.hand,
        commit.content,
        commit.record,
    )


def payment_hash(before: bytes, seq: int, payment: Payment) -> bytes:
    """Of a row in a chain of money."""
    return _digest(
        _PAYMENT,
        before,
        seq,
        payment.table_id,
        payment.version,
        payment.lineage,
        payment.at,
        payment.nth,
        payment.player,
        payment.amount,
    )


def _digest(*parts: Part) -> bytes:
    told = bytearray()
    for part in parts:
        if part is None:
            told += _NOTHING
            continue
        text = part if isinstance(part, bytes) else str(part).encode()
        told += len(text).to_bytes(8, "big") + text
    return sha256(told).digest()
