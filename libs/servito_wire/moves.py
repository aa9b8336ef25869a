"""What a seat did: the events of a player's own moves <-> `SeatActed`, which is both stored and shown.

A change of cards names the cards; who leaves them out for other seats is `views`. Changes with the moves of
servito_core/events.py and with `ActionKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from servito.table.v1 import table_pb2 as pb
from servito_core import events as core
from servito_wire.cards import cards_from_proto
from servito_wire.fields import Packed, Values, record

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


def discarded(seat: int, count: int) -> bytes:
    """A SeatActed of a change of so many cards."""
    return _DISCARD + _SEAT[seat] + _COUNT[count]


def move_from_proto(acted: pb.SeatActed) -> Move:
    """Read a move; KeyError for a kind, word or blind that does not exist, CardError for a card."""
    return _READERS[acted.kind](acted)


_KIND: Final = Values(pb.SeatActed, "kind")
_SEAT: Final = Values(pb.SeatActed, "seat")
_COUNT: Final = Values(pb.SeatActed, "discarded")
_CARDS: Final = Packed(pb.SeatActed, "discards")
_DISCARD: Final = _KIND[pb.ACTION_KIND_DRAW]
_NUMBERS: Final[dict[str, Mapping[Any, int]]] = {"word": WORD_NUMBERS, "blind": BLIND_NUMBERS}


def _writer(move: type[Move], fields: str) -> Callable[[Any], bytes]:
    kind, write = _KIND[KINDS[move]], record(pb.SeatActed, fields, numbers=_NUMBERS)
    return lambda move: kind + write(move)


WRITERS: Final[dict[type[Move], Callable[[Any], bytes]]] = {
    core.Passed: _writer(core.Passed, "seat"),
    core.Opened: _writer(core.Opened, "seat to added"),
    core.Checked: _writer(core.Checked, "seat word"),
    core.BetMade: _writer(core.BetMade, "seat to added"),
    core.Called: _writer(core.Called, "seat to added"),
    core.RaisedTo: _writer(core.RaisedTo, "seat to added"),
    core.Folded: _writer(core.Folded, "seat"),
    core.Discarded: lambda move: discarded(move.seat, len(move.cards)) + _CARDS[move.cards],
    core.BlindPosted: _writer(core.BlindPosted, "seat to added blind"),
    core.BlindCovered: _writer(core.BlindCovered, "seat to added"),
    core.BlindDeclined: _writer(core.BlindDeclined, "seat"),
}
"""By type of move: what writes a SeatActed, the cards of a change included."""
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
