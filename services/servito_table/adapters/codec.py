"""A table as the state server keeps it: `TableState` <-> StoredTable, and commits for its streams.

Here: the table's own part; hands and the deals between them are `servito_wire`'s, commits without seals are
telling.py's, which forms are read and written is in schema.py, how what is hidden is sealed in sealing.py. It
runs with every action: of a table little is encoded anew (pieces.py), and its pieces are put side by side,
which protobuf reads as one message. Changes with store.proto and `app.state`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from google.protobuf.message import DecodeError

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.pieces import NO_HAND, REMEMBERED, Pieces
from servito_table.adapters.proposals import proposal_from_proto
from servito_table.adapters.schema import (
    FIRST,
    NEWEST,
    OLDEST,
    SEALED,
    UnreadableState,
    check_unsealed,
    lower_events,
    read_table,
)
from servito_table.adapters.sealing import Sealing
from servito_table.adapters.telling import ALL, told_from, told_to_bytes, told_to_piece
from servito_table.app.commits import Place
from servito_table.app.config import rules_of
from servito_table.app.listing import Listed
from servito_table.app.state import TableConfig, TableState
from servito_table.app.told import Told, told_by
from servito_table.messages.config import config_from_proto
from servito_table.messages.course import status_from_proto
from servito_table.messages.seats import (
    banks_left_from_store,
    read_hidden_of_seats,
    seat_from_store,
    waiters_from_store,
)
from servito_wire.digests import digests
from servito_wire.fields import Block, Values
from servito_wire.hand import between_from_proto, hand_from_proto, read_hidden
from servito_wire.secrets import hides, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servito_core.rules import RuleSet
    from servito_table.app.commits import Commit, Request
    from servito_wire.digests import Piece

NOWHERE: Final = Place(0)
"""For what is not stored, as in tests."""
_TURN: Final = Values(store.StoredTable, "turn")
_CONFIG: Final = Block(store.StoredCommit, "config")
_PUBLIC_DIGEST: Final = Block(store.StoredCommit, "public_digest")
_WHOLE_DIGEST: Final = Block(store.CommitSecrets, "whole_digest")


class Written(NamedTuple):
    """A commit in bytes: the StoredTable, the StoredCommit for the stream, and that for the audit stream with
    the auditor's seal, b"" where there is none.
    """

    state: bytes
    told: bytes
    audit: bytes = b""
    seal: bytes = b""


class Codec:
    """Both ways; remembers the heads, the players and the configurations that it met last.

    `schema`: the form that is written, and `oldest` that is read (schema.py); `unreadable` is called for a
    table that cannot be read. Where a table or commit is stored (`table_id`, `at`) is what its seal is bound
    to; SealedState is raised for one that does not open there.
    """

    def __init__(
        self,
        schema: int = NEWEST,
        unreadable: Callable[[], None] = lambda: None,
        sealing: Sealing | None = None,
        oldest: int = OLDEST,
    ) -> None:
        self._schema = schema
        self._unreadable = unreadable
        self._sealing = sealing or Sealing.development()
        self._oldest = oldest
        self._pieces = Pieces(schema)
        self._configs: dict[bytes, tuple[TableConfig, RuleSet]] = {}

    def written(self, commit: Commit, lineage: int) -> Written:
        """All that a commit stores but money. Raises NotYet where the form that is written has no room for
        it.
        """
        state, before, at = commit.state, commit.before, Place(commit.version, lineage)
        hand = self._of_hand(state)
        stored = self._table(state, hand, at)
        told = told_by(at.version, state, commit.events)
        if self._schema == FIRST:
            return Written(stored, self.told(told))
        shown, hidden = told_to_piece(told)
        sealed = self._sealing.commit(state.id, at, shown, hidden) if hidden else shown
        if before is None or told.players:  # a hand begins
            shown += _CONFIG(self._pieces.config(state))
        if state.hand is not None and (before is None or before.state.hand is not state.hand):
            of_public, of_all = digests(state.id, hand)
            shown += _PUBLIC_DIGEST(of_public)
            hidden += _WHOLE_DIGEST(of_all)
        parent = 0 if before is None else before.lineage
        seal = self._sealing.for_auditor(state.id, at, parent, shown, hidden) if hidden else b""
        return Written(stored, sealed, shown, seal)

    def encode(self, state: TableState, at: Place = NOWHERE) -> bytes:
        """A StoredTable."""
        return self._table(state, self._of_hand(state), at)

    def decode(self, stored: bytes, table_id: str | None = None, at: Place = NOWHERE) -> TableState:
        """The state; `table_id`: None for that which it names itself. UnreadableState for another form,
        InvalidRules for rules that are not known here, SealedState for what no release has written.
        """
        table = self._read(stored, table_id or "", at)
        if table.schema >= SEALED:
            where = table.table_id if table_id is None else table_id
            secrets = self._sealing.open_table(where, at, stored, table)
            read_hidden_of_seats(table.seats, secrets.seats)
            if table.HasField("hand"):
                read_hidden(table.hand, secrets)
        config, rules = self._config(table.config)
        return TableState(
            table.table_id,
            table.owner,
            config,
            rules,
            tuple([seat_from_store(own) for own in table.seats]),
            between_from_proto(table.between),
            hand_from_proto(table.hand, rules) if table.HasField("hand") else None,
            table.turn,
            proposal_from_proto(table.proposal) if table.HasField("proposal") else None,
            table.proposals,
            status_from_proto(table.status),
            tuple([(stake.player, stake.amount) for stake in table.stakes]),
            waiters_from_store(table.waiting),
            table.template_id,
            table.template_revision,
            table.held,
            banks_left_from_store(table.banks_left),
        )

    def listed(self, stored: bytes, table_id: str) -> Listed:
        """What lists say of a table, without reading its hand or opening its seal. UnreadableState,
        InvalidRules, SealedState as in `decode`.
        """
        table = self._read(stored, table_id, NOWHERE)
        config, rules = self._config(table.config)
        seated, held = len(table.seats), sum(waiter.HasField("seat") for waiter in table.waiting)
        return Listed(
            table.table_id,
            config,
            rules.ante,
            status_from_proto(table.status),
            seated,
            config.seats - seated - held,
            table.hand.number,
            len(table.waiting),
            table.template_id,
            table.template_revision,
            table.held,
            table.HasField("hand") and table.hand.phase != pb.PHASE_OVER,
        )

    def told(self, told: Told, table_id: str = "") -> bytes:
        """A StoredCommit. Raises NotYet where the form that is written has no room for what it tells."""
        if self._schema == FIRST:
            return told_to_bytes(replace(told, events=lower_events(told.events)))
        shown, hidden = told_to_piece(told)
        at = Place(told.version, told.lineage)
        return self._sealing.commit(table_id, at, shown, hidden) if hidden else shown

    def read_told(
        self,
        stored: bytes,
        table_id: str = "",
        lineage: int = 0,
        whole: int | None = None,
        kinds: frozenset[str] = frozenset(),
    ) -> Told:
        """Read a StoredCommit; of the events, those of the hand `whole` (None: of any), and those whose
        fields in StoredEvent are among `kinds`, which has none that hides something.
        """
        try:
            commit = store.StoredCommit.FromString(stored)
        except DecodeError as why:
            raise self._sealing.unreadable("commit", table_id, Place(0, lineage), why) from None
        if whole is None or commit.hand == whole:
            if commit.sealed:
                at = Place(commit.version, lineage)
                commit = joined(commit, self._sealing.open_commit(table_id, at, stored, commit))
            else:
                check_unsealed(any(map(hides, commit.events)), self._oldest)
            kinds = ALL
        told = told_from(commit, kinds)
        told.lineage = lineage
        return told

    def fingerprint(self, request: Request) -> str:
        """As it is stored in the form that is written."""
        return request.fingerprint if self._schema == FIRST else self._sealing.fingerprint(request)

    def other_fingerprints(self, request: Request) -> Sequence[str]:
        """All that it may be stored under besides, in any form and under any key."""
        mine = self.fingerprint(request)
        every = (self._sealing.fingerprint(request), *self._sealing.other_fingerprints(request))
        return [fingerprint for fingerprint in every if fingerprint != mine]

    def _of_hand(self, state: TableState) -> Piece:
        return NO_HAND if state.hand is None else self._pieces.of_hand(state.id, state.hand)

    def _table(self, state: TableState, hand: Piece, at: Place) -> bytes:
        head = self._pieces.head(state)
        shown = b"".join((head.public, _TURN[state.turn], hand.public))
        if self._schema == FIRST:
            return shown
        return self._sealing.table(state.id, at, shown, head.hidden + hand.hidden)

    def _read(self, stored: bytes, table_id: str, at: Place) -> store.StoredTable:
        try:
            return read_table(stored, self._oldest)
        except DecodeError as why:
            raise self._sealing.unreadable("table", table_id, at, why) from None
        except UnreadableState:
            self._unreadable()
            raise

    def _config(self, stored: pb.TableConfig) -> tuple[TableConfig, RuleSet]:
        key = stored.SerializeToString(deterministic=True)
        held = self._configs.get(key)
        if held is None:
            config = config_from_proto(stored)
            if len(self._configs) >= REMEMBERED:
                self._configs.clear()
            held = self._configs[key] = (config, rules_of(config))
        return held
