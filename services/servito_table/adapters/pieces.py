"""A table in encoded pieces: what everybody may know, and what is hidden, each of which is one message when
joined.

It runs with every action: what seldom changes about a table (id, owner, configuration, seats) and the players
of its hand that are those of the commit before are encoded once. States share the players that an action does
not concern and never change one that they share, so who is the very same as in the commit before has the same
bytes; and whose cards are the same ones has the same hidden bytes. Changes with store.proto, `app.state` and
`servito_wire.digests`.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito_core.deals import Between
from servito_table.adapters.proposals import proposal_to_proto
from servito_table.adapters.schema import FIRST, NotYet, lower_hand
from servito_table.app.stakes import Stakes
from servito_table.app.state import Proposal, Seated, TableConfig, TableState, Waiter
from servito_table.app.status import Status
from servito_table.messages.config import config_to_proto
from servito_table.messages.course import status_to_proto
from servito_table.messages.seats import (
    hidden_of_seat,
    seat_to_store,
    waiters_to_store,
    whole_seat_to_store,
)
from servito_wire.digests import Piece, hand_piece, hidden_piece, public_piece
from servito_wire.hand import between_to_proto, same_hidden, write_hand, write_reshuffled, write_whole

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState

REMEMBERED: Final = 4096
_Waiting = tuple[Waiter, ...]
_Head = tuple[
    TableConfig, tuple[Seated, ...], Between, Proposal | None, int, Status, Stakes, _Waiting, bool, Piece
]


class Pieces:
    """Remembers the heads and the players that it met last. In the first form nothing is hidden."""

    def __init__(self, schema: int) -> None:
        self._schema = schema
        self._heads: dict[str, _Head] = {}
        self._players: dict[str, tuple[list[PlayerState], list[Piece]]] = {}

    def of_hand(self, table_id: str, hand: HandState) -> list[Piece]:
        """The hand's own, and then those of its players."""
        first = self._schema == FIRST
        own = Piece(_first_hand(hand), b"") if first else hand_piece(hand)
        before, written = self._players.get(table_id) or ([], [])
        pieces = [
            piece if player is held else self._player(player, held, piece)
            for player, held, piece in zip_longest(hand.players, before, written)
            if player is not None
        ]
        if len(self._players) >= REMEMBERED:
            self._players.clear()
        self._players[table_id] = hand.players, pieces
        return [own, *pieces]

    def head(self, state: TableState) -> Piece:
        """All but the hand and the turn. Raises NotYet."""
        if state.held and self._schema == FIRST:
            raise NotYet("maintenance")
        config, seats, between, proposal = state.config, state.seats, state.between, state.proposal
        held = self._heads.get(state.id)
        if (
            held is not None
            and held[0] is config
            and held[1] is seats
            and held[2] is between
            and held[3] is proposal
            and held[4] == state.proposals
            and held[5] is state.status
            and held[6] is state.stakes
            and held[7] is state.waiting
            and held[8] is state.held
        ):
            return held[9]
        head = self._head(state)
        if len(self._heads) >= REMEMBERED:
            self._heads.clear()
        self._heads[state.id] = (
            config,
            seats,
            between,
            proposal,
            state.proposals,
            state.status,
            state.stakes,
            state.waiting,
            state.held,
            head,
        )
        return head

    def _head(self, state: TableState) -> Piece:
        first, proposal = self._schema == FIRST, state.proposal
        table = store.StoredTable(
            schema=self._schema,
            table_id=state.id,
            owner=state.owner,
            config=config_to_proto(state.config),
            between=between_to_proto(state.between),
            proposal=None if proposal is None else proposal_to_proto(proposal),
            proposals=state.proposals,
            seats=[whole_seat_to_store(own) if first else seat_to_store(own) for own in state.seats],
            waiting=waiters_to_store(state.waiting),
            template_id=state.template,
            template_revision=state.revision,
            held=state.held,
        )
        if state.status is not Status.OPEN:
            table.status = status_to_proto(state.status)
        for player, amount in state.stakes:
            table.stakes.add(player=player, amount=amount)
        if first:
            return Piece(table.SerializeToString(), b"")
        hidden = [own for own in map(hidden_of_seat, state.seats) if own is not None]
        return Piece(table.SerializeToString(), store.TableSecrets(seats=hidden).SerializeToString())

    def _player(self, player: PlayerState, held: PlayerState | None, piece: Piece | None) -> Piece:
        if self._schema == FIRST:
            table = store.StoredTable()
            write_whole(player, table.hand.players.add())
            return Piece(table.SerializeToString(), b"")
        if held is None or piece is None or not same_hidden(player, held):
            return Piece(public_piece(player), hidden_piece(player))
        return Piece(public_piece(player), piece.hidden)


def _first_hand(hand: HandState) -> bytes:
    table = store.StoredTable()
    write_hand(hand, table.hand)
    write_reshuffled(hand, table.hand)
    lower_hand(table.hand)
    return table.SerializeToString()
