"""A table as the dealer sees one: holds cards by slot, discards, folds, and names positions as the rules
ask (B4).

Used by the tests to play any hand against a record, a use case or a real process; it knows the rules of the
draw but nothing of how the dealer keeps its deck.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from servito_dealer.app.requests import Dealt, DealtCard, DrawEntry, Drawn


@dataclass
class TableSide:
    """What a table knows of the cards of one hand."""

    held: list[list[DealtCard]] = field(default_factory=list)
    discarded: list[list[DealtCard]] = field(default_factory=list)
    folded: list[DealtCard] = field(default_factory=list)
    shuffled_again: set[int] = field(default_factory=set)
    entries: int = 1

    def take_deal(self, dealt: Dealt) -> None:
        """The first five cards of each slot."""
        self.held = [list(hand) for hand in dealt.hands]
        self.discarded = [[] for _ in dealt.hands]

    def fold(self, slot: int) -> None:
        """Everything that the slot holds is dead."""
        self.folded += self.held[slot]
        self.held[slot] = []

    def discard(self, slot: int, count: int) -> None:
        """The slot throws its first cards away."""
        self.discarded[slot] += self.held[slot][:count]
        del self.held[slot][:count]

    def order(self, slot: int, count: int) -> DrawEntry:
        """Asks cards for a slot: never its own discards, unless nothing else is left."""
        own = {card.position for card in self.discarded[slot]}
        dead = {card.position for card in self.dead()} - self.shuffled_again
        refills = tuple(tuple(sorted(each)) for each in (dead - own, dead & own) if each)
        return DrawEntry(self.entries, slot, 1, count, tuple(sorted(own)), refills)

    def take_draw(self, order: DrawEntry, drawn: Drawn) -> None:
        """The cards of an order that was carried out."""
        self.entries += 1
        self.held[order.slot] += drawn.cards
        for _, refill in zip(drawn.shuffled, order.refills, strict=False):
            self.shuffled_again.update(refill)

    def dead(self) -> list[DealtCard]:
        """Cards folded and discarded, also those that went back since."""
        return self.folded + [card for cards in self.discarded for card in cards]

    def away(self) -> list[DealtCard]:
        """Every card that is not in the stock: held, or dead and not shuffled again."""
        held = [card for cards in self.held for card in cards]
        return held + [card for card in self.dead() if card.position not in self.shuffled_again]
