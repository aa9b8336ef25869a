"""What the use cases need from outside, and the values that go to and fro.

The store's promise: `commit` makes a whole decision true or nothing, in one step, and answers a repeated
request with the first answer. Implemented by `adapters` and, for tests, by twins in memory. Times are
milliseconds of the state server's clock; nothing else reads a clock. All values are read-only; those that are
made with every action are not frozen, because that costs more than what is done with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from servito_core.state import CardsNeeded, HandState, OpenersNeeded, WinnersNeeded
    from servito_table.app.deal_events import Holder, Proofs, Supplied
    from servito_table.app.decide import Judgement
    from servito_table.app.events import TableEvent
    from servito_table.app.listing import Listed, Wanted
    from servito_table.app.state import TableState
    from servito_table.app.templates import Template
    from servito_table.app.told import Told


NO_WAITS: Final[Mapping[str, int]] = {}


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


class Safety(Protocol):
    """Whether commits that moved money are safe: replicas have them, so that a failover does not lose them.
    False also if that could not be learnt in a bounded time.
    """

    async def has_request(self, table_id: str, request: Request) -> bool:
        """The commit that carried out this request."""

    async def has_commit(self, committed: Committed) -> bool:
        """This commit."""


class Store(Protocol):
    """The tables in the state server."""

    async def look(
        self, table_id: str, known: Known | None, request: Request | None
    ) -> Known | Repeated | Unmade | None:
        """The table as it is now, `known` itself if that is it; None: no such table. Raises Unavailable.

        With a request, what is known of that comes first: Repeated, or Unmade.REUSED.
        """

    async def commit(self, commit: Commit) -> Committed | Moved | Repeated | Spared | Unmade:
        """Make a decision true. Looked at in this order: request, version, fence. Raises Unavailable,
        OutcomeUnknown.
        """

    async def forget_wait(self, table_id: str, wait: str) -> bool:
        """Drop a deadline so that the timers stop naming it, if its wait is over; whether it is. Raises
        Unavailable. `wait`: the number of a turn, or the name of a wait beside it.
        """


class Index(Protocol):
    """All tables, in the order of their ids."""

    async def page(self, after: str, size: int, wanted: Wanted) -> tuple[Sequence[Listed], str]:
        """At most `size` tables that are wanted, the first one behind the id `after`, and the id to go on
        from ("": no more).

        A page may hold fewer tables than `size` before the last. Raises Unavailable.
        """

    async def tables(self, ids: Sequence[str]) -> Sequence[Listed | None]:
        """These tables; None for one that does not exist. Raises Unavailable."""

    async def forget_gone(self) -> int:
        """Give up the places of closed tables that exist no more, in another part of the index each time; how
        many. Raises Unavailable.
        """


class Templates(Protocol):
    """The kinds of tables that are kept open."""

    async def all(self) -> Sequence[Template]:
        """Every one, in the order of their ids, deleted ones too. Raises Unavailable."""

    async def get(self, template_id: str) -> Template | None:
        """One of them. Raises Unavailable."""

    async def put(self, template: Template) -> bool:
        """Write it in place of its `version`; False: another version is there, and nothing was changed.
        Raises Unavailable, OutcomeUnknown.
        """

    async def remove(self, template: Template) -> bool:
        """Forget it; the rest as in `put`."""

    async def look_for_all(self, ms: int) -> bool:
        """Whether this process is to look after every template now: of all that ask within `ms` one is told
        so. Raises Unavailable.
        """


class Feed(Protocol):
    """The event streams of the tables."""

    async def after(self, table_id: str, version: int) -> Sequence[tuple[Told, int]]:
        """The commits behind `version` that the stream still has, each with its deadline. Raises
        Unavailable.
        """

    async def versions(self, table_ids: Sequence[str]) -> Sequence[Place]:
        """The versions of these tables now; 0 for one that is gone. Raises Unavailable."""

    def follow(self, table_id: str) -> None:
        """Ask for wake-ups of this table."""

    def unfollow(self, table_id: str) -> None:
        """No more of them."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A commit that the table's stream still has, and when it was made."""

    told: Told
    at: int


