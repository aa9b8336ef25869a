"""What must hold, whatever is lost, repeated, late or killed; checked beside every commit that the server
carries out.

The book keeps what the server told so far, version by version. It knows nothing of how the protocol works:
it reads what is stored and compares that with what came before and with what clients were answered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from servito_core.events import TurnExpired
from servito_table.adapters.codec import Codec
from servito_table.adapters.store import GRACE_MS
from servito_table.app.commands import Act
from servito_table.app.commits import Answer, Commit, Fence, Place, Request
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.waits import wait_of
from tests.model.processes import OUTAGE_MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_table.app.commands import TableCommand
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState
    from tests.model.server import Row, Server


class Law(StrEnum):
    """One promise each."""

    GAPLESS = "the versions of one story follow one another, and what was not made changed nothing"
    STORY = "a state is what its events make of the state before"
    CHIPS = "the chips of a table are what the journal says came in, less what went out"
    ONCE = "a request is carried out once"
    FIRST_ANSWER = "a repeat gets the first answer, and other content under its id is refused"
    MOMENT = "an act counts in the very turn that its player saw"
    IN_TIME = "an act counts until its deadline and a short grace, and not after"
    NO_OUTAGE = "no player's clock is ended that ran while nobody could sweep, before he had its time again"
    NOT_EARLY = "no wait is ended before its deadline"
    NOT_ACTED_ON = "what is said to have expired did: the wait that was named, and not another"
    DEADLINES = "every wait that ends has its deadline where the timers look, and nothing else is there"
    ONE_CLAIM = "what was claimed is nobody else's before the lease is over"
    GOES_ON = "when the faults have stopped, a table that waits for time goes on"
    KEPT = "what moved money and was answered is not lost in a failover"


class Broken(AssertionError):  # noqa: N818 - what a law is then
    """A law does not hold."""

    def __init__(self, law: Law, why: str) -> None:
        super().__init__(f"{law.name} ({law.value}): {why}")
        self.law = law


def hold(law: Law, what: bool, why: str) -> None:
    """Raise Broken unless `what`."""
    if not what:
        raise Broken(law, why)


@dataclass(frozen=True, eq=False)
class Made:
    """A commit that the server carried out, and the table after it."""

    serial: int
    """No other commit has it, in any story."""
    commit: Commit
    row: Row
    state: TableState
    started: int
    """When its wait began."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A request of a client, as often as it may be sent; `turn`: which commit began that of an act."""

    command: TableCommand
    request: Request
    turn: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What no other request has."""
        return self.request.player, self.request.id


@dataclass(frozen=True, eq=False)
class Sent:
    """One sending of a request; `before`: the answer that there was already."""

    asked: Asked
    before: Answer | None


class Book:
    """See the module."""

    def __init__(self, server: Server, table_id: str) -> None:
        self.server = server
        self.table_id = table_id
        self.story: list[Made] = []
        self.replicated = 0
        """How much of the story the replica has."""
        self.answers: defaultdict[tuple[str, str], list[tuple[str, Answer]]] = defaultdict(list)
        """Fingerprint and answer of every request that was ever carried out."""
        self.acts: dict[tuple[str, str], Asked] = {}
        self.ended: Counter[str] = Counter()
        """How often a wait of that name was ended by its deadline, in any story."""
        self.paid: dict[tuple[str, str], Answer] = {}
        """Requests about money that were answered."""
        self._told: Counter[str] = Counter()
        self._swept: list[int] = []
        self._noted: list[int] = []
        """Sweeps, and those of them that the server knows of."""
        self._noted_there = 0
        self._missing_there: set[str] = set()
        self._leases: dict[str, int] = {}
        self.missing: set[str] = set()
        """Waits whose deadlines somebody took from where the timers look."""
        self._codec = Codec()
        self._serials = count(1)

    @property
    def state(self) -> TableState:
        """The table as it is."""
        return self.story[-1].state

    @property
    def row(self) -> Row:
        """How it is stored."""
        return self.story[-1].row

    @property
    def turn(self) -> int:
        """Which commit began the turn of now."""
        turn = self.state.turn
        return next(made.serial for made in self.story if made.state.turn == turn)

    def heard(self, commit: Commit, reply: list[Any], row: Row | None) -> None:
        """The server carried a commit script out, and holds that then."""
        if reply[0] == b"ok":
            assert row is not None
            self._made(commit, row)
        else:
            hold(Law.GAPLESS, row == (self.row if self.story else None), f"{reply[0]!r} changed the table")
            self._not_made(commit, reply[0])

    def sending(self, asked: Asked) -> Sent:
        """A client sends a request."""
        if isinstance(asked.command, Act):
            self.acts[asked.key] = asked
        return Sent(asked, self._done(asked))

    def answered(self, sent: Sent, outcome: Answer | BaseException) -> None:
        """A client was answered."""
        asked, known = sent.asked, self.answers[sent.asked.key]
        if isinstance(outcome, Answer):
            mine = (asked.request.fingerprint, outcome)
            hold(Law.FIRST_ANSWER, mine in known, f"{asked.key} was answered {outcome}, not one of {known}")
            if outcome.moved_money:
                self.paid[asked.key] = outcome
        elif isinstance(outcome, TableRefused):
            if outcome.reason is TableReason.REQUEST_ID_REUSED:
                others = [mark for mark, _ in known if mark != asked.request.fingerprint]
                hold(Law.FIRST_ANSWER, bool(others), f"{asked.key} was refused as used with other content")
            elif outcome.reason not in _TRY_AGAIN and sent.before is not None:
                still = self._done(asked)
                hold(Law.FIRST_ANSWER, still is None, f"{asked.key} was answered {still}, now {outcome}")
        else:
            raise outcome

    def expired(self, wait: str, outcome: Expiry) -> None:
        """The timers were told what became of a wait that they named."""
        if outcome is Expiry.EXPIRED:
            self._told[wait] += 1
            hold(Law.NOT_ACTED_ON, self._told[wait] <= self.ended[wait], f"wait {wait} is said to be expired")

    def claimed(self, waits: Sequence[str], lease_ms: int) -> None:
        """A sweeper got these, none at all perhaps."""
        now = self.server.now
        self._swept.append(now)
        self._noted.append(now)
        for wait in waits:
            hold(Law.ONE_CLAIM, self._leases.get(wait, 0) <= now, f"wait {wait} is claimed until later")
            hold(Law.NOT_EARLY, self.row.waits.get(wait, 0) <= now, f"wait {wait} is claimed before its time")
            self._leases[wait] = now + lease_ms
        if waits:
            self._look_again()

    def lost(self, wait: str) -> None:
        """Somebody took its deadline from where the timers look."""
        self.missing.add(wait)
        self._leases.pop(wait, None)
        self._look_again()

    def mended(self, number: int) -> None:
        """So many deadlines were put back."""
        there, self.missing = len(self.missing), set()
        self._look_again()
        hold(Law.DEADLINES, number == there, f"{number} deadlines were put back, {there} were missing")
        hold(Law.DEADLINES, self.row.members.keys() == self.row.waits.keys(), f"{self.row} after mending")
        for wait, until in self._leases.items():
            hold(
                Law.ONE_CLAIM,
                self.row.members.get(wait, until) >= until,
                f"mending ended the lease of {wait}",
            )

    def has(self, request: Request) -> bool:
        """Whether the request is carried out in the story as it is."""
        return any(made.commit.request == request for made in self.story)

    def replicate(self) -> None:
        """The replica has everything."""
        self.server.replicate()
        self.replicated = len(self.story)
        self._missing_there = self.missing.copy()
        self._noted_there = len(self._noted)

    def fail_over(self) -> None:
        """What the replica has is the truth."""
        self.server.fail_over()
        lost = self.story[self.replicated :]
        del self.story[self.replicated :]
        for made in lost:
            request = made.commit.request
            paid = request is not None and self.paid.get((request.player, request.id)) == made.commit.answer
            hold(Law.KEPT, not paid, f"{made.commit.events} are lost")
        self._leases.clear()
        self.missing = self._missing_there.copy()
        if not self.server.was_swept():
            self._swept.clear()
        del self._noted[self._noted_there :]
        self._look_again()

    def _look_again(self) -> None:
        """Claims have moved; nothing else."""
        last, row = self.story[-1], self.server.row(self.table_id)
        assert row is not None
        hold(
            Law.STORY, replace(row, members={}) == replace(last.row, members={}), "a claim changed the table"
        )
        self.story[-1] = replace(last, row=row)

    def _done(self, asked: Asked) -> Answer | None:
        """The answer of a request that is part of the story as it is."""
        for made in self.story:
            request = made.commit.request
            if request is not None and request == asked.request:
                return made.commit.answer
        return None

    def _made(self, commit: Commit, row: Row) -> None:
        before = self.story[-1] if self.story else None
        version = 1 if before is None else before.row.version + 1
        hold(Law.GAPLESS, row.version == version, f"version {row.version} came after {version - 1}")
        name, table_id = row.entry[0].decode(), commit.state.id
        told = self._codec.read_told(row.entry[1], table_id, row.lineage)
        hold(Law.GAPLESS, name == f"{version}-0" and told.version == version, f"told as {name}")
        state = self._codec.decode(row.stored, table_id, Place(version, row.lineage))
        kept = (
            before is not None
            and row.turn == before.row.turn
            and row.waits.get(str(row.turn)) == before.row.waits.get(str(row.turn))
        )
        started = before.started if before is not None and kept else self.server.now
        made = Made(next(self._serials), commit, row, state, started)
        self.missing -= row.members.keys()
        self.missing &= row.waits.keys()
        if before is not None:
            self._follows(before.state, told.events, state)
            self._ends_a_wait(commit, before, told.events)
        hold(Law.CHIPS, state.chips == row.money, f"{state.chips} chips, {row.money} in the journal")
        self._deadlines(state, row)
        self._requests(commit, before)
        self.story.append(made)
        self._leases = {wait: until for wait, until in self._leases.items() if wait in row.members}

    @staticmethod
    def _follows(before: TableState, events: Sequence[TableEvent], after: TableState) -> None:
        try:
            folded = fold(before, events)
        except Exception as error:
            raise Broken(Law.STORY, f"{events} cannot follow: {error}") from error
        folded.turn = after.turn
        hold(Law.STORY, folded == after, f"the state is not what {events} make of the one before")

    def _not_made(self, commit: Commit, why: bytes) -> None:
        if why == b"late":
            ends = self.row.waits.get(self._fenced(commit), 0)
            if not commit.fenced:
                outages = self._outages(self.story[-1].started, ends)
                hold(Law.NO_OUTAGE, not outages, f"an act was late for {outages}")
            hold(Law.IN_TIME, 0 < ends < self.server.now - GRACE_MS, "an act was late before its time was up")

    def _fenced(self, commit: Commit) -> str:
        assert commit.before is not None
        return commit.fenced or str(commit.before.state.turn)

    def _ends_a_wait(self, commit: Commit, before: Made, events: Sequence[TableEvent]) -> None:
        now, wait = self.server.now, self._fenced(commit)
        ends = before.row.waits.get(wait, 0)
        if commit.fence in (Fence.EXPIRY, Fence.TURN, Fence.AGAIN):
            hold(Law.NOT_EARLY, 0 < ends <= now, f"wait {wait} was ended at {now}, its deadline is {ends}")
            self.ended[wait] += 1
        elif commit.fence is Fence.ACTION:
            late = 0 < ends < now - GRACE_MS and not self._maybe_outages(before.started, ends)
            hold(Law.IN_TIME, not late, f"an act at {now} counts, the end was {ends}")

        if any(isinstance(event, TurnExpired) for event in events):
            outages = self._outages(before.started, ends)
            hold(Law.NO_OUTAGE, not outages, f"turn {wait} ran {before.started}..{ends} through {outages}")

    def _outages(self, started: int, ends: int) -> list[tuple[int, int]]:
        """The times without a sweep that were long, and in which a clock ran."""
        gaps = self._gaps(self._swept, OUTAGE_MS)
        return [(begin, end) for begin, end in gaps if started < end and ends > begin]

    def _maybe_outages(self, started: int, ends: int) -> list[tuple[int, int]]:
        """The same as they may look to the scripts, which note a sweep once a second, know nothing of those
        that a failover lost, and of two outages soon after one another make one.
        """
        seen: list[tuple[int, int]] = []
        for begin, end in self._gaps(self._noted, OUTAGE_MS - 1_000):
            if seen and begin - seen[-1][1] < 62_000:
                begin = seen.pop()[0]  # noqa: PLW2901 - one outage
            seen.append((begin, end))
        return [(begin, end) for begin, end in seen if started < end and ends > begin - 1_000]

    def _gaps(self, sweeps: list[int], longest: int) -> list[tuple[int, int]]:
        times = [*sweeps, self.server.now]
        return [(begin, end) for begin, end in pairwise(times) if end - begin > longest]

    def _deadlines(self, state: TableState, row: Row) -> None:
        turn = str(row.turn)
        hold(
            Law.DEADLINES,
            (wait_of(state).ms > 0) is (turn in row.waits),
            f"the table waits for {wait_of(state)}, its deadlines are {row.waits}",
        )
        there = row.waits.keys() - self.missing
        hold(Law.DEADLINES, row.members.keys() == there, f"{row.members} for {row.waits}")
        early = [wait for wait in there if row.members[wait] < row.waits[wait]]
        hold(Law.NOT_EARLY, not early, f"{early} would be claimed before their time")

    def _requests(self, commit: Commit, before: Made | None) -> None:
        request = commit.request
        if request is None:
            return
        key = request.player, request.id
        earlier = [
            made
            for made in self.story
            if made.commit.request is not None and (made.commit.request.player, made.commit.request.id) == key
        ]
        hold(Law.ONCE, not earlier, f"{key} was carried out before")
        self.answers[key].append((request.fingerprint, commit.answer))
        asked = self.acts.get(key)
        if asked is not None and before is not None and asked.request == request:
            hold(Law.MOMENT, asked.turn == self.turn, f"{asked.command} was meant for another moment")


_TRY_AGAIN = {TableReason.OUTCOME_UNKNOWN, TableReason.UNAVAILABLE, TableReason.CONTENDED}
