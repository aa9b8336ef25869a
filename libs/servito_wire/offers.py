"""What the seat to act may do: `Offer` of servito_core/state.py -> `Offer` of table.proto.

Turn id and time left travel with it and mean nothing here. Asking for one of the actions is in `actions`.
"""

from __future__ import annotations

from typing import Final

from servito.table.v1 import table_pb2 as pb
from servito_core.state import Offer
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


def offer_to_proto(offer: Offer, turn_id: int, remaining_ms: int) -> pb.Offer:
    """Write an offer."""
    sent = pb.Offer(turn_id=turn_id, to_call=offer.to_call, remaining_ms=remaining_ms)
    add = sent.actions.add
    for kind, field in FLAGS.items():
        if getattr(offer, field):
            add(kind=kind)
    for kind, field in CHIPS.items():
        if (chips := getattr(offer, field)) is not None:
            add(kind=kind, least=chips, greatest=chips)
    for kind, field in RANGES.items():
        if span := getattr(offer, field):
            add(kind=kind, least=span[0], greatest=span[1])
    if offer.blind:
        blind, to = offer.blind
        add(kind=pb.ACTION_KIND_POST_BLIND, least=to, greatest=to, blind=BLIND_NUMBERS[blind])
    return sent
