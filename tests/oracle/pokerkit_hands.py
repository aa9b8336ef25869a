"""PokerKit taught our decks: lookups of stripped ranks with the flush above the full house.

PokerKit finds combinations and orders them; from us it gets the ranks of the deck, the order of the
categories and, where asked, the tie-breaking suit of `suit_tiebreak=combination`, read once more from
RULES.md B7. The circle of straight flushes is no order, so nothing here expresses it; but any two kinds have
an order, and `Suited.kinds` can be set to it before hands are compared.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

import pokerkit as pk
from pokerkit.lookups import Entry, Label, Lookup

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["minima", "media", "massima"]

SUITS = "scdh"
CARDS = tuple(pk.Card.parse("".join(f"{rank}{suit}" for rank in pk.RankOrder.STANDARD for suit in SUITS)))
"""PokerKit's card by our number."""

ORDERS: dict[frozenset[Kind], tuple[Kind, ...]] = {
    frozenset(("massima", "minima")): ("massima", "minima"),
    frozenset(("media", "massima")): ("media", "massima"),
    frozenset(("minima", "media")): ("minima", "media"),
}
"""Of any two kinds of straight flush, the one that loses and the one that wins."""


class Stripped(Lookup):
    """What beats what without suits. Subclasses say in which deck."""

    flush_above_full = True
    low_runs = True

    def _add_entries(self) -> None:
        self._add_multisets(Counter({1: 5}), (False,), Label.HIGH_CARD)
        self._add_multisets(Counter({2: 1, 1: 3}), (False,), Label.ONE_PAIR)
        self._add_multisets(Counter({2: 2, 1: 1}), (False,), Label.TWO_PAIR)
        self._add_multisets(Counter({3: 1, 1: 2}), (False,), Label.THREE_OF_A_KIND)
        self._add_straights(5, (False,), Label.STRAIGHT, self.low_runs)
        if self.flush_above_full:
            self._add_multisets(Counter({3: 1, 2: 1}), (False,), Label.FULL_HOUSE)
        self._add_multisets(Counter({1: 5}), (True,), Label.FLUSH)
        if not self.flush_above_full:
            self._add_multisets(Counter({3: 1, 2: 1}), (False,), Label.FULL_HOUSE)
        self._add_multisets(Counter({4: 1, 1: 1}), (False,), Label.FOUR_OF_A_KIND)
        self._add_straights(5, (True,), Label.STRAIGHT_FLUSH, self.low_runs)


class Suited(Stripped):
    """The same with suits, and with straight flushes in the order of `kinds` first."""

    kinds: tuple[Kind, ...] = ("minima", "media", "massima")

    def get_entry(self, cards: Any) -> Entry:
        """PokerKit's entry, its ties split by the deciding suit."""
        entry = super().get_entry(cards)
        held = tuple(pk.Card.clean(cards))
        index = 4 * entry.index + deciding_suit(held, entry.label)
        if entry.label is Label.STRAIGHT_FLUSH:
            index += 100_000 * (1 + self.kinds.index(kind_of(held)))
        return Entry(index, entry.label)


def lookup_of(base: type[Stripped], lowest: int, **settings: object) -> Any:
    """The lookup for the deck from rank `lowest`; `settings` are attributes of `base`."""
    ranks = pk.RankOrder.STANDARD[lowest - 2 :]
    return type(f"{base.__name__}{lowest}", (base,), {"rank_order": ranks, **settings})()


def hand_type(lookup: Lookup) -> type[pk.CombinationHand]:
    """Hands of five cards that are compared by `lookup`."""
    members = {"lookup": lookup, "low": False, "card_count": 5}
    made: type[pk.CombinationHand] = type("OurHand", (pk.CombinationHand,), members)
    return made


def deciding_suit(cards: Sequence[pk.Card], label: Label) -> int:
    """The best suit among the cards of the highest rank of the combination; 0 where no tie is possible."""
    if label in (Label.THREE_OF_A_KIND, Label.FULL_HOUSE, Label.FOUR_OF_A_KIND):
        return 0
    ranks = [pk.RankOrder.STANDARD.index(card.rank) for card in cards]
    top = max(ranks, key=lambda rank: (ranks.count(rank), rank))
    if label in (Label.STRAIGHT, Label.STRAIGHT_FLUSH) and max(ranks) - sorted(ranks)[-2] > 1:
        top = sorted(ranks)[-2]  # the ace stands below
    return max(SUITS.index(card.suit) for card, rank in zip(cards, ranks, strict=True) if rank == top)


def kind_of(cards: Sequence[pk.Card]) -> Kind:
    """The kind of a straight flush."""
    ranks = {card.rank for card in cards}
    if pk.Rank.ACE not in ranks:
        return "media"
    return "massima" if pk.Rank.KING in ranks else "minima"
