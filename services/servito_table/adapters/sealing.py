"""What the table service seals in the state server, and opens again: hidden parts of tables and commits, for
itself and, of commits, for the auditor; and fingerprints of requests that would give a hidden card away.

A seal stands behind the public part, as the last field of the same message, and is bound to all of it, to
table, version and lineage: neither of the two can be exchanged, moved to another table or put back from
another version without its being noticed. What does not open is a refusal, an alarm and a count, and changes
nothing. Not here: what is hidden (servito_wire, pieces.py). Changes with store.proto.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Self

import structlog

from servito.table.v1 import store_pb2 as store
from servito_platform.audit_seal import bound
from servito_platform.seal_keys import DEVELOPMENT_KEYS, SealError, parse_seal_keys
from servito_platform.seals import Seals, UnknownKeyError
from servito_table.adapters.schema import UnreadableState
from servito_table.app.refusals import TableReason, TableRefused
from servito_wire.fields import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servito_platform.audit_seal import AuditSealer
    from servito_table.app.commits import Place, Request

_TABLE: Final = Block(store.StoredTable, "sealed")
_COMMIT: Final = Block(store.StoredCommit, "sealed")
PURPOSE: Final = "table seal"
"""What the keys of seals are derived for."""
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class SealedState(TableRefused):
    """What is stored of a table is not what was sealed there, or no message at all."""

    def __init__(self, table_id: str, what: str, why: Exception) -> None:
        super().__init__(
            TableReason.INTERNAL, f"a {what} of table {table_id} does not open: {why}; nothing was changed"
        )


class KeyNotGiven(UnreadableState):
    """It was sealed under a key that this process was not given. Another one may have it: it was sealed by
    one.
    """

    def __init__(self, table_id: str, what: str, why: SealError) -> None:
        super().__init__(f"a {what} of table {table_id} does not open", str(why))


class Sealing:
    """See the module. `broken` is called with "unknown_key" or "broken" for what does not open, and with
    "unreadable" for what is no message. Without `auditor` nothing hidden goes into the audit stream.
    """

    def __init__(
        self,
        seals: Seals,
        auditor: AuditSealer | None = None,
        broken: Callable[[str], None] = lambda _why: None,
    ) -> None:
        self._seals = seals
        self._auditor = auditor
        self._broken = broken
        self._fingerprints = seals.derived("requests")

    @classmethod
    def development(cls) -> Self:
        """Under the key that everybody knows."""
        return cls(Seals(parse_seal_keys(DEVELOPMENT_KEYS), PURPOSE))

    def table(self, table_id: str, at: Place, public: bytes, hidden: bytes) -> bytes:
        """A StoredTable with its seal."""
        return public + _TABLE(self._seals.seal(table_id, _to("table", at, public), hidden))

    def open_table(
        self, table_id: str, at: Place, stored: bytes, table: store.StoredTable
    ) -> store.TableSecrets:
        """What is hidden of `stored`, which was read as `table`. SealedState."""
        hidden = self._open("table", table_id, at, stored, _TABLE(table.sealed), table.sealed)
        return store.TableSecrets.FromString(hidden)

    def commit(self, table_id: str, at: Place, public: bytes, hidden: bytes) -> bytes:
        """A StoredCommit with its seal."""
        return public + _COMMIT(self._seals.seal(table_id, _to("commit", at, public), hidden))

    def open_commit(
        self, table_id: str, at: Place, stored: bytes, commit: store.StoredCommit
    ) -> store.CommitSecrets:
        """What is hidden of `stored`, which was read as `commit`. SealedState."""
        hidden = self._open("commit", table_id, at, stored, _COMMIT(commit.sealed), commit.sealed)
        return store.CommitSecrets.FromString(hidden)

    def for_auditor(self, table_id: str, at: Place, parent: int, public: bytes, hidden: bytes) -> bytes:
        """The auditor's seal; b"" without an auditor."""
        if self._auditor is None:
            return b""
        return self._auditor.seal(bound(table_id, at.version, at.lineage, parent, public), hidden)

    def fingerprint(self, request: Request) -> str:
        """As it is stored: of what hides something it must not be possible to find it by trying."""
        return _keyed(request, self._fingerprints[0]) if request.hidden else request.fingerprint

    def other_fingerprints(self, request: Request) -> Sequence[str]:
        """Those of other keys and forms, for a request that was remembered before a key or the form was
        changed.
        """
        if not request.hidden:
            return ()
        return [*(_keyed(request, key) for key in self._fingerprints[1:]), request.fingerprint]

    def unreadable(self, what: str, table_id: str, at: Place, why: Exception) -> SealedState:
        """To be raised for bytes that no release has written: the alarm is that of a broken seal."""
        self._broken("unreadable")
        told = {"table": table_id, "version": at.version, "what": what, "why": str(why)}
        _log.error("stored_unreadable", **told)
        return SealedState(table_id, what, why)

    def _open(self, what: str, table_id: str, at: Place, stored: bytes, last: bytes, sealed: bytes) -> bytes:
        try:
            if not stored.endswith(last):
                raise SealError("there is no seal at its end")
            return self._seals.open(table_id, _to(what, at, stored[: -len(last)]), sealed)
        except SealError as why:
            elsewhere = isinstance(why, UnknownKeyError)
            self._broken("unknown_key" if elsewhere else "broken")
            told = {"table": table_id, "version": at.version, "what": what, "why": str(why)}
            _log.error("seal_does_not_open", **told)
            raise (KeyNotGiven if elsewhere else SealedState)(table_id, what, why) from None


def _to(what: str, at: Place, public: bytes) -> bytes:
    return b"%s %d %d\0" % (what.encode(), at.version, at.lineage) + public


def _keyed(request: Request, key: bytes) -> str:
    return blake2b(request.fingerprint.encode(), digest_size=8, key=key).hexdigest()
