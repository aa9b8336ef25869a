"""The way back that only tests need: a client speaks the messages themselves.

Changes with servito_wire/actions.py and servito_wire/offers.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from servito.table.v1 import table_pb2 as pb
from servito_core import commands as core
from servito_core.state import Offer
from servito_wire.moves import BLIND_NUMBERS, BLINDS, WORD_NUMBERS
from servito_wire.offers import CHIPS, FLAGS, RANGES

WRITERS: Final[dict[type[core.PlayerCommand], Callable[[Any], pb.Action]]] = {
    core.Pass: lambda _: pb.Action(kind=pb.ACTION_KIND_PASS),
    core.Open: lambda c: pb.Action(kind=pb.ACTION_KIND_OPEN, to=c.to),
    core.Check: lambda c: pb.Action(kind=pb.ACTION_KIND_CHECK, word=WORD_NUMBERS[c.word]),
    core.Bet: lambda c: pb.Action(kind=pb.ACTION_KIND_BET, to=c.to),
    core.Call: lambda _: pb.Action(kind=pb.ACTION_KIND_CALL),
    core.RaiseTo: lambda c: pb.Action(kind=pb.ACTION_KIND_RAISE, to=c.to),
    core.Fold: lambda _: pb.Action(kind=pb.ACTION_KIND_FOLD),
    core.Draw: lambda c: pb.Action(kind=pb.ACTION_KIND_DRAW, discards=c.discards),
    core.PostBlind: lambda c: pb.Action(
        kind=pb.ACTION_KIND_POST_BLIND, to=c.to, blind=BLIND_NUMBERS[c.blind]
    ),
    core.CoverBlind: lambda _: pb.Action(kind=pb.ACTION_KIND_COVER_BLIND),
    core.DeclineBlind: lambda _: pb.Action(kind=pb.ACTION_KIND_DECLINE_BLIND),
    core.TableHand: lambda _: pb.Action(kind=pb.ACTION_KIND_TABLE_HAND),
    core.Concede: lambda _: pb.Action(kind=pb.ACTION_KIND_CONCEDE),
}


def action_of(command: core.PlayerCommand) -> pb.Action:
    """The action that asks for a command; KeyError for `Unreadable`, which nobody can ask for."""
    return WRITERS[type(command)](command)


@dataclass(frozen=True, slots=True)
class TurnOffer:
    """What its seat may do in turn `turn_id`; `remaining_ms` were left when it was sent."""

    turn_id: int
    remaining_ms: int
    offer: Offer


def offer_from_proto(sent: pb.Offer, seat: int) -> TurnOffer:
    """Read what was offered to `seat`; kinds and blinds that only a newer server knows are left out."""
    offer = Offer(seat, sent.to_call)
    for action in sent.actions:
        kind = action.kind
        if kind in FLAGS:
            setattr(offer, FLAGS[kind], True)
        elif kind in CHIPS:
            setattr(offer, CHIPS[kind], action.greatest)
        elif kind in RANGES:
            setattr(offer, RANGES[kind], (action.least, action.greatest))
        elif kind == pb.ACTION_KIND_POST_BLIND and action.blind in BLINDS:
            offer.blind = (BLINDS[action.blind], action.greatest)
    return TurnOffer(sent.turn_id, sent.remaining_ms, offer)
