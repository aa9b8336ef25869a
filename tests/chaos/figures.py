"""The figures of a run, and which promises it broke. Pure: from what witnesses wrote down to numbers.

A standstill is a time without a commit: anywhere, or at one table that is played at. It is laid to the fault
that began nearest to its beginning. Changes with show.py, which prints them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.chaos import checks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.chaos.history import Course


@dataclass(frozen=True, slots=True)
class Struck:
    """A fault that happened; server ms."""

    kind: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Standstill:
    """Seconds without a commit, the longest after any fault of the kind."""

    times: int
    anywhere: float
    table: float


@dataclass(frozen=True, slots=True)
class Lateness:
    """Of turns that the clock ended, in ms."""

    count: int
    p50: int
    p99: int
    most: int

    @classmethod
    def of(cls, values: Sequence[int]) -> Lateness:
        """Read off all of them."""
        if not values:
            return cls(0, 0, 0, 0)
        ordered = sorted(values)
        return cls(
            len(ordered),
            ordered[len(ordered) // 2],
            ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
            ordered[-1],
        )


@dataclass
class Figures:
    """What came of a run; the names are the keys of `--json`."""

    seed: int
    mode: str
    seconds: float
    tables: int
    commits: int = 0
    hands: int = 0
    actions: int = 0
    """Acts that the table accepted."""
    requests: int = 0
    sent: int = 0
    repeated: int = 0
    retries: int = 0
    late_acts: int = 0
    delivered_again: int = 0
    restarts: int = 0
    machine_stood_still: float = 0.0
    """Seconds, the longest that this program itself was not run: what it measured then is no fault."""
    rewinds: int = 0
    commits_lost: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    """Kinds that this machine cannot do, and why."""
    standstills: Mapping[str, Standstill] = field(default_factory=dict)
    longest: Sequence[str] = ()
    """The longest standstills of single tables, told."""
    lateness: Mapping[str, Lateness] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    """What came out of the SDK in the end, by reason."""
    unanswered: Mapping[str, int] = field(default_factory=dict)
    refusals: Mapping[str, int] = field(default_factory=dict)
    chips: Sequence[str] = ()
    doubled: Sequence[str] = ()
    cards: Sequence[str] = ()
    stuck: Sequence[str] = ()
    others: Sequence[str] = ()
    """Other promises: turns ended early or unfairly, views that do not add up, who could not leave."""

    @property
    def broken(self) -> list[str]:
        """Why the run is no success."""
        zeros = {
            "chips lost or created": self.chips,
            "effects doubled": self.doubled,
            "cards changed": self.cards,
            "tables stuck": self.stuck,
            "other promises": self.others,
        }
        found = [f"{name}: {len(problems)}" for name, problems in zeros.items() if problems]
        return found if self.hands else [*found, "no hand was played"]

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        return asdict(self) | {"broken": self.broken}


def standstills(courses: Iterable[Course], faults: Sequence[Struck], end: int) -> dict[str, Standstill]:
    """By kind of fault, and `none` before the first one. `courses`: tables of people who play."""
    by_table = [[entry.now for entry in course.entries if entry.now <= end] for course in courses]
    everywhere = sorted(now for times in by_table for now in times)
    anywhere = _longest(everywhere, faults)
    table: defaultdict[str, float] = defaultdict(float)
    for times in by_table:
        for kind, seconds in _longest(times, faults).items():
            table[kind] = max(table[kind], seconds)
    times_struck = Counter(struck.kind for struck in faults)
    return {
        kind: Standstill(times_struck[kind], round(anywhere.get(kind, 0.0), 2), round(table[kind], 2))
        for kind in sorted(set(anywhere) | set(table))
    }


def longest(courses: Iterable[Course], faults: Sequence[Struck], end: int, most: int = 5) -> list[str]:
    """The longest standstills of single tables: what came before and after, and which faults struck then."""
    gaps = [
        (after.now - before.now, course.table_id, before, after)
        for course in courses
        for before, after in pairwise(course.entries)
        if after.now <= end
    ]
    told = []
    for gap, table_id, before, after in sorted(gaps, key=lambda found: -found[0])[:most]:
        during = ", ".join(f.kind for f in faults if f.begin <= after.now and before.now <= f.end + 1_000)
        wait = before.deadline - before.now if before.deadline else 0
        told.append(
            f"{gap / 1000:.2f} s at table {table_id}: version {before.version} ({checks.events_of(before)};"
            f" its deadline after {wait} ms), then {checks.events_of(after)}; {during or 'no fault'}"
        )
    return told


def _longest(times: Sequence[int], faults: Sequence[Struck]) -> dict[str, float]:
    """The longest gap laid to each kind, in seconds."""
    found: dict[str, float] = {}
    begun = sorted(faults, key=lambda struck: struck.begin)
    first = 0
    for before, after in pairwise(times):
        while first + 1 < len(begun) and begun[first + 1].begin <= before:
            first += 1
        near = [each for each in begun[first : first + 2] if each.begin < after]
        kind = min(near, key=lambda each: abs(each.begin - before)).kind if near else "none"
        found[kind] = max(found.get(kind, 0.0), (after - before) / 1000)
    return found


def lateness(courses: Iterable[Course], faults: Sequence[Struck], patience_ms: int) -> dict[str, Lateness]:
    """Of turns that fell due while a fault was at work or had just ended, and of all others."""
    quiet: list[int] = []
    struck: list[int] = []
    for course in courses:
        for before, after, late in checks.lateness(course):
            due = before.deadline
            busy = any(f.begin <= after.now and due <= f.end + patience_ms for f in faults)
            (struck if busy else quiet).append(late)
    return {"while nothing happens": Lateness.of(quiet), "while faults strike": Lateness.of(struck)}


def unfair(courses: Iterable[Course], outages: Sequence[tuple[int, int]], least_ms: int) -> list[str]:
    """Turns that fell due while no server answered and were ended as soon as one did."""
    found = []
    for begin, end in outages:
        for course in courses:
            for before, after, _ in checks.lateness(course):
                if begin <= before.deadline <= end and after.now < end + least_ms:
                    found.append(
                        f"table {course.table_id}: a turn that fell due in an outage ended "
                        f"{after.now - end} ms after it"
                    )
    return found
