"""Twins in memory of what the table service talks to: quick, deterministic, with the same promises as the
real ones.

`MemoryStore` is held to the Redis store by `test_store.py`, which runs the same claims against both. The
judges answer by the core's own definition, the dealer from a shuffled deck in an ordered record.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from servito_core.cards import Card, deck_from
from servito_core.commands import DealtTo, SupplyDeal, SupplyDraw, SupplyOpeners, SupplyWinners
from servito_core.openers import opening_cards
from servito_core.ranking import rank, winners
from servito_core.rules.ruleset import Requirement
from servito_core.state import CardsNeeded, HandState, OpenersNeeded, WinnersNeeded
from servito_dealer.app.requests import Opening as Declared
from servito_dealer.app.source import COMMITTED, Source
from servito_table.adapters.contributions import contributions, holders_digest
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
from servito_table.app.deal_events import (
    DeckCommitted,
    Holder,
    Opening,
    Proofs,
    RefillCommitted,
    Supplied,
)
from servito_table.app.decide import Judgement
from servito_table.app.events import TableEvent
from servito_table.app.ports import NeverDealt, NeverJudged
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
        if len(done) > (16 if request.of_turn else 64):
            done.popitem(last=False)


class CoreEvaluator:
    """`app.ports.Evaluator` by the core's plain definition."""

    def __init__(self) -> None:
        self.asked = 0
        self.down = False
        self.lost = False

    async def judge(self, hand: HandState, needed: OpenersNeeded | WinnersNeeded) -> Judgement:
        """See the port."""
        self.asked += 1
        if self.down:
            raise Unavailable("the evaluator")
        if self.lost:
            raise NeverJudged("MALFORMED")
        return judged(hand, needed)


def judged(hand: HandState, needed: OpenersNeeded | WinnersNeeded) -> Judgement:
    """The core's own answer to a question of the hand."""
    if isinstance(needed, WinnersNeeded):
        values = {seat: rank(cards, hand.rules, hand.lowest_rank) for seat, cards in needed.hands.items()}
        sets = [
            winners({seat: needed.hands[seat] for seat in contest}, hand.rules, hand.lowest_rank)
            for contest in needed.contests
        ]
        return SupplyWinners(tuple(sets), values)
    found = {
        seat: opening_cards(
            cards, cast("Requirement", needed.requirement), hand.rules, hand.lowest_rank, needed.raised
        )
        for seat, cards in needed.hands.items()
    }
    return SupplyOpeners({seat: tuple(cards) for seat, cards in found.items() if cards})


@dataclass
class Record:
    """One hand of the dealer. Its order is not that of `source`, which commits to it like to its own."""

    source: Source
    stock: list[tuple[Card, int]]
    answers: dict[int, tuple[CardsNeeded, Supplied]] = field(default_factory=dict)
    dealt: dict[int, Card] = field(default_factory=dict)
    shuffles: list[tuple[int, tuple[Card, ...]]] = field(default_factory=list)

    @property
    def positions(self) -> int:
        """How many there are."""
        return sum(len(cards) for _, cards in self.shuffles)

    def shuffled(self, cards: Sequence[Card]) -> RefillCommitted:
        """These became the stock, and are committed to."""
        number, first = len(self.shuffles), self.positions
        self.shuffles.append((first, tuple(cards)))
        self.stock = [(card, first + at) for at, card in enumerate(cards)]
        return RefillCommitted(*self.source.commitment(number, first, tuple(cards)))


