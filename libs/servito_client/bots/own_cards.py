"""What one seat knows of its own cards during a hand, read from what its stream tells.

A snapshot gives the cards held now; events give how they came to be held. Only the seat's own cards ever
arrive here, because the server sends no others."""

from __future__ import annotations

from dataclasses import dataclass, field

from servito_client.messages import (
    ActionKind,
    CardsDealt,
    CardsDrawn,
    Event,
    HandStarted,
    SeatActed,
    TableView,
)


@dataclass(slots=True)
class OwnCards:
    """One hand from one seat.

    Cards are 0..51; `discards` and `drawn` are in the order in which they went and came.
    """

    hand_id: str = ""
    held: list[int] = field(default_factory=list)
    dealt: tuple[int, ...] = ()
    discards: tuple[int, ...] = ()
    drawn: list[tuple[int, ...]] = field(default_factory=list)
    """One entry for each time that cards came: the draw, then what was owed beyond three."""


class OwnCardsReader:
    """Follows a stream; `hand` is the running hand, or the last one until the next begins."""

    def __init__(self) -> None:
        self.hand = OwnCards()

    def event(self, event: Event, seat: int | None) -> None:
        """Takes in what `event` says about `seat`, the listener's own."""
        match event:
            case HandStarted():
                self.hand = OwnCards(hand_id=event.hand_id)
            case CardsDealt() if event.cards:
                self.hand.dealt = tuple(event.cards)
                self.hand.held = list(event.cards)
            case SeatActed() if event.seat == seat and event.kind == ActionKind.ACTION_KIND_DRAW:
                self.hand.discards = tuple(event.discards)
                self.hand.held = [card for card in self.hand.held if card not in event.discards]
            case CardsDrawn() if event.seat == seat:
                self.hand.drawn.append(tuple(event.cards))
                self.hand.held += event.cards

    def snapshot(self, table: TableView, seat: int | None) -> None:
        """Starts over from what `table` shows of `seat`."""
        if table.hand.hand_id != self.hand.hand_id:
            self.hand = OwnCards(hand_id=table.hand.hand_id)
        self.hand.held = next((list(own.cards) for own in table.hand.seats if own.seat == seat), [])
