"""What a load run is to do. Plain and small: it travels to processes that are spawned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

BUY_IN: Final = 200


class Pace(StrEnum):
    """How long players think before they act."""

    HUMAN = "human"
    """0.5 to 4 seconds."""
    FAST = "fast"
    """Not at all."""


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """`tables` with `players` each, for `seconds` after a ramp-up in which the tables open one by one."""

    target: str
    tables: int
    players: int
    seconds: float
    pace: Pace
    ramp_up: float = 2.0
    preset: str = "italiana"
    options: Mapping[str, str] = field(default_factory=dict)
    buy_in: int = BUY_IN
    turn_ms: int = 30_000
    seed: int = 1

    def share(self, process: int, processes: int) -> range:
        """The numbers of the tables that one of the processes opens."""
        return range(process, self.tables, processes)
