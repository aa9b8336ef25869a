"""The figures of a demo: what is counted, when it failed, and how it is written as JSON.

Pure. `chips_start` are the chips that had been bought in when the bots were told to leave; `chips_end` are
those that were cashed out since, and what is left on the tables. Both come from the independent reader of
state and journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """Of one process of the run."""

    cpu_s: float
    resident_mib: float
    restarts: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of a run; the names are the keys of `--json`. Seconds and milliseconds as the names say."""

    hands: int
    actions: int
    chips_start: int
    chips_end: int
    wrong_tables: Sequence[str]
    """Tables whose chips differ from their journal by themselves."""
    errors: int
    retries: int
    timeouts: int
    stuck: Sequence[str]
    rebuys: int
    action_p50_ms: float
    action_p99_ms: float
    first_hand_s: float
    """From the start of the command."""
    elapsed_s: float
    hands_per_s: float
    processes: Mapping[str, ProcessCost] = field(default_factory=dict)

    @property
    def failures(self) -> list[str]:
        """Why the run is no success, in sentences; none if it is one."""
        found = []
        if self.chips_start != self.chips_end or self.wrong_tables:
            where = f" at {', '.join(self.wrong_tables)}" if self.wrong_tables else ""
            found.append(f"chips do not add up{where}: {self.chips_start} bought in, {self.chips_end} found")
        found += [f"{name} stands still" for name in self.stuck]
        if self.errors:
            found.append(f"{self.errors} errors")
        return found

    def as_json(self) -> dict[str, object]:
        """Plain values, times rounded to what can be measured."""
        return {
            key: round(value, 3) if isinstance(value, float) else value for key, value in asdict(self).items()
        }
