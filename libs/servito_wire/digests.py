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

from servito.table.v1.store_pb2 import StoredHand, StoredPlayer, StoredTable, TableSecrets
from servito_wire.fields import Block, Bytes, Values
from servito_wire.hand import HAND_FIELDS, HIDDEN_FIELDS, player_fields, whole_hand, whole_player

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState

FORM: Final = 1
"""The form of the digests that are made; the first byte of each."""
_FORM: Final = bytes((FORM,))
SIZE: Final = 17
"""Bytes of a digest, its form included."""


class Piece(NamedTuple):
    """Part of a hand, or of a table: of a StoredTable, and of a TableSecrets."""

    public: bytes
    hidden: bytes


_HAND: Final = Block(StoredTable, "hand")
_PLAYERS: Final = Block(StoredHand, "players")
_CARDS: Final = Bytes(StoredPlayer, "cards")
_CARD_COUNT: Final = Values(StoredPlayer, "card_count")
_DISCARD_COUNT: Final = Values(StoredPlayer, "discard_count")
_HIDDEN: Final = Block(TableSecrets, "players")
_RESHUFFLED: Final = Block(TableSecrets, "reshuffled")
_SHOWN: Final = blake2b(digest_size=SIZE - 1, person=b"servito shown")
_WHOLE: Final = blake2b(digest_size=SIZE - 1, person=b"servito whole")
"""Begun once: to copy one is cheaper."""


def shown(hand: HandState, table_id: str) -> bytes:
    """Of the hand as everybody may know it."""
    return digests(table_id, piece_of(hand))[0]


def whole(hand: HandState) -> bytes:
    """Of the hand with every card, but for the rules that it is played by. To be sealed."""
    return digests("", piece_of(hand))[1]


def digests(table_id: str, hand: Piece) -> tuple[bytes, bytes]:
    """`shown` and `whole` of the piece that is a hand with its players."""
    public, hidden = hand
    return (
        _digest(_SHOWN, table_id.encode() + b"\0" + public),
        _digest(_WHOLE, len(public).to_bytes(4, "big") + public + hidden),
    )


def piece_of(hand: HandState) -> Piece:
    """A hand with its players: its own piece, and then theirs."""
    own = hand_piece(hand)
    public, hidden = map(public_piece, hand.players), map(hidden_piece, hand.players)
    return Piece(own.public + b"".join(public), own.hidden + b"".join(hidden))


def hand_piece(hand: HandState) -> Piece:
    """The hand without its players."""
    reshuffled = _RESHUFFLED(bytes(sorted(hand.reshuffled))) if hand.reshuffled else b""
    return Piece(_HAND(HAND_FIELDS(hand)), reshuffled)


def public_piece(player: PlayerState) -> bytes:
    """What everybody may know of a player: his cards once they are on the table, else how many."""
    counts = _CARD_COUNT[len(player.cards)] + _DISCARD_COUNT[len(player.discards)]
    fields = player_fields(player, _CARDS[player.cards] if player.shown else b"")
    return _HAND(_PLAYERS(fields + counts))


def hidden_piece(player: PlayerState) -> bytes:
    """What is hidden of a player."""
    return _HIDDEN(HIDDEN_FIELDS(player))


def whole_hand_piece(hand: HandState) -> Piece:
    """`hand_piece` all in public, for forms of before there were seals."""
    return Piece(_HAND(whole_hand(hand)), b"")


def whole_piece(player: PlayerState) -> bytes:
    """`public_piece` with everything in it, likewise."""
    return _HAND(_PLAYERS(whole_player(player)))


def _digest(begun: blake2b, content: bytes) -> bytes:
    digest = begun.copy()
    digest.update(content)
    return _FORM + digest.digest()
