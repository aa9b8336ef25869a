"""The dealer service: implements `app.ports.Dealer`. The table's seats are the dealer's slots, in speaking
order.

Every call is repeatable: the dealer's record answers the same entry with the same cards. What players
contribute to the order leaves only when the hash of the seed is here; where nobody does, a hand is opened and
dealt by one question. A refusal that is not about being
unavailable means that the dealer knows the hand differently, and will go on doing so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.dealer.v1.dealer_pb2 import (
    DealResponse,
    DrawResponse,
    OpenHandResponse,
    ProveRequest,
    ProveResponse,
)
from servito_core.commands import DealtTo, SupplyDeal, SupplyDraw
from servito_platform.errors import RpcError
from servito_table.adapters.contributions import contributions, entropy_digest, holders_digest
from servito_table.adapters.services import answered
from servito_table.app.deal_events import DeckCommitted, Opening, Proofs, RefillCommitted, Supplied
from servito_table.app.ports import NeverDealt
from servito_table.app.state import hand_id
from servito_wire.dealer import (
    REFUSALS,
    Dealt,
    Root,
    deal_request,
    draw_request,
    open_request,
    read_drawn,
    read_hands,
    read_proven,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_core.state import CardsNeeded, HandState
    from servito_platform.carrier import Carrier
    from servito_table.adapters.meters import Meters
    from servito_table.app.deal_events import Holder

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
        self._prove = carrier.method(f"/{DEALER}/Prove", ProveResponse)
        self._seconds = meters.dealer_seconds

    async def cards(
        self, table_id: str, hand: HandState, needed: CardsNeeded, holders: Sequence[Holder]
    ) -> Supplied:
        """See `app.ports.Dealer`."""
        name = hand_id(table_id, hand.number)
        try:
            if needed.slot is None:
                return await self._deal(name, hand, holders)
            return await self._draw(name, hand, needed, needed.slot)
        except RpcError as refused:
            raise NeverDealt(refused.reason) from None

    async def proofs(self, hand: str, positions: Iterable[int]) -> Proofs:
        """See `app.ports.Dealer`."""
        asked = self._prove(ProveRequest(hand_id=hand, positions=positions))
        try:
            proven = read_proven(await answered(_WHO, self._seconds, asked, _FINAL))
        except RpcError as refused:
            raise NeverDealt(refused.reason) from None
        openings = tuple(Opening(*proof) for proof in proven.proofs)
        return Proofs(proven.seed_hash, proven.entropy_digest, _committed(proven.shuffles), openings)

    async def _deal(self, name: str, hand: HandState, holders: Sequence[Holder]) -> Supplied:
        slots, draw_max = len(hand.players), hand.rules.draw_max
        held = holders_digest(name, holders)
        nobody = not any(holder.entropy for holder in holders)
        request = open_request(name, hand.lowest_rank, slots, draw_max, _DRAW, held, deal_at_once=nobody)
        opened = await answered(_WHO, self._seconds, self._open_hand(request), _FINAL)
        contributed = contributions(name, opened.seed_hash, holders)
        response = opened.dealt
        if not opened.HasField("dealt"):
            asked = self._deal_hand(deal_request(name, contributed))
            response = await answered(_WHO, self._seconds, asked, _FINAL)
        dealt = read_hands(response)
        hands = zip(hand.players, dealt.hands, strict=True)
        cards = SupplyDeal(tuple(_dealt_to(player.seat, given) for player, given in hands))
        if not dealt.root:
            return Supplied(cards)
        digest = entropy_digest(name, opened.seed_hash, contributed)
        if dealt.entropy_digest != digest:
            raise NeverDealt("ENTROPY_DIFFERS")
        size, seed_hash = opened.deck_size, opened.seed_hash
        return Supplied(cards, (DeckCommitted(seed_hash, digest, size, slots, draw_max, _DRAW, dealt.root),))

    async def _draw(self, name: str, hand: HandState, needed: CardsNeeded, slot: int) -> Supplied:
        order = (needed.entry, slot, _DRAW, needed.count, needed.excluded, needed.refills)
        asked = self._draw_cards(draw_request(name, order))
        response = await answered(_WHO, self._seconds, asked, _FINAL)
        drawn = read_drawn(response)
        given = _dealt_to(hand.players[slot].seat, drawn.cards)
        cards = SupplyDraw(needed.entry, given, tuple(refill.size for refill in drawn.shuffled))
        return Supplied(cards, _committed(refill for refill in drawn.shuffled if refill.root))


def _committed(shuffles: Iterable[Root]) -> tuple[RefillCommitted, ...]:
    return tuple(RefillCommitted(each.first_position, each.size, each.root) for each in shuffles)


def _dealt_to(seat: int, dealt: Iterable[Dealt]) -> DealtTo:
    cards, positions = zip(*dealt, strict=True)
    return DealtTo(seat, cards, positions)
