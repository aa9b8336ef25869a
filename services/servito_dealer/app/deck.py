"""The deck as it lies on the table: what is at each position, what is still in the stock, what was dealt.

A position never changes its card and is in exactly one of three places: in the stock; dealt and still out
(`out`); or dealt and shuffled again, its card having moved on to a new position. So every card of the deck is
always either in the stock or out, once. Pure: given the seed, each step has one outcome. Who may be dealt to,
and in which order, is the business of `record.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from servito_core.cards import Card, deck_from
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import FIRST_CARDS, Dealt, DealtCard, Drawn, Shuffled
from servito_dealer.app.stream import ByteStream, shuffled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_dealer.app.requests import DrawEntry


@dataclass(frozen=True, slots=True, repr=False)
class Deck:
    """One hand's cards. `order[position]` is a card; `stock` holds positions, the next to be dealt first."""

    seed: bytes
    hand: str
    order: tuple[Card, ...]
    stock: tuple[int, ...]
    out: frozenset[int] = frozenset()
    shuffles: int = 0
    """Shuffles so far; the next one reads the stream of this number."""

    def deal(self, slots: int) -> tuple[Dealt, Deck]:
        """Five cards to each of `slots` slots, one at a time, and the deck afterwards."""
        count = slots * FIRST_CARDS
        dealt = [DealtCard(self.order[position], position) for position in self.stock[:count]]
        after = replace(self, stock=self.stock[count:], out=frozenset(self.stock[:count]))
        hands = tuple(tuple(dealt[slot::slots]) for slot in range(slots))
        return Dealt(hands, len(after.stock)), after

    def draw(self, order: DrawEntry) -> tuple[Drawn, Deck]:
        """The cards of one draw and the deck afterwards (RULES.md B4 `draw.exhaust`).

        Each card is the first of the stock that is not excluded, or the very first if all are. A refill is
        shuffled when a card is due and the stock is empty, in the order in which the refills are named; what
        is not needed stays out. Refused: POSITION_NOT_DEAD, STOCK_EXHAUSTED.
        """
        self._check_positions(order)
        avoided = {self.order[position] for position in order.excluded}
        deck, refills = self, iter(order.refills)
        cards: list[DealtCard] = []
        fresh: list[Shuffled] = []
        for _ in range(order.count):
            if not deck.stock:
                refill = next(refills)
                fresh.append(Shuffled(len(deck.order), len(refill)))
                deck = deck._shuffle_in(refill)
            position = next((p for p in deck.stock if deck.order[p] not in avoided), deck.stock[0])
            cards.append(DealtCard(deck.order[position], position))
            deck = replace(
                deck, stock=tuple(p for p in deck.stock if p != position), out=deck.out | {position}
            )
        return Drawn(tuple(cards), len(deck.stock), tuple(fresh)), deck

    def _check_positions(self, order: DrawEntry) -> None:
        undealt = set(self.stock)
        for position in order.excluded:
            if position >= len(self.order) or position in undealt:
                raise Refused(Reason.POSITION_NOT_DEAD, f"excluded position {position} was never dealt")
        for position in (position for refill in order.refills for position in refill):
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
        cards = _shuffle(self.seed, self.hand, self.shuffles, [self.order[p] for p in sorted(positions)])
        first = len(self.order)
        return replace(
            self,
            order=self.order + cards,
            stock=tuple(range(first, first + len(cards))),
            out=self.out.difference(positions),
            shuffles=self.shuffles + 1,
        )


def fresh_deck(seed: bytes, hand: str, lowest_rank: int) -> Deck:
    """The deck of a hand, shuffled for the first time, nothing dealt."""
    order = _shuffle(seed, hand, 0, deck_from(lowest_rank))
    return Deck(seed, hand, order, stock=tuple(range(len(order))), shuffles=1)


def _shuffle(seed: bytes, hand: str, number: int, cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(shuffled(tuple(cards), ByteStream(seed, hand, f"shuffle {number}")))