class Hands(Protocol):
    """The latest commits of the tables, the oldest first: as many as the streams keep."""

    async def outlines(self, table_id: str) -> Sequence[Kept]:
        """All of them; of their events only those that begin and end hands. Raises Unavailable."""

    async def of_hand(self, table_id: str, number: int) -> Sequence[Kept]:
        """All of them; with their events those of this hand, and of the others only changes of rules. Raises
        Unavailable.
        """


class Evaluator(Protocol):
    """The evaluator service."""

    async def judge(self, hand: HandState, needed: OpenersNeeded | WinnersNeeded) -> Judgement:
        """The answer for a hand that needs a judgement. Raises Unavailable, NeverJudged."""


class Dealer(Protocol):
    """The dealer service. Asking twice for the same gives the same cards."""

    async def cards(
        self, table_id: str, hand: HandState, needed: CardsNeeded, holders: Sequence[Holder]
    ) -> Supplied:
        """The cards that a committed hand waits for; `holders` are those who are dealt to, in order, if it is
        the deal. Raises Unavailable, NeverDealt.
        """

    async def proofs(self, hand: str, positions: Iterable[int]) -> Proofs:
        """What opens these positions of the hand of this id, all of which were dealt. Raises Unavailable,
        NeverDealt.
        """


class NeverDealt(Exception):  # noqa: N818 - it says what is the case
    """The dealer refuses for good: it knows the hand differently. The text is the dealer's reason, a word."""


class NeverJudged(Exception):  # noqa: N818 - it says what is the case
    """The evaluator refuses for good: it cannot read what the hand holds. The text is its reason, a word."""


class Announcer(Protocol):
    """Tells those who watch."""

    def committed(self, known: Known, events: tuple[TableEvent, ...]) -> None:
        """A commit of this process was made: `events` led to `known`."""


class Stream(Protocol):
    """What one stream still has to send, encoded."""

    table_id: str
    ended: bool

    @property
    def ending(self) -> bool:
        """Whether no further act should be begun."""

    async def next(self) -> Sequence[bytes]:
        """Wait for something to send, and take all of it: parts of one message. After the last, `ended` is
        true.
        """

    def expect_answer(self) -> None:
        """An act is being carried out: what it brings about may wait a little for its answer."""

    async def answer(self, message: bytes) -> None:
        """Send an answer to an act; waits while too many are not sent."""

    def end(self) -> None:
        """Say goodbye after what is waiting, and after the answer to an act that is carried out now."""


class Streams(Protocol):
    """Those who watch."""

    async def join(self, table_id: str, player: str | None, after: Place | None) -> Stream:
        """A new stream as `player` may see it, from behind version `after` or with the whole table; it has to
        `leave`. Raises TableRefused: UNKNOWN_TABLE, NOT_PERMITTED, UNAVAILABLE.
        """

    def leave(self, stream: Stream) -> None:
        """The stream has ended."""


class Monitor(Protocol):
    """Counts what happens and notes what is odd; never told a card."""

    def acted(self, kind: str, outcome: str) -> None:
        """A player's command ended: accepted, repeated or refused."""

    def refused(self, method: str, reason: str) -> None:
        """A request of this rpc was refused for this reason."""

    def hand_ended(self, outcome: str) -> None:
        """A hand is over."""

    def happened(self, event: str) -> None:
        """One of the table's own events was committed."""

    def moved(self, chips: int) -> None:
        """Chips came into play, or left it (negative)."""

    def conflict(self) -> None:
        """A commit found that the table had moved."""

    def expired(self, late_ms: int) -> None:
        """A deadline was acted on, this long after it."""

    def kept(self, what: str) -> None:
        """A table was opened or closed for a template."""

    def maintenance(self, *, on: bool) -> None:
        """Whether no hand may begin, as this process has just read."""

    def stalled(self, table_id: str, why: str) -> None:
        """A table does not go on by itself now; its deadline will bring it back."""
