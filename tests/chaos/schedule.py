"""When which fault strikes: a pure function of seed, mode and form.

A round is every kind that the mode allows, in an order of the seed's; rounds follow each other until the time
is over. From the second round on some faults begin together. Not here: striking (run.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from servito_platform.place import Mode
    from tests.chaos.faults.kind import Kind

_TOGETHER: Final = 0.3
"""How often a fault of a later round begins with the next one."""
_PAUSE: Final = (1.0, 4.0)
"""Seconds between two faults, so that what the first one did shows."""


@dataclass(frozen=True)
class Planned:
    """Kinds that begin together, each with its own generator; then a pause."""

    kinds: tuple[tuple[Kind, Random], ...]
    pause: float


def schedule(kinds: Iterable[Kind], *, seed: int, mode: Mode, short: bool) -> Iterator[Planned]:
    """The faults of a run; without an end, but for the short form, which is one round."""
    possible = sorted(
        (kind for kind in kinds if mode in kind.modes and (kind.short or not short)),
        key=lambda kind: kind.name,
    )
    for number in range(1 if short else 1_000):
        rng = Random(f"{seed}/{mode.value}/{number}")
        this_round = [kind for kind in possible if not (kind.once and number)]
        rng.shuffle(this_round)
        while this_round:
            chosen = [this_round.pop()]
            together = number > 0 and rng.random() < _TOGETHER
            if together and this_round and not (chosen[0].alone or this_round[-1].alone):
                chosen.append(this_round.pop())
            yield Planned(
                tuple((kind, Random(f"{seed}/{mode.value}/{number}/{kind.name}")) for kind in chosen),
                rng.uniform(*_PAUSE),
            )
