"""What a seat did: the events of a player's own moves <-> `SeatActed`, which is both stored and shown.

A change of cards names the cards; who leaves them out for other seats is `views`. Changes with the moves of
servito_core/events.py and with `ActionKind`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_core import events as core
from servito_core.cards import Card

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
}

WORDS: Final = {
    "": pb.CHECK_WORD_UNSPECIFIED,
    "parola": pb.CHECK_WORD_PAROLA,
    "cip": pb.CHECK_WORD_CIP,
}
WORD_NAMES: Final = {number: word for word, number in WORDS.items()}


def move_to_proto(move: Move) -> pb.SeatActed:
    """Write a move, the cards of a change included."""
    acted = pb.SeatActed(seat=move.seat, kind=KINDS[type(move)])
    match move:
        case core.Opened() | core.BetMade() | core.Called() | core.RaisedTo():
            acted.to = move.to
        case core.Checked():
            acted.word = WORDS[move.word]
        case core.Discarded():
            acted.discarded = len(move.cards)
            acted.discards.extend(move.cards)
    return acted


def move_from_proto(acted: pb.SeatActed) -> Move:
    """Read a move; KeyError for a kind or word that does not exist."""
    return _READERS[acted.kind](acted)


_READERS: Final[dict[pb.ActionKind.ValueType, Callable[[pb.SeatActed], Move]]] = {
    pb.ACTION_KIND_PASS: lambda acted: core.Passed(acted.seat),
    pb.ACTION_KIND_OPEN: lambda acted: core.Opened(acted.seat, acted.to),
    pb.ACTION_KIND_CHECK: lambda acted: core.Checked(acted.seat, WORD_NAMES[acted.word]),
    pb.ACTION_KIND_BET: lambda acted: core.BetMade(acted.seat, acted.to),
    pb.ACTION_KIND_CALL: lambda acted: core.Called(acted.seat, acted.to),
    pb.ACTION_KIND_RAISE: lambda acted: core.RaisedTo(acted.seat, acted.to),
    pb.ACTION_KIND_FOLD: lambda acted: core.Folded(acted.seat),
    pb.ACTION_KIND_DRAW: lambda acted: core.Discarded(acted.seat, tuple(Card(c) for c in acted.discards)),
}
