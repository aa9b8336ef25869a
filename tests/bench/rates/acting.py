"""What players at the table service do with an offer: the policy of `policy.py`, on messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from tests.bench.policy import DRAWS, FOLDS, WAGERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

WAGERED = (pb.ACTION_KIND_RAISE, pb.ACTION_KIND_BET)
FREE_FIRST = (pb.ACTION_KIND_CHECK, pb.ACTION_KIND_PASS, pb.ACTION_KIND_CALL)


def action_for(offer: pb.Offer, cards: Sequence[int], rng: Random) -> pb.Action:
    """One of the offered actions; `cards` are the five that the player holds before his draw."""
    legal = {action.kind: action for action in offer.actions}
    if pb.ACTION_KIND_DRAW in legal:
        return pb.Action(kind=pb.ACTION_KIND_DRAW, discards=rng.sample(cards, rng.randrange(DRAWS)))
    if pb.ACTION_KIND_OPEN in legal:
        return pb.Action(kind=pb.ACTION_KIND_OPEN, to=legal[pb.ACTION_KIND_OPEN].least)
    chance = rng.random()
    if chance < FOLDS and pb.ACTION_KIND_FOLD in legal:
        return pb.Action(kind=pb.ACTION_KIND_FOLD)
    if chance > WAGERS and (wager := next(filter(legal.__contains__, WAGERED), None)) is not None:
        return pb.Action(kind=wager, to=legal[wager].least)
    return pb.Action(kind=next(kind for kind in FREE_FIRST if kind in legal))
