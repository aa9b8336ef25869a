"""How the players of whole hands behave, in our core as in PokerKit: fold 15 %, check or call 65 %, wager the
least 20 %, throw 0 to 3 random cards away. Where an opening is required, whoever may open does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito_core import commands as c

if TYPE_CHECKING:
    from random import Random

    from servito_core.state import Offer, PlayerState

PLAYERS: Final = 5
STACK: Final = 200
FOLDS: Final = 0.15
"""Fold below it, where that is possible."""
WAGERS: Final = 0.8
"""Bet or raise above it, where that is possible."""
DRAWS: Final = 4
"""Fewer cards than these are thrown away."""


def choose(offer: Offer, player: PlayerState, rng: Random) -> c.Command:
    """The command of the player to act."""
    seat = offer.seat
    if offer.draw is not None:
        return c.Draw(seat, tuple(rng.sample(player.cards, rng.randrange(DRAWS))))
    if offer.open is not None:
        return c.Open(seat, offer.open[0])
    chance = rng.random()
    if chance < FOLDS and offer.can_fold:
        return c.Fold(seat)
    if chance > WAGERS and (wager := offer.raise_to or offer.bet) is not None:
        return c.RaiseTo(seat, wager[0]) if offer.raise_to else c.Bet(seat, wager[0])
    if offer.can_check:
        return c.Check(seat)
    return c.Pass(seat) if offer.can_pass else c.Call(seat)
