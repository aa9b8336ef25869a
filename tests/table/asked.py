"""Twins in memory of the services that the table asks: quick, deterministic, with the same promises as the
real ones. The judge answers by the core's own definition, the dealer from a shuffled deck in an ordered
record.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
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
from servito_table.app.deal_events import (
    DeckCommitted,
    Holder,
    Opening,
    Proofs,
    RefillCommitted,
    Supplied,
)
from servito_table.app.decide import Judgement
from servito_table.app.ports import NeverDealt, NeverJudged
from servito_table.app.refusals import Unavailable


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
