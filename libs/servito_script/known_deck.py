"""A dealer with known cards: it replaces the shuffle, nothing else.

It gives what the dealer service would give for the same requests: the deal one card at a time, draws from
the top of the stock, excluded cards passed over, refills when the stock has run out. How a refill is
ordered is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from servito_core.cards import Card
from servito_core.commands import DealtTo, SupplyDeal, SupplyDraw

if TYPE_CHECKING:
    from servito_core.state import CardsNeeded, HandState

Reorder = Callable[[list[Card]], Sequence[Card]]


class KnownDeck:
    """The cards of one hand. `order`: the whole deck, first dealt first; `reorder`: the order of a refill."""

    def __init__(self, order: Sequence[Card], reorder: Reorder) -> None:
        self._cards = list(order)
        """By position, refills continuing the count."""
        self._stock = list(range(len(order)))
        """Undealt positions, from the top."""
        self._reorder = reorder

    def answer(self, hand: HandState, request: CardsNeeded) -> SupplyDeal | SupplyDraw:
        """The cards that a hand waits for."""
        if request.slot is None:
            return self._deal(hand)
        dealt, shuffled = self._draw(request)
        return SupplyDraw(request.entry, self._dealt_to(hand, request.slot, dealt), shuffled)

    def _draw(self, request: CardsNeeded) -> tuple[list[int], tuple[int, ...]]:
        """Positions from the stock, and the sizes of the refills that became the stock meanwhile."""
        if not request.refills and not request.excluded:
            dealt, self._stock = self._stock[: request.count], self._stock[request.count :]
            return dealt, ()
        excluded = {self._cards[position] for position in request.excluded}
        refills = list(request.refills)
        shuffled: list[int] = []
        dealt = []
        for _ in range(request.count):
            if not self._stock:
                refill = refills.pop(0)
                shuffled.append(len(refill))
                self._refill([self._cards[position] for position in refill])
            dealt.append(self._take(excluded))
        return dealt, tuple(shuffled)

    def _deal(self, hand: HandState) -> SupplyDeal:
        """One card at a time round the table, from the top of the whole deck."""
        players = len(hand.players)
        positions, self._stock = self._stock[: 5 * players], self._stock[5 * players :]
        cards = self._cards[: 5 * players]
        return SupplyDeal(
            tuple(
                [
                    DealtTo(player.seat, tuple(cards[slot::players]), tuple(positions[slot::players]))
                    for slot, player in enumerate(hand.players)
                ]
            )
        )

    def _dealt_to(self, hand: HandState, slot: int, positions: Sequence[int]) -> DealtTo:
        cards = tuple([self._cards[position] for position in positions])
        return DealtTo(hand.players[slot].seat, cards, tuple(positions))

    def _refill(self, dead: list[Card]) -> None:
        first = len(self._cards)
        self._cards.extend(self._reorder(dead))
        self._stock = list(range(first, len(self._cards)))

    def _take(self, excluded: set[Card]) -> int:
        """The first position whose card is not excluded; the first of all if every one is."""
        places = enumerate(self._stock)
        index = next((at for at, place in places if self._cards[place] not in excluded), 0) if excluded else 0
        return self._stock.pop(index)
