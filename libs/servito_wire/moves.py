"""What a seat did: the events of a player's own moves <-> `SeatActed`, which is both stored and shown.

A change of cards names the cards; who leaves them out for other seats is `views`. Changes with the moves of
servito_core/events.py and with `ActionKind`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_core import events as core
from servito_wire.cards import cards_from_proto

if TYPE_CHECKING:
    from collections.abc import Callable

Move = (
    core.Passed
    | core.Opened
    | core.Checked
    | core.BetMade
    | core.Called
    | core.RaisedTo
    | core.Folded
    | core.Discarded
    | core.BlindPosted
    | core.BlindCovered
    | core.BlindDeclined
)

KINDS: Final[dict[type[Move], pb.ActionKind.ValueType]] = {
    core.Passed: pb.ACTION_KIND_PASS,
    core.Opened: pb.ACTION_KIND_OPEN,
    core.Checked: pb.ACTION_KIND_CHECK,
    core.BetMade: pb.ACTION_KIND_BET,
    core.Called: pb.ACTION_KIND_CALL,
    core.RaisedTo: pb.ACTION_KIND_RAISE,
    core.Folded: pb.ACTION_KIND_FOLD,
    core.Discarded: pb.ACTION_KIND_DRAW,
    core.BlindPosted: pb.ACTION_KIND_POST_BLIND,
    core.BlindCovered: pb.ACTION_KIND_COVER_BLIND,
    core.BlindDeclined: pb.ACTION_KIND_DECLINE_BLIND,
}

WORD_NUMBERS: Final = {
    "": pb.CHECK_WORD_UNSPECIFIED,
    "parola": pb.CHECK_WORD_PAROLA,
    "cip": pb.CHECK_WORD_CIP,
}
WORDS: Final = {number: word for word, number in WORD_NUMBERS.items()}

BLIND_NUMBERS: Final = {blind: pb.BlindKind.Value(f"BLIND_KIND_{blind.name}") for blind in core.Blind}
BLINDS: Final = {number: blind for blind, number in BLIND_NUMBERS.items()}


def move_to_proto(move: Move) -> pb.SeatActed:
    """Write a move, the cards of a change included."""
    acted = pb.SeatActed(seat=move.seat, kind=KINDS[type(move)])
    match move:
        case core.Opened() | core.BetMade() | core.Called() | core.RaisedTo() | core.BlindCovered():
            acted.to = move.to
            acted.added = move.added
        case core.BlindPosted():
            acted.to = move.to
            acted.added = move.added
            acted.blind = BLIND_NUMBERS[move.blind]
        case core.Checked():
            acted.word = WORD_NUMBERS[move.word]
        case core.Discarded():
            acted.discarded = len(move.cards)
            acted.discards.extend(move.cards)
    return acted


def move_from_proto(acted: pb.SeatActed) -> Move:
    """Read a move; KeyError for a kind, word or blind that does not exist, CardError for a card."""
    return _READERS[acted.kind](acted)


_READERS: Final[dict[pb.ActionKind.ValueType, Callable[[pb.SeatActed], Move]]] = {
    pb.ACTION_KIND_PASS: lambda acted: core.Passed(acted.seat),
    pb.ACTION_KIND_OPEN: lambda acted: core.Opened(acted.seat, acted.to, acted.added),
    pb.ACTION_KIND_CHECK: lambda acted: core.Checked(acted.seat, WORDS[acted.word]),
    pb.ACTION_KIND_BET: lambda acted: core.BetMade(acted.seat, acted.to, acted.added),
    pb.ACTION_KIND_CALL: lambda acted: core.Called(acted.seat, acted.to, acted.added),
    pb.ACTION_KIND_RAISE: lambda acted: core.RaisedTo(acted.seat, acted.to, acted.added),
    pb.ACTION_KIND_FOLD: lambda acted: core.Folded(acted.seat),
    pb.ACTION_KIND_DRAW: lambda acted: core.Discarded(acted.seat, cards_from_proto(acted.discards)),
    pb.ACTION_KIND_POST_BLIND: lambda acted: core.BlindPosted(
        acted.seat, BLINDS[acted.blind], acted.to, acted.added
    ),
    pb.ACTION_KIND_COVER_BLIND: lambda acted: core.BlindCovered(acted.seat, acted.to, acted.added),
    pb.ACTION_KIND_DECLINE_BLIND: lambda acted: core.BlindDeclined(acted.seat),
}
