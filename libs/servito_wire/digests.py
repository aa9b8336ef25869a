"""A hand in pieces, public and hidden ones, and digests of its state by which a stored hand is compared when
it is folded again.

`shown` is of what everybody may know and may lie open. `whole` is of everything and belongs under a seal: of
a hand that hides five cards from somebody, he could try all that they might be. The table service stores the
pieces, which do not change with every commit, and digests are made of them. A digest begins with the number
of its form, which changes with what is digested (`hand`): an old one is never taken for wrong.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from servito.table.v1.store_pb2 import StoredTable, TableSecrets
from servito_wire.hand import write_hand, write_hidden, write_player, write_reshuffled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_core.state import HandState, PlayerState

FORM: Final = 1
"""The form of the digests that are made; the first byte of each."""
SIZE: Final = 17
"""Bytes of a digest, its form included."""


class Piece(NamedTuple):
    """Part of a hand, or of a table: of a StoredTable, and of a TableSecrets."""

    public: bytes
    hidden: bytes


def shown(hand: HandState, table_id: str) -> bytes:
    """Of the hand as everybody may know it."""
    return digests(table_id, pieces_of(hand))[0]


def whole(hand: HandState) -> bytes:
    """Of the hand with every card, but for the rules that it is played by. To be sealed."""
    return digests("", pieces_of(hand))[1]


def digests(table_id: str, pieces: Iterable[Piece]) -> tuple[bytes, bytes]:
    """`shown` and `whole` from the pieces: the hand's own, and then the players'."""
    parts = tuple(zip(*pieces, strict=True))
    public, hidden = b"".join(parts[0]), b"".join(parts[1])
    return (
        _digest(b"servito shown", table_id.encode() + b"\0" + public),
        _digest(b"servito whole", len(public).to_bytes(4, "big") + public + hidden),
    )


def pieces_of(hand: HandState) -> list[Piece]:
    """The hand's own, and then the players'."""
    return [hand_piece(hand), *(Piece(public_piece(own), hidden_piece(own)) for own in hand.players)]


def hand_piece(hand: HandState) -> Piece:
    """The hand without its players."""
    table = StoredTable()
    write_hand(hand, table.hand)
    if not hand.reshuffled:
        return Piece(table.SerializeToString(), b"")
    secrets = TableSecrets()
    write_reshuffled(hand, secrets)
    return Piece(table.SerializeToString(), secrets.SerializeToString())


def public_piece(player: PlayerState) -> bytes:
    """What everybody may know of a player: his cards once they are on the table, else how many."""
    table = StoredTable()
    stored = table.hand.players.add()
    write_player(player, stored)
    stored.card_count = len(player.cards)
    stored.discard_count = len(player.discards)
    if player.shown:
        stored.cards = bytes(player.cards)
    return table.SerializeToString()


def hidden_piece(player: PlayerState) -> bytes:
    """What is hidden of a player."""
    secrets = TableSecrets()
    write_hidden(player, secrets.players.add())
    return secrets.SerializeToString()


def _digest(of: bytes, content: bytes) -> bytes:
    return bytes((FORM,)) + blake2b(content, digest_size=SIZE - 1, person=of).digest()
