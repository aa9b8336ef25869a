"""What players at the table service do when it is their turn: the policy of `policy.py`, on messages.

Here: the policy, and what an offer says to it. What is stored of a table says the same (beside.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from servito.table.v1 import table_pb2 as pb
from tests.bench.policy import DRAWS, FOLDS, WAGERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Kind: TypeAlias = pb.ActionKind.ValueType
WAGERED: Final = (pb.ACTION_KIND_RAISE, pb.ACTION_KIND_BET)
FREE_FIRST: Final = (pb.ACTION_KIND_CHECK, pb.ACTION_KIND_PASS, pb.ACTION_KIND_CALL)


class Choices(Protocol):
    """What the seat to act may do, asked one after the other and only as far as it matters."""

    def drawing(self) -> Sequence[int] | None:
        """Its five cards; None where it does not draw now."""

    def opening(self) -> int | None:
        """The least opening; None where it may not open."""

    def may_fold(self) -> bool:
        """Whether it may give up."""

    def wager(self) -> tuple[Kind, int] | None:
        """The least raise or bet; None where it may do neither."""

    def least(self) -> Kind:
        """What it does else: check, pass or call."""


class Offered:
    """Choices as an offer tells them; `cards` are the five that the player holds before his draw."""

    def __init__(self, offer: pb.Offer, cards: Sequence[int]) -> None:
        self._cards = cards
        self._to = {legal.kind: legal.least for legal in offer.actions}

    def drawing(self) -> Sequence[int] | None:
        """See Choices."""
        return self._cards if pb.ACTION_KIND_DRAW in self._to else None

    def opening(self) -> int | None:
        """See Choices."""
        return self._to.get(pb.ACTION_KIND_OPEN)

    def may_fold(self) -> bool:
        """See Choices."""
        return pb.ACTION_KIND_FOLD in self._to

    def wager(self) -> tuple[Kind, int] | None:
        """See Choices."""
        to = self._to
        return next(((kind, to[kind]) for kind in WAGERED if kind in to), None)

    def least(self) -> Kind:
        """See Choices."""
        return next(kind for kind in FREE_FIRST if kind in self._to)


def action_for(choices: Choices, rng: Random) -> pb.Action:
    """One of the actions that the seat may do."""
    if (cards := choices.drawing()) is not None:
        return pb.Action(kind=pb.ACTION_KIND_DRAW, discards=rng.sample(cards, rng.randrange(DRAWS)))
    if (least := choices.opening()) is not None:
        return pb.Action(kind=pb.ACTION_KIND_OPEN, to=least)
    chance = rng.random()
    if chance < FOLDS and choices.may_fold():
        return pb.Action(kind=pb.ACTION_KIND_FOLD)
    if chance > WAGERS and (wager := choices.wager()) is not None:
        kind, to = wager
        return pb.Action(kind=kind, to=to)
    return pb.Action(kind=choices.least())
