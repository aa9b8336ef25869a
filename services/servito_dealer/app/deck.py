"""The deck as it lies on the table: what is at each position, what is still in the stock, what was dealt.

A position never changes its card and is in exactly one of three places: in the stock; dealt and still out
(`out`); or dealt and shuffled again, its card having moved on to a new position. So every card of the deck is
always either in the stock or out, once. Pure: given the seed, each step has one outcome. Who may be dealt to,
and in which order, is the business of `record.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from servito_core.cards import Card, deck_from
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import FIRST_CARDS, Dealt, DealtCard, Drawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_dealer.app.requests import Committed, DrawEntry, Proof
    from servito_dealer.app.source import Source


@dataclass(frozen=True, slots=True, repr=False)
class Deck:
    """One hand's cards. `order[position]` is a card; `stock` holds positions, the next to be dealt first."""

    source: Source
    order: tuple[Card, ...]
    stock: tuple[int, ...]
    shuffles: tuple[Committed, ...]
    """Shuffles so far, the first one first; the next one reads the stream of their number."""
    out: frozenset[int] = frozenset()

    def deal(self, slots: int) -> tuple[Dealt, Deck]:
        """Five cards to each of `slots` slots, one at a time, and the deck afterwards."""
        count = slots * FIRST_CARDS
        positions, stock = self.stock[:count], self.stock[count:]
        dealt = [DealtCard(self.order[position], position) for position in positions]
        after = Deck(self.source, self.order, stock, self.shuffles, frozenset(positions))
        hands = tuple(tuple(dealt[slot::slots]) for slot in range(slots))
        return Dealt(hands, len(after.stock), self.source.entropy_digest, self.shuffles[0]), after

    def draw(self, order: DrawEntry) -> tuple[Drawn, Deck]:
        """The cards of one draw and the deck afterwards (RULES.md B4 `draw.exhaust`).

        Each card is the first of the stock that is not excluded, or the very first if all are. A refill is
        shuffled when a card is due and the stock is empty, in the order in which the refills are named; what
        is not needed stays out. Refused: POSITION_NOT_DEAD, STOCK_EXHAUSTED.
        """
        self._check_positions(order)
        avoided = {self.order[position] for position in order.excluded}
        deck, stock, out, refills = self, list(self.stock), set(self.out), iter(order.refills)
        cards: list[DealtCard] = []
        for _ in range(order.count):
            if not stock:
                positions = next(refills)
                deck = deck._shuffle_in(positions)
                stock = list(deck.stock)
                out.difference_update(positions)
            position = next((p for p in stock if deck.order[p] not in avoided), stock[0])
            cards.append(DealtCard(deck.order[position], position))
            stock.remove(position)
            out.add(position)
        after = Deck(self.source, deck.order, tuple(stock), deck.shuffles, frozenset(out))
        return Drawn(tuple(cards), len(stock), after.shuffles[len(self.shuffles) :]), after

    def prove(self, positions: Sequence[int]) -> tuple[Proof, ...]:
        """What opens these positions, in their order. Refused: NOT_DUE for one that was not dealt, whether or
        not it exists.

        The one gate for proofs: a card whose position is still in the stock is nobody's yet.
        """
        undealt, last = set(self.stock), len(self.order)
        for position in positions:
            if not 0 <= position < last or position in undealt:
                raise Refused(Reason.NOT_DUE, f"position {position} was not dealt, so it is not opened")
        proofs: dict[int, Proof] = {}
        for number, shuffle in enumerate(self.shuffles):
            first, end = shuffle.first_position, shuffle.first_position + shuffle.size
            here = [position for position in positions if first <= position < end]
            if here:
                found = self.source.proofs(number, first, self.order[first:end], here)
                proofs.update(zip(here, found, strict=True))
        return tuple(proofs[position] for position in positions)

    def _check_positions(self, order: DrawEntry) -> None:
        undealt = set(self.stock)
        for position in order.excluded:
            if position >= len(self.order) or position in undealt:
                raise Refused(Reason.POSITION_NOT_DEAD, f"excluded position {position} was never dealt")
        for position in chain.from_iterable(order.refills):
            if position not in self.out:
                known = position < len(self.order) and position not in undealt
                why = "was already shuffled again" if known else "was never dealt"
                raise Refused(Reason.POSITION_NOT_DEAD, f"position {position} of a refill {why}")
        there = len(self.stock) + sum(map(len, order.refills))
        if order.count > there:
            raise Refused(
                Reason.STOCK_EXHAUSTED, f"{order.count} cards wanted, stock and refills hold {there} together"
            )

    def _shuffle_in(self, positions: Iterable[int]) -> Deck:
        """Dead cards become the (empty) stock under new positions."""
        number, first = len(self.shuffles), len(self.order)
        cards = self.source.order(number, [self.order[p] for p in sorted(positions)])
        return replace(
            self,
            order=self.order + cards,
            stock=tuple(range(first, first + len(cards))),
            out=self.out.difference(positions),
            shuffles=(*self.shuffles, self.source.commitment(number, first, cards)),
        )


def fresh_deck(source: Source) -> Deck:
    """The deck of a hand, shuffled for the first time, nothing dealt."""
    order = source.order(0, deck_from(source.opening.lowest_rank))
    return Deck(source, order, tuple(range(len(order))), (source.commitment(0, 0, order),))
