"""A table in encoded pieces: what everybody may know, and what is hidden, each of which is one message when
joined.

It runs with every action: what seldom changes about a table (id, owner, configuration, seats) and the players
of its hand that are those of the commit before are encoded once. States share the players that an action does
not concern and never change one that they share, so who is the very same as in the commit before has the same
bytes; and whose cards are the same ones has the same hidden bytes. Changes with store.proto, `app.state` and
`servito_wire.digests`.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from servito.table.v1 import store_pb2 as store
from servito_table.adapters.proposals import proposal_to_proto
from servito_table.adapters.schema import FIRST, NotYet, lower_hand
from servito_table.app.status import Status
from servito_table.messages.config import config_to_proto
from servito_table.messages.course import status_to_proto
from servito_table.messages.seats import (
    banks_left_to_store,
    hidden_of_seat,
    seat_to_bytes,
    waiters_to_store,
    whole_seat_to_bytes,
)
from servito_wire.digests import (
    Piece,
    hand_piece,
    hidden_piece,
    public_piece,
    whole_hand_piece,
    whole_piece,
)
from servito_wire.fields import Block, Values, record
from servito_wire.hand import between_to_bytes, same_hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.state import HandState, PlayerState
    from servito_table.app.state import TableConfig, TableState

REMEMBERED: Final = 4096
NO_HAND: Final = Piece(b"", b"")
_SCHEMA: Final = Values(store.StoredTable, "schema")
_CONFIG: Final = Block(store.StoredTable, "config")
_SEAT: Final = Block(store.StoredTable, "seats")
_HIDDEN_SEAT: Final = Block(store.TableSecrets, "seats")
_BETWEEN: Final = Block(store.StoredTable, "between")
_HEAD: Final = record(
    store.StoredTable,
    "table_id owner proposals status template_id template_revision held",
    {"table_id": "id", "template_id": "template", "template_revision": "revision"},
    {"status": {status: 0 if status is Status.OPEN else status_to_proto(status) for status in Status}},
)


class _Players(NamedTuple):
    """Those of a hand that was met, and their pieces."""

    players: Sequence[PlayerState | None]
    public: list[bytes]
    hidden: list[bytes]


class Pieces:
    """Remembers the heads and the players that it met last. In the first form nothing is hidden."""

    def __init__(self, schema: int) -> None:
        self._schema = schema
        self._configs: dict[str, tuple[TableConfig, bytes]] = {}
        self._heads: dict[str, tuple[tuple[Any, ...], Piece]] = {}
        self._players: dict[str, _Players] = {}

    def of_hand(self, table_id: str, hand: HandState) -> Piece:
        """A hand with its players."""
        whole, players = self._schema == FIRST, hand.players
        own = _first_hand(hand) if whole else hand_piece(hand)
        before = self._players.get(table_id)
        if before is None or len(before.players) != len(players):
            before = _Players([None] * len(players), [b""] * len(players), [b""] * len(players))
        public, hidden = before.public.copy(), before.hidden.copy()
        for index, player in enumerate(players):
            held = before.players[index]
            if player is held:
                continue
            public[index] = whole_piece(player) if whole else public_piece(player)
            if not whole and (held is None or not same_hidden(player, held)):
                hidden[index] = hidden_piece(player)
        if len(self._players) >= REMEMBERED:
            self._players.clear()
        self._players[table_id] = _Players(players, public, hidden)
        return Piece(own.public + b"".join(public), own.hidden + b"".join(hidden))

    def head(self, state: TableState) -> Piece:
        """All but the hand and the turn. Raises NotYet."""
        if state.held and self._schema == FIRST:
            raise NotYet("maintenance")
        made_of = (
            state.config,
            state.seats,
            state.between,
            state.proposal,
            state.proposals,
            state.status,
            state.stakes,
            state.waiting,
            state.held,
            state.banks_left,
        )
        held = self._heads.get(state.id)
        if held is not None and all(map(is_, held[0], made_of)):
            return held[1]
        head = self._head(state)
        if len(self._heads) >= REMEMBERED:
            self._heads.clear()
        self._heads[state.id] = made_of, head
        return head

    def config(self, state: TableState) -> bytes:
        """The TableConfig of a table."""
        held = self._configs.get(state.id)
        if held is None or held[0] is not state.config:
            if len(self._configs) >= REMEMBERED:
                self._configs.clear()
            config = config_to_proto(state.config).SerializeToString(deterministic=True)
            held = self._configs[state.id] = state.config, config
        return held[1]

    def _head(self, state: TableState) -> Piece:
        whole = self._schema == FIRST
        seats = map(whole_seat_to_bytes if whole else seat_to_bytes, state.seats)
        fields = (
            _SCHEMA[self._schema],
            _HEAD(state),
            _CONFIG(self.config(state)),
            *map(_SEAT, seats),
            _BETWEEN(between_to_bytes(state.between)),
            _seldom(state, banks_left=not whole),
        )
        hidden = [] if whole else [own for own in map(hidden_of_seat, state.seats) if own]
        return Piece(b"".join(fields), b"".join(map(_HIDDEN_SEAT, hidden)))


def _seldom(state: TableState, *, banks_left: bool) -> bytes:
    """What a table has now and then: a change of rules, stakes, a waiting list, banks of who stood up."""
    table = store.StoredTable(
        proposal=None if state.proposal is None else proposal_to_proto(state.proposal),
        stakes=[store.StoredStake(player=player, amount=amount) for player, amount in state.stakes],
        waiting=waiters_to_store(state.waiting),
        banks_left=banks_left_to_store(state.banks_left) if banks_left else (),
    )
    return table.SerializeToString()


def _first_hand(hand: HandState) -> Piece:
    table = store.StoredTable.FromString(whole_hand_piece(hand).public)
    lower_hand(table.hand)
    return Piece(table.SerializeToString(), b"")
