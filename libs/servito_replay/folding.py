"""A stored hand, folded from its first commit to its last, each state compared with what is noted of it.

`folded` gives a step for each commit; the first difference is raised where it is. With the auditor's key
everything is folded and compared with both digests; without it, the hand as everybody sees it, with the one
that lies open. Commits that a failover lost are left out: what is told of a table is the branch that stayed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito_core import events as e
from servito_core.evolve import begin
from servito_core.rules import InvalidRules
from servito_core.rules.texts import rules_of_texts
from servito_replay.deciding import NotSo, begun, decided
from servito_replay.differences import Difference, Kind
from servito_replay.stands import Stands
from servito_wire import digests
from servito_wire.events import TABLE_EVENTS, event_from_proto

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servito_core.rules import RuleSet
    from servito_core.state import HandState
    from servito_replay.entries import Commit, Entry


@dataclass(frozen=True, slots=True)
class Step:
    """One commit, and the hand after it; `places`: of its events in the hand among all of the commit."""

    commit: Commit
    hand: HandState
    events: tuple[e.Event, ...]
    places: tuple[int, ...]


@dataclass(slots=True)
class Folding:
    """A hand as far as it is folded."""

    number: int
    hand: HandState | None = None
    before: Entry | None = None
    _stands: Stands = field(default_factory=Stands)

    def step(self, commit: Commit) -> Step:
        """The next commit. Raises Difference."""
        entry = commit.entry
        if self.before is not None:
            _check_follows(self.before, entry)
        if commit.public.hand != self.number:
            raise Difference(Kind.MISPLACED, entry.version, detail=f"hand {commit.public.hand}")
        places, events = self._events(commit)
        hand = self.hand
        if hand is None:
            hand = self._begin(commit, events, places)
        elif events:
            if hand.outcome is not None:
                raise Difference(Kind.AFTER, entry.version, places[0], type(events[0]).__name__)
            try:
                hand = decided(hand, events, whole=commit.whole is not None)
            except NotSo as error:
                raise _different(error, places, entry.version) from None
        _check_turn(commit, hand)
        if events:
            _compare(commit, hand)
        self.hand, self.before = hand, entry
        return Step(commit, hand, events, places)

    def _events(self, commit: Commit) -> tuple[tuple[int, ...], tuple[e.Event, ...]]:
        """Those of the hand, and their places."""
        places, events = [], []
        for place, stored in enumerate((commit.whole or commit.public).events):
            name = stored.WhichOneof("event")
            if name in TABLE_EVENTS:
                continue
            try:
                event = (
                    self._stands.event(stored, self.hand)
                    if commit.whole is None
                    else event_from_proto(stored)
                )
            except (LookupError, ValueError) as error:
                detail = f"{name or 'an event of no known kind'}: {error!r}"
                raise Difference(Kind.EVENT, commit.entry.version, place, detail) from None
            places.append(place)
            events.append(event)
        return tuple(places), tuple(events)

    def _begin(self, commit: Commit, events: tuple[e.Event, ...], places: tuple[int, ...]) -> HandState:
        version, public = commit.entry.version, commit.public
        if not events or not isinstance(events[0], e.HandStarted):
            raise Difference(Kind.BEGINNING, version, detail="HandStarted is not its first event")
        started = events[0]
        if started.number != self.number:
            raise Difference(Kind.MISPLACED, version, places[0], f"hand {started.number}")
        if not public.HasField("config") or len(public.players) != len(started.seats):
            raise Difference(Kind.BEGINNING, version, detail="rules or players are missing")
        try:
            return begun(begin(_rules(commit), started), events[1:])
        except NotSo as error:
            raise _different(error, places[1:], version) from None


def folded(commits: Iterable[Commit], number: int) -> Iterator[Step]:
    """The steps of the hand of that number out of the commits of its table, in their order. Raises Difference
    at the first one.
    """
    folding = Folding(number)
    for commit in commits:
        if not commit.entry.lost:
            yield folding.step(commit)


def _check_follows(before: Entry, entry: Entry) -> None:
    if entry.version != before.version + 1:
        raise Difference(Kind.GAP, entry.version, detail=f"it comes after version {before.version}")
    if entry.parent != before.lineage:
        raise Difference(
            Kind.GAP, entry.version, detail=f"made on lineage {entry.parent}, not {before.lineage}"
        )


def _rules(commit: Commit) -> RuleSet:
    config = commit.public.config
    try:
        return rules_of_texts(config.preset, dict(config.options))
    except InvalidRules as invalid:
        raise Difference(Kind.RULES, commit.entry.version, detail=str(invalid)) from None


def _check_turn(commit: Commit, hand: HandState) -> None:
    public = commit.public
    told = public.to_act if public.HasField("to_act") else None
    seat = None if hand.to_act is None else hand.players[hand.to_act].seat
    if told != seat:
        raise Difference(Kind.TO_ACT, commit.entry.version, detail=f"seat {told}, and it is {seat}")


def _compare(commit: Commit, hand: HandState) -> None:
    """With what is noted of the state, as far as it can be read."""
    entry, noted = commit.entry, commit.public.public_digest
    checks = [(Kind.SHOWN, noted, digests.shown(hand, entry.table_id))]
    if commit.whole is not None and commit.whole != commit.public:
        checks.append((Kind.WHOLE, commit.whole_digest, digests.whole(hand)))
    for kind, digest, made in checks:
        if not digest:
            raise Difference(Kind.NO_DIGEST, entry.version)
        if digest[0] != digests.FORM:
            raise Difference(Kind.FORM, entry.version, detail=f"form {digest[0]}")
        if digest != made:
            raise Difference(kind, entry.version, detail=f"{digest.hex()} is noted, and it is {made.hex()}")


def _different(error: NotSo, places: tuple[int, ...], version: int) -> Difference:
    place = places[error.place] if error.place < len(places) else None
    return Difference(Kind.DECISION, version, place, error.why)
