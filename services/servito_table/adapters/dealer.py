"""The dealer service: implements `app.ports.Dealer`. The table's seats are the dealer's slots, in speaking
order.

Every call is repeatable: the dealer's record answers the same entry with the same cards. A refusal that is
not about being unavailable means that the dealer knows the hand differently, and will go on doing so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.dealer.v1.dealer_pb2 import DealRequest, DealResponse, DrawResponse, OpenHandResponse
from servito_core.commands import DealtTo, SupplyDeal, SupplyDraw
from servito_platform.errors import RpcError
from servito_table.adapters.services import answered
from servito_table.app.ports import NeverDealt
from servito_table.app.state import hand_id
from servito_wire.dealer import REFUSALS, Dealt, draw_request, open_request, read_drawn, read_hands

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_core.state import CardsNeeded, HandState
    from servito_platform.carrier import Carrier
    from servito_table.adapters.meters import Meters

DEALER: Final = "servito.dealer.v1.DealerService"
_CLOSED: Final = frozenset({"UNAUTHENTICATED", "NOT_PERMITTED"})
"""The dealer does not know us: wrongly configured, which says nothing about the hand."""
_FINAL: Final = frozenset(name for name, status in REFUSALS.items() if status.retry_after is None) - _CLOSED
_WHO: Final = "the dealer"
_DRAW: Final = 1
"""A hand has one change of cards; deferred cards belong to it."""


class DealerClient:
    """See the module."""

    def __init__(self, carrier: Carrier, meters: Meters) -> None:
        self._open_hand = carrier.method(f"/{DEALER}/OpenHand", OpenHandResponse)
        self._deal_hand = carrier.method(f"/{DEALER}/Deal", DealResponse)
        self._draw_cards = carrier.method(f"/{DEALER}/Draw", DrawResponse)
        self._seconds = meters.dealer_seconds

    async def cards(self, table_id: str, hand: HandState, needed: CardsNeeded) -> SupplyDeal | SupplyDraw:
        """See `app.ports.Dealer`."""
        name = hand_id(table_id, hand.number)
        try:
            if needed.slot is None:
                return await self._deal(name, hand)
            return await self._draw(name, hand, needed, needed.slot)
        except RpcError as refused:
            raise NeverDealt(refused.reason) from None

    async def _deal(self, name: str, hand: HandState) -> SupplyDeal:
        opening = open_request(name, hand.lowest_rank, len(hand.players), hand.rules.draw_max)
        await answered(_WHO, self._seconds, self._open_hand(opening), _FINAL)
        asked = self._deal_hand(DealRequest(hand_id=name))
        response = await answered(_WHO, self._seconds, asked, _FINAL)
        hands = zip(hand.players, read_hands(response), strict=True)
        return SupplyDeal(tuple(_dealt_to(player.seat, dealt) for player, dealt in hands))

    async def _draw(self, name: str, hand: HandState, needed: CardsNeeded, slot: int) -> SupplyDraw:
        order = (needed.entry, slot, _DRAW, needed.count, needed.excluded, needed.refills)
        asked = self._draw_cards(draw_request(name, order))
        response = await answered(_WHO, self._seconds, asked, _FINAL)
        drawn = read_drawn(response)
        return SupplyDraw(needed.entry, _dealt_to(hand.players[slot].seat, drawn.cards), drawn.shuffled)


def _dealt_to(seat: int, dealt: Iterable[Dealt]) -> DealtTo:
    cards, positions = zip(*dealt, strict=True)
    return DealtTo(seat, cards, positions)
