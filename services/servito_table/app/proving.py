"""Which cards of a hand are opened to whom: the one gate for proofs.

A positive list: the viewer gets what opens cards that his own seat received, and, when the hand is over, what
opens cards that were shown to everybody. That a card was shown does not say yet where it lay; its opening
does, and with it whether it was dealt or drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.events import CardsDealt, CardsDrawn, HandShown, HandTabled, OpeningProved

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_table.app.hands import PastHand

Received = dict[int, list[tuple["Card", int]]]
"""By seat: cards and their positions, as they came."""


def provable(hand: PastHand, seat: int | None) -> dict[int, tuple[int, Card]]:
    """Seat and card of each position that may be opened to who was dealt in on `seat`; None: to everybody."""
    received = _received(hand)
    allowed = (
        {position: (seat, card) for card, position in received.get(seat, ())} if seat is not None else {}
    )
    if hand.outcome is not None:
        for event in (happened.event for happened in hand.happened):
            if isinstance(event, (HandShown, HandTabled, OpeningProved)):
                came = received.get(event.seat, [])
                for card in event.cards:
                    position = _position(came, card, dealt=isinstance(event, OpeningProved))
                    allowed[position] = event.seat, card
    return allowed


def _received(hand: PastHand) -> Received:
    received: Received = {}
    for event in (happened.event for happened in hand.happened):
        if isinstance(event, CardsDealt):
            for seat, cards, positions in zip(event.seats, event.cards, event.positions, strict=True):
                received[seat] = list(zip(cards, positions, strict=True))
        elif isinstance(event, CardsDrawn):
            received[event.seat] += zip(event.cards, event.positions, strict=True)
    return received


def _position(came: list[tuple[Card, int]], card: Card, *, dealt: bool) -> int:
    """Where a card of a seat lay: that which was dealt, or that which it holds, the last one to come."""
    positions = [position for one, position in came if one == card]
    return positions[0] if dealt else positions[-1]
