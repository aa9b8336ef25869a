"""What networks do, on each way between two parts: connections reset, black-holed, late, answers lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_platform.place import Mode
from tests.chaos.faults.kind import ALL, Strike, kind
from tests.chaos.link import Way
from tests.chaos.world import WAYS

if TYPE_CHECKING:
    from random import Random

    from tests.chaos.stage import Stage

LONGEST = 3.0


def _resets(way: str) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        for _ in range(4):
            for link in stage.world.ways[way]:
                link.reset()
            await stage.pause(rng.uniform(0.05, 0.7))

    return strike


def _becomes(way: str, harm: Way) -> Strike:
    async def strike(stage: Stage, rng: Random) -> None:
        links = stage.world.ways[way]
        harmed = links if rng.random() < 0.5 else [rng.choice(links)]
        for link in harmed:
            link.become(harm)
        await stage.pause(rng.uniform(0.5, LONGEST))
        for link in harmed:
            link.become(Way.OPEN)

    return strike


_HARMS = {"black hole": Way.HOLE, "answers lost": Way.MUTE, "delivered late": Way.HELD}
_SHORT = {
    ("answers lost", "table-state"),
    ("answers lost", "players-table"),
    ("delivered late", "timers-table"),
}

for _way in WAYS:
    _modes = frozenset({Mode.SINGLE}) if _way == "table-state" else ALL
    kind(f"reset {_way}", modes=_modes, short=_way == "players-table")(_resets(_way))
    for _name, _harm in _HARMS.items():
        kind(f"{_name} {_way}", modes=_modes, short=(_name, _way) in _SHORT)(_becomes(_way, _harm))
