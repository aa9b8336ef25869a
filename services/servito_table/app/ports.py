"""What the use cases need from outside; the values that go to and fro with the store are in `commits.py`.

The store's promise: `commit` makes a whole decision true or nothing, in one step, and answers a repeated
request with the first answer. Implemented by `adapters` and, for tests, by twins in memory. Times are
milliseconds of the state server's clock; nothing else reads a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_core.state import CardsNeeded, HandState, OpenersNeeded, WinnersNeeded
    from servito_table.app.commits import (
        Commit,
        Committed,
        Known,
        Moved,
        Place,
        Repeated,
        Request,
        Spared,
        Unmade,
    )
    from servito_table.app.deal_events import Holder, Proofs, Supplied
    from servito_table.app.decide import Judgement
    from servito_table.app.events import TableEvent
    from servito_table.app.listing import Listed, Wanted
    from servito_table.app.templates import Template
    from servito_table.app.told import Told


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
