"""A table as of one version, a decision about it, and what becomes of that when it is to be made true.

The values that go to and fro between the use cases and the store (`ports.py`); neither of them is here.
Times are milliseconds of the state server's clock. All values are read-only; those that are made with every
action are not frozen, because that costs more than what is done with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from servito_core.record import record

if TYPE_CHECKING:
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState


NO_WAITS: Final[Mapping[str, int]] = {}


@record
class Place:
    """A version of a table, and which one: a failover may lose the latest, and others get their numbers. Of
    lineage 0 that is not known.
    """

    version: int
    lineage: int = 0

    def lost_by(self, now: Place) -> bool:
        """Whether a table that came to this version, and is at `now` later, has lost it. Where it is behind
        `now` its stream of events has to tell.
        """
        return now.version < self.version or (now.version == self.version and now.differs(self.lineage))

    def differs(self, lineage: int) -> bool:
        """Whether that is another lineage than this place's, as far as both are known."""
        return 0 not in (lineage, self.lineage) and lineage != self.lineage


@dataclass(slots=True)
class Known:
    """A table as of one version. `deadline` is when its wait ends, 0 for never; `started` when the wait
    began; `waits` when those beside the turn end, by their names.

    `lineage` is the version's; `begun` that of the version with which the turn began; `parent` that of the
    version before, 0 where it is not known: commits of others.
    """

    state: TableState
    version: int
    started: int = 0
    deadline: int = 0
    waits: Mapping[str, int] = field(default_factory=lambda: NO_WAITS)
    lineage: int = 0
    begun: int = 0
    parent: int = field(default=0, compare=False)

    @property
    def place(self) -> Place:
        """Its version."""
        return Place(self.version, self.lineage)

    def ends(self, wait: str) -> int:
        """When that wait ends: one beside the turn by its name, the turn's by ""; 0 for never."""
        return self.waits.get(wait, 0) if wait else self.deadline


@dataclass(slots=True)
class Request:
    """Who asks for a change under which id; `fingerprint` is equal for equal content."""

    player: str
    id: str
    fingerprint: str
    of_turn: bool = False
    """It names its turn: once forgotten a repeat is refused and changes nothing. Requests of that kind, which
    come one after the other, do not push others out of memory.
    """
    hidden: bool = False
    """Its content has something that not everybody may know: its fingerprint must not give it away."""


@record
class Answer:
    """What a request is answered, the first time and every time after."""

    version: int
    seat: int | None = None
    cashed_out: int | None = None
    proposal: int | None = None
    added: int | None = None
    place: int | None = None

    @property
    def moved_money(self) -> bool:
        """The request brought chips of its player into play, or took them out."""
        return self.seat is not None or bool(self.cashed_out) or bool(self.added)


class Fence(StrEnum):
    """What the state server's clock must say for a commit to be made."""

    NONE = "none"
    ACTION = "action"
    """The deadline has not passed, but for a short grace."""
    EXPIRY = "expiry"
    """The deadline has passed."""
    TURN = "turn"
    """So it has, and the clock of the turn that it is did not run through an outage (else Spared)."""
    AGAIN = "again"
    """So it has, and the clock of the turn ran through an outage."""


@dataclass(slots=True)
class Commit:
    """One decision, to be made true on version `before.version`; `before` is None for a new table."""

    before: Known | None
    state: TableState
    events: tuple[TableEvent, ...]
    money: tuple[tuple[str, int], ...]
    wait_ms: int | None
    """Until the new deadline: 0 for none, None to leave turn and deadline as they are."""
    answer: Answer
    fence: Fence = Fence.NONE
    request: Request | None = None
    fenced: str = ""
    """The wait beside the turn whose deadline the fence looks at; "": that of the turn."""
    waits: tuple[tuple[str, int], ...] = ()
    """Waits beside the turn that begin, with their milliseconds, or end: 0."""

    @property
    def version(self) -> int:
        """The version that it makes."""
        return 1 if self.before is None else self.before.version + 1


@dataclass(slots=True)
class Committed:
    """It is true now. `now` is the moment of the commit."""

    known: Known
    now: int


@dataclass(slots=True)
class Moved:
    """Nothing was changed: the table was at another version, which this is."""

    known: Known


@dataclass(frozen=True, slots=True)
class Repeated:
    """Nothing was changed: the request was carried out before, with this answer."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Spared:
    """Nothing was changed: the turn's clock is up, which began with `whole_ms`, but it ran through an outage,
    at the beginning of which it showed `left_ms`.
    """

    whole_ms: int
    left_ms: int


class Unmade(StrEnum):
    """Nothing was changed, for this reason."""

    REUSED = "reused"
    """The request id was used before with other content."""
    LATE = "late"
    """The deadline has passed."""
    EARLY = "early"
    """The deadline has not passed yet."""
