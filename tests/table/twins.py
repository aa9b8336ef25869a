"""Twins in memory of the state server and of who is told: quick, deterministic, with the same promises as the
real ones. Those of the services that the table asks are in asked.py.

`MemoryStore` is held to the Redis store by `test_store.py`, which runs the same claims against both.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from servito_table.app.commits import (
    Answer,
    Commit,
    Committed,
    Fence,
    Known,
    Moved,
    Repeated,
    Request,
    Spared,
    Unmade,
)
from servito_table.app.events import TableEvent
from servito_table.app.refusals import OutcomeUnknown, Unavailable

GRACE_MS = 300


class MemoryStore:
    """`app.ports.Store`. `now` is the server's clock; `commits` are all that were made, at `times`; hooks
    let a test interfere.
    """

    def __init__(self) -> None:
        self.now = 1_000_000
        self.tables: dict[str, Known] = {}
        self.commits: list[Commit] = []
        self.times: list[int] = []
        self.looks = 0
        self.requests: dict[tuple[str, str, bool], OrderedDict[str, tuple[str, Answer]]] = {}
        self.deadlines: dict[str, int] = {}
        self.before_commit: Callable[[Commit], None] = lambda _commit: None
        self.lose_answers = 0
        self.down = False
        self.lineages = 0
        """How many were given out."""
        self.made: dict[tuple[str, int], int] = {}
        """The lineages of all versions."""
        self.outage: tuple[int, int] | None = None
        """The latest, which is over."""

    async def look(
        self, table_id: str, known: Known | None, request: Request | None
    ) -> Known | Repeated | Unmade | None:
        """See the port."""
        self.looks += 1
        if self.down:
            raise Unavailable("the state server")
        if (done := self._done(table_id, request)) is not None:
            return done
        held = self.tables.get(table_id)
        return known if held is not None and known is not None and held.place == known.place else held

    async def commit(self, commit: Commit) -> Committed | Moved | Repeated | Spared | Unmade:
        """See the port."""
        if self.down:
            raise OutcomeUnknown
        hook, self.before_commit = self.before_commit, lambda _commit: None
        hook(commit)
        outcome = self._committed(commit)
        if self.lose_answers:
            self.lose_answers -= 1
            raise OutcomeUnknown
        return outcome

    async def forget_wait(self, table_id: str, wait: str) -> bool:
        """See the port."""
        held = self.tables.get(table_id)
        if held is not None and (held.deadline if wait == str(held.state.turn) else wait in held.waits):
            return False
        self.deadlines.pop(f"{table_id}:{wait}", None)
        return True

    def _committed(self, commit: Commit) -> Committed | Moved | Repeated | Spared | Unmade:
        table_id, request = commit.state.id, commit.request
        if (done := self._done(table_id, request)) is not None:
            return done
        held = self.tables.get(table_id)
        if (held.place if held else None) != (commit.before.place if commit.before else None):
            assert held is not None
            return Moved(held)
        deadline = held.ends(commit.fenced) if held else 0
        left = None if held is None or commit.fenced else self._left_in_outage(held)
        if commit.fence is Fence.ACTION:
            if left is None and deadline and self.now > deadline + GRACE_MS:
                return Unmade.LATE
        elif commit.fence is not Fence.NONE:
            if not 0 < deadline <= self.now or (commit.fence is Fence.AGAIN and left is None):
                return Unmade.EARLY
            if commit.fence is Fence.TURN and held is not None and left is not None:
                return Spared(held.deadline - held.started, left)
        known = self._written(commit, held)
        if request is not None:
            self._remember(table_id, request, commit.answer)
        self.commits.append(commit)
        self.times.append(self.now)
        return Committed(known, self.now)

    def _left_in_outage(self, held: Known) -> int | None:
        if self.outage is None or held.started >= self.outage[1] or held.deadline <= self.outage[0] - 1_000:
            return None
        return max(0, held.deadline - max(held.started, self.outage[0]))

    def _written(self, commit: Commit, held: Known | None) -> Known:
        started, deadline = (held.started, held.deadline) if held else (0, 0)
        if commit.wait_ms is not None:
            if held is not None:
                self.deadlines.pop(f"{commit.state.id}:{held.state.turn}", None)
            started, deadline = self.now, self.now + commit.wait_ms if commit.wait_ms else 0
            if deadline:
                self.deadlines[f"{commit.state.id}:{commit.state.turn}"] = deadline
        waits = dict(held.waits) if held else {}
        for name, ms in commit.waits:
            waits.pop(name, None)
            self.deadlines.pop(f"{commit.state.id}:{name}", None)
            if ms:
                waits[name] = self.deadlines[f"{commit.state.id}:{name}"] = self.now + ms
        self.lineages += 1
        begun = held.begun if held and held.state.turn == commit.state.turn else self.lineages
        parent = held.lineage if held else 0
        known = Known(commit.state, commit.version, started, deadline, waits, self.lineages, begun, parent)
        self.made[known.state.id, known.version] = known.lineage
        self.tables[commit.state.id] = known
        return known

    def lose(self, now: Known) -> None:
        """A failover loses what came after `now` at its table."""
        self.tables[now.state.id] = now
        kept = [
            (commit, at)
            for commit, at in zip(self.commits, self.times, strict=True)
            if commit.state.id != now.state.id or commit.version <= now.version
        ]
        self.commits, self.times = [commit for commit, _ in kept], [at for _, at in kept]

    def _done(self, table_id: str, request: Request | None) -> Repeated | Unmade | None:
        if request is None:
            return None
        for of_turn in (False, True):
            done = self.requests.get((table_id, request.player, of_turn), OrderedDict()).get(request.id)
            if done is not None:
                return Repeated(done[1]) if done[0] == request.fingerprint else Unmade.REUSED
        return None

    def _remember(self, table_id: str, request: Request, answer: Answer) -> None:
        done = self.requests.setdefault((table_id, request.player, request.of_turn), OrderedDict())
        done[request.id] = (request.fingerprint, answer)
        if len(done) > (3 if request.of_turn else 64):
            done.popitem(last=False)


class Listener:
    """`app.ports.Announcer` that remembers."""

    def __init__(self) -> None:
        self.told: list[tuple[Known, tuple[TableEvent, ...]]] = []
        self.on_commit: Callable[[], None] = lambda: None

    def committed(self, known: Known, events: tuple[TableEvent, ...]) -> None:
        """See the port."""
        self.told.append((known, events))
        self.on_commit()


class Tally:
    """`app.ports.Monitor` that remembers."""

    def __init__(self) -> None:
        self.counts: list[tuple[str, ...]] = []

    def acted(self, kind: str, outcome: str) -> None:
        """See the port."""
        self.counts.append(("acted", kind, outcome))

    def refused(self, method: str, reason: str) -> None:
        """See the port."""
        self.counts.append(("refused", method, reason))

    def hand_ended(self, outcome: str) -> None:
        """See the port."""
        self.counts.append(("hand_ended", outcome))

    def happened(self, event: str) -> None:
        """See the port."""
        self.counts.append(("happened", event))

    def moved(self, chips: int) -> None:
        """See the port."""
        self.counts.append(("moved", str(chips)))

    def conflict(self) -> None:
        """See the port."""
        self.counts.append(("conflict",))

    def expired(self, late_ms: int) -> None:
        """See the port."""
        self.counts.append(("expired", str(late_ms)))

    def kept(self, what: str) -> None:
        """See the port."""
        self.counts.append(("kept", what))

    def maintenance(self, *, on: bool) -> None:
        """See the port."""
        self.counts.append(("maintenance", str(on)))

    def stalled(self, table_id: str, why: str) -> None:
        """See the port."""
        self.counts.append(("stalled", table_id, why))
