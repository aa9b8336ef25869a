"""The figures of a run, and which promises it broke. Pure: from what witnesses wrote down to numbers.

A standstill is a time without a commit: anywhere, or at one table that is played at. It is laid to the fault
that began nearest to its beginning. Changes with show.py, which prints them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.chaos import checks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.chaos.history import Course, Entry


_LONG_MS = 5_000


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
    notes: Sequence[str] = ()
    """What else there is to know: whose clock is off."""
    standstills: Mapping[str, Standstill] = field(default_factory=dict)
    longest: Sequence[str] = ()
    """The longest standstills of single tables, told."""
    lateness: Mapping[str, Lateness] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    """What came out of the SDK in the end, by reason."""
    unanswered: Mapping[str, int] = field(default_factory=dict)
    refusals: Mapping[str, int] = field(default_factory=dict)
    refused_copies: Mapping[str, int] = field(default_factory=dict)
    """Refusals of requests that had been answered for good."""
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


def standstills(courses: Sequence[Course], faults: Sequence[Struck], end: int) -> dict[str, Standstill]:
    """By kind of fault, and `none` before the first one. `courses`: tables of people who play."""
    everywhere = sorted(entry.now for course in courses for entry in course.entries if entry.now <= end)
    anywhere: dict[str, int] = {}
    for before, after in pairwise(everywhere):
        kind = _laid_to(before, after, faults)
        anywhere[kind] = max(anywhere.get(kind, 0), after - before)
    tables = _longest(courses, faults, end)
    times_struck = Counter(struck.kind for struck in faults)
    return {
        kind: Standstill(
            times_struck[kind],
            round(anywhere.get(kind, 0) / 1000, 2),
            round(tables[kind].ms / 1000, 2) if kind in tables else 0.0,
        )
        for kind in sorted({*anywhere, *tables})
    }


def longest(courses: Sequence[Course], faults: Sequence[Struck], end: int) -> list[str]:
    """The longest standstill of a table of each kind, told where it is long: what came before and after."""
    found = sorted(_longest(courses, faults, end).items(), key=lambda each: -each[1].ms)
    return [f"{kind}: {gap.told()}" for kind, gap in found if gap.ms > _LONG_MS]


@dataclass(frozen=True, slots=True)
class _Gap:
    """Between two commits of a table."""

    table_id: str
    before: Entry
    after: Entry

    @property
    def ms(self) -> int:
        return self.after.now - self.before.now

    def told(self) -> str:
        """For people."""
        wait = self.before.deadline - self.before.now if self.before.deadline else 0
        return (
            f"{self.ms / 1000:.2f} s at table {self.table_id} from {self.before.now} on: version"
            f" {self.before.version} ({checks.events_of(self.before)}; its deadline after {wait} ms), then"
            f" {checks.events_of(self.after)}"
        )


def _longest(courses: Iterable[Course], faults: Sequence[Struck], end: int) -> dict[str, _Gap]:
    """The longest gap of a table that is laid to each kind."""
    found: dict[str, _Gap] = {}
    for course in courses:
        for before, after in pairwise(course.entries):
            if after.now <= end:
                kind = _laid_to(before.now, after.now, faults)
                gap = _Gap(course.table_id, before, after)
                if kind not in found or gap.ms > found[kind].ms:
                    found[kind] = gap
    return found


def _laid_to(before: int, after: int, faults: Sequence[Struck]) -> str:
    """The kind of the fault that began nearest to `before`, and before `after`."""
    begun = [each for each in faults if each.begin < after]
    return min(begun, key=lambda each: abs(each.begin - before)).kind if begun else "none"


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
