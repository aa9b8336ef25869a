"""What happens at a table besides its hands: past tense, frozen, complete.

The events of a hand are the core's. A player who leaves in the middle of a hand is the core's `PlayerLeft`,
folded or not: the seat empties with `PlayerStood` when the hand is over. Stored by `adapters.codec`, shown by
`adapters.views`.
"""

from __future__ import annotations

from dataclasses import dataclass

from servito_core.events import Event


@dataclass(frozen=True, slots=True)
class PlayerSat:
    """`player` took `seat` with `buy_in` chips and is dealt in from the next hand on."""

    seat: int
    player: str
    buy_in: int


@dataclass(frozen=True, slots=True)
class PlayerStood:
    """`player` left `seat` with `cashed_out` chips, which are no longer in play."""

    seat: int
    player: str
    cashed_out: int


TableEvent = PlayerSat | PlayerStood | Event
