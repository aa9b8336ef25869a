"""The figures of a load run, when it failed, and how they are written as JSON. Pure.

A promise is broken by a chip that does not add up, an error that the SDK's counted retries did not mend, or a
table that stands still. Slowness is no failure: it is what is measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from servito_client.load.plan import LoadPlan
from servito_client.load.tally import Tally
from servito_platform.metrics_page import Buckets

if TYPE_CHECKING:
    from hdrh.histogram import HdrHistogram

PERCENTILES: Final = (50.0, 90.0, 99.0, 99.9, 100.0)


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds by percentile ("50", "99.9"), and how many samples there were."""

    count: int
    ms: Mapping[str, float]

    @classmethod
    def of(cls, measured: HdrHistogram) -> Latency:
        """Read off a histogram of microseconds."""
        ms = {f"{p:g}": round(measured.get_value_at_percentile(p) / 1000, 3) for p in PERCENTILES}
        return cls(int(measured.get_total_count()), ms)


@dataclass(frozen=True, slots=True)
class Lateness:
    """Of deadlines, from a histogram of the system's own: the bound in seconds that each percentile kept."""

    count: int
    within_s: Mapping[str, float | None]
    """None: above the greatest bound that is measured."""

    @classmethod
    def of(cls, buckets: Buckets) -> Lateness:
        """Read off the buckets of a metrics page."""
        bounds = {f"{p:g}": buckets.within(p) for p in PERCENTILES}
        return cls(buckets.count, {p: None if math.isinf(bound) else bound for p, bound in bounds.items()})


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one process during the run."""

    cpu_s: float
    resident_mib: float


@dataclass(frozen=True, slots=True)
class ChipsFound:
    """Of all tables of the state server, counted again and again while hands ran, and at the end.

    `most` is the greatest number of chips that was found in play; `wrong_tables` disagreed with their journal
    in any count."""

    counts: int
    most: int
    in_play: int
    bought_in: int
    wrong_tables: Sequence[str]


@dataclass(frozen=True, slots=True)
class LoadFigures:
    """What came of a run; the names are the keys of `--json`."""

    tables: int
    players: int
    seconds: float
    pace: str
    actions: int
    actions_per_s: float
    hands: int
    act_to_answer: Latency
    act_to_event: Latency
    late: int
    rebuys: int
    retries: int
    refusals_of_players: Mapping[str, int]
    refusals_of_table: Mapping[str, int]
    """All that the table service refused during the run, by reason, also what was then mended."""
    errors: Sequence[str]
    stuck: Sequence[str]
    lateness: Mapping[str, Lateness] = field(default_factory=dict)
    processes: Mapping[str, Cost] = field(default_factory=dict)
    chips: ChipsFound | None = None
    """None: the state server cannot be read from here."""

    @property
    def failures(self) -> list[str]:
        """Why the run is no success, in sentences; none if it is one."""
        found = [f"{table} stands still" for table in self.stuck]
        if self.errors:
            found.append(f"{len(self.errors)} errors")
        if self.chips is not None:
            chips = self.chips
            found += [f"chips do not add up at table {table}" for table in chips.wrong_tables]
            if chips.in_play != chips.bought_in and not chips.wrong_tables:
                found.append(f"chips do not add up: {chips.bought_in} bought in, {chips.in_play} in play")
        if not self.actions:
            found.append("nobody acted")
        return found

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        return asdict(self) | {"failures": self.failures}


def figures_of(
    plan: LoadPlan,
    tally: Tally,
    *,
    refusals: Mapping[str, int],
    lateness: Mapping[str, Lateness],
    processes: Mapping[str, Cost],
    chips: ChipsFound | None,
) -> LoadFigures:
    """The figures of a run that is over. The rate is over the time planned, ramp-up included."""
    return LoadFigures(
        tables=plan.tables,
        players=plan.players,
        seconds=plan.seconds,
        pace=plan.pace.value,
        actions=tally.actions,
        actions_per_s=round(tally.actions / (plan.seconds + plan.ramp_up), 1),
        hands=tally.hands,
        act_to_answer=Latency.of(tally.answer_us),
        act_to_event=Latency.of(tally.event_us),
        late=tally.late,
        rebuys=tally.rebuys,
        retries=tally.retries,
        refusals_of_players=dict(tally.refusals),
        refusals_of_table=refusals,
        errors=tally.errors,
        stuck=tally.stuck,
        lateness=lateness,
        processes=processes,
        chips=chips,
    )
