"""What the seat to act may do: `Offer` of servito_core/state.py -> `Offer` of table.proto.

Turn id and time left travel with it and mean nothing here. Asking for one of the actions is in `actions`.
"""

from __future__ import annotations

from typing import Final

from servito.table.v1 import table_pb2 as pb
from servito_core.state import Offer
from servito_wire.fields import Block, Values
from servito_wire.moves import BLIND_NUMBERS

FLAGS: Final = {
    pb.ACTION_KIND_PASS: "can_pass",
    pb.ACTION_KIND_CHECK: "can_check",
    pb.ACTION_KIND_FOLD: "can_fold",
    pb.ACTION_KIND_DECLINE_BLIND: "can_decline",
    pb.ACTION_KIND_TABLE_HAND: "can_table",
    pb.ACTION_KIND_CONCEDE: "can_concede",
}
CHIPS: Final = {pb.ACTION_KIND_CALL: "call", pb.ACTION_KIND_COVER_BLIND: "cover"}
RANGES: Final = {
    pb.ACTION_KIND_OPEN: "open",
    pb.ACTION_KIND_BET: "bet",
    pb.ACTION_KIND_RAISE: "raise_to",
    pb.ACTION_KIND_DRAW: "draw",
}
"""By kind of action: the field of the core's offer. A posted blind, which has more to say, is written out."""


_ACTION: Final = Block(pb.Offer, "actions")
_KIND: Final = Values(pb.LegalAction, "kind")
_LEAST: Final = Values(pb.LegalAction, "least")
_GREATEST: Final = Values(pb.LegalAction, "greatest")
_BLIND: Final = Values(pb.LegalAction, "blind")
_TURN: Final = Values(pb.Offer, "turn_id")
_REMAINING: Final = Values(pb.Offer, "remaining_ms")
_TO_CALL: Final = Values(pb.Offer, "to_call")
_FLAGS: Final = {field: _ACTION(_KIND[kind]) for kind, field in FLAGS.items()}


def offer_to_bytes(offer: Offer, turn_id: int, remaining_ms: int) -> bytes:
    """An Offer, but for the hand."""
    actions = [action for field, action in _FLAGS.items() if getattr(offer, field)]
    for kind, field in CHIPS.items():
        if (chips := getattr(offer, field)) is not None:
            actions.append(_action(kind, chips, chips))
    for kind, field in RANGES.items():
        if span := getattr(offer, field):
            actions.append(_action(kind, *span))
    if offer.blind:
        blind, to = offer.blind
        actions.append(_action(pb.ACTION_KIND_POST_BLIND, to, to, _BLIND[BLIND_NUMBERS[blind]]))
    return b"".join((_TURN[turn_id], _TO_CALL[offer.to_call], *actions, _REMAINING[remaining_ms]))


def _action(kind: pb.ActionKind.ValueType, least: int, greatest: int, blind: bytes = b"") -> bytes:
    return _ACTION(b"".join((_KIND[kind], _LEAST[least], _GREATEST[greatest], blind)))
