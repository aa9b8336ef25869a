"""What a fault is: a name, where it can happen, and what it does.

A kind is a coroutine function `(stage, rng)` that ends when the fault has ended, also where something comes
back later by itself. Everything random comes from `rng`, which the schedule seeds, so a seed gives the same
faults in the same order. Not here: the kinds themselves.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from servito_platform.place import Mode

if TYPE_CHECKING:
    from random import Random

    from tests.chaos.stage import Stage

Strike = Callable[["Stage", "Random"], Awaitable[None]]
ALL: Final = frozenset(Mode)


@dataclass(frozen=True)
class Kind:
    """`modes`: of the state, in which it can happen. `short`: it is in the short form. `once`: long; it
    happens once in a run. `alone`: another fault beside it would take away what it needs to end.
    `loses`: a failover, in which the last commits may be lost that no replica had.
    """

    name: str
    strike: Strike
    modes: frozenset[Mode]
    short: bool = False
    once: bool = False
    alone: bool = False
    loses: bool = False


KINDS: dict[str, Kind] = {}
"""By name; filled as the modules of kinds are imported (see __init__)."""


def kind(
    name: str,
    *,
    modes: frozenset[Mode] = ALL,
    short: bool = False,
    once: bool = False,
    alone: bool = False,
    loses: bool = False,
) -> Callable[[Strike], Strike]:
    """Registers a kind."""

    def register(strike: Strike) -> Strike:
        if name in KINDS:
            raise ValueError(f"two kinds of faults are called {name}")
        KINDS[name] = Kind(name, strike, modes, short, once, alone, loses)
        return strike

    return register