class DeckDealer:
    """`app.ports.Dealer` from decks shuffled by a seed, or laid out by the test in `decks` (by hand id, top
    first).
    """

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.decks: dict[str, Sequence[Card]] = {}
        self.records: dict[str, Record] = {}
        self.asked: list[tuple[str, int]] = []
        self.down = False
        self.lost = False

    async def proofs(self, hand: str, positions: Iterable[int]) -> Proofs:
        """See the port."""
        if self.down:
            raise Unavailable("the dealer")
        record = self.records.get(hand)
        if self.lost or record is None:
            raise NeverDealt("UNKNOWN_HAND")
        source, shuffles = record.source, []
        openings: list[Opening] = []
        for number, (first, cards) in enumerate(record.shuffles):
            shuffles.append(RefillCommitted(*source.commitment(number, first, cards)))
            there = set(positions) & set(range(first, first + len(cards))) & set(record.dealt)
            openings += [Opening(*proof) for proof in source.proofs(number, first, cards, sorted(there))]
        return Proofs(source.seed_hash, source.entropy_digest, tuple(shuffles), tuple(openings))

    async def cards(
        self, table_id: str, hand: HandState, needed: CardsNeeded, holders: Sequence[Holder]
    ) -> Supplied:
        """See the port."""
        name = f"{table_id}-{hand.number}"
        self.asked.append((name, needed.entry))
        if self.down:
            raise Unavailable("the dealer")
        if self.lost:
            raise NeverDealt("UNKNOWN_HAND")
        record = self.records.get(name) or self._opened(name, hand, holders)
        if needed.slot is None and record.source.opening != _declared(name, hand, holders):
            raise NeverDealt("HAND_DIFFERS")
        if needed.entry in record.answers:
            asked, answer = record.answers[needed.entry]
            if asked != needed:
                raise NeverDealt("ENTRY_DIFFERS")
            return answer
        if needed.entry != len(record.answers):
            raise NeverDealt("ENTRY_OUT_OF_ORDER")
        answer = (
            self._deal(record, hand) if needed.slot is None else self._draw(record, hand, needed, needed.slot)
        )
        record.answers[needed.entry] = needed, answer
        return answer

    def _opened(self, name: str, hand: HandState, holders: Sequence[Holder]) -> Record:
        source = Source(random.Random(name).randbytes(32), _declared(name, hand, holders), COMMITTED)
        contributed = contributions(name, source.seed_hash, holders)
        record = self.records[name] = Record(replace(source, contributions=contributed), [])
        return record

    def _take(self, record: Record, excluded: set[int]) -> tuple[Card, int]:
        own = {record.dealt[position] for position in excluded}
        place = next((i for i, (card, _) in enumerate(record.stock) if card not in own), 0)
        card, position = record.stock.pop(place)
        record.dealt[position] = card
        return card, position

    def _deal(self, record: Record, hand: HandState) -> Supplied:
        source, deck = record.source, list(self.decks.get(record.source.opening.hand, ()))
        rest = [card for card in deck_from(hand.lowest_rank) if card not in deck]
        self.random.shuffle(rest)
        root = record.shuffled(deck + rest).root
        shape = source.opening.deck_size, source.opening.slots, source.opening.draw_max, 1
        bound = DeckCommitted(source.seed_hash, source.entropy_digest, *shape, root)
        dealt: list[list[tuple[Card, int]]] = [[] for _ in hand.players]
        for _ in range(5):
            for cards in dealt:
                cards.append(self._take(record, set()))
        given = (_dealt(player.seat, cards) for player, cards in zip(hand.players, dealt, strict=True))
        return Supplied(SupplyDeal(tuple(given)), (bound,))

    def _draw(self, record: Record, hand: HandState, needed: CardsNeeded, slot: int) -> Supplied:
        dealt, shuffled, refills = [], [], list(needed.refills)
        for _ in range(needed.count):
            if not record.stock:
                refill = [record.dealt[position] for position in refills.pop(0)]
                self.random.shuffle(refill)
                shuffled.append(record.shuffled(refill))
            dealt.append(self._take(record, set(needed.excluded)))
        sizes = tuple(refill.size for refill in shuffled)
        cards = SupplyDraw(needed.entry, _dealt(hand.players[slot].seat, dealt), sizes)
        return Supplied(cards, tuple(shuffled))


def _declared(name: str, hand: HandState, holders: Sequence[Holder]) -> Declared:
    held = holders_digest(name, holders)
    return Declared(name, hand.lowest_rank, len(hand.players), hand.rules.draw_max, 1, held)


def _dealt(seat: int, dealt: Sequence[tuple[Card, int]]) -> DealtTo:
    return DealtTo(seat, tuple(card for card, _ in dealt), tuple(position for _, position in dealt))


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
