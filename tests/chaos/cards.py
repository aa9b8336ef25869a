"""Remembers every card as it was seen, and notices when it is another one later.

A position is a place in the order of a hand's cards, so a (hand, position) is one card for ever, whoever is
told of it, by whichever way and however often. Here: that memory, filled from messages as they arrive. Not
here: the order itself, which nobody but the dealer knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito_client.messages import CardsDealt, CardsDrawn, Event, HandShown, HandStarted, PlayerSat

if TYPE_CHECKING:
    from servito_client.messages import HandRecord, TableView


@dataclass
class Place:
    """Where a player's stream stands: the hand that runs, and his seat."""

    hand_id: str = ""
    seat: int | None = None


@dataclass
class Cards:
    """See the module."""

    seen: dict[tuple[str, int], int] = field(default_factory=dict)
    """(hand, position) -> card."""
    own: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    """(hand, seat) -> cards that its player was given."""
    shown: dict[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)
    """(hand, seat) -> cards that were shown to everybody."""
    changed: list[str] = field(default_factory=list)

    def given(self, hand_id: str, seat: int | None, cards: Iterable[int], positions: Iterable[int]) -> None:
        """Somebody was told of his cards and of where they lay."""
        if not hand_id or seat is None:
            return
        for card, position in zip(cards, positions, strict=True):
            before = self.seen.setdefault((hand_id, position), card)
            if before != card:
                self.changed.append(f"hand {hand_id}: position {position} was {before} and is {card}")
            self.own.setdefault((hand_id, seat), set()).add(card)

    def show(self, hand_id: str, seat: int, cards: Iterable[int]) -> None:
        """A seat's cards were shown."""
        now = tuple(sorted(cards))
        before = self.shown.setdefault((hand_id, seat), now)
        if before != now:
            self.changed.append(f"hand {hand_id}: seat {seat} showed {before} and shows {now}")

    def impossible(self) -> list[str]:
        """Hands that were shown with cards that their own player never had."""
        return [
            f"hand {hand_id}: seat {seat} shows {sorted(set(cards) - own)}, which its player never had"
            for (hand_id, seat), cards in self.shown.items()
            if (own := self.own.get((hand_id, seat))) is not None and set(cards) - own
        ]

    def event(self, place: Place, event: Event, player: str | None = None) -> None:
        """What an event tells to whoever stands at `place`."""
        match event:
            case PlayerSat() if event.player == player:
                place.seat = event.seat
            case HandStarted():
                place.hand_id = event.hand_id
            case CardsDealt() | CardsDrawn() if event.cards:
                self.given(place.hand_id, place.seat, event.cards, event.positions)
            case HandShown() if place.hand_id:
                self.show(place.hand_id, event.seat, event.cards)

    def view(self, view: TableView) -> Place:
        """What a whole table tells; where its reader stands."""
        place = Place(view.hand.hand_id, view.own_seat if view.HasField("own_seat") else None)
        held = next((seat.cards for seat in view.hand.seats if seat.seat == place.seat), ())
        positions = view.hand.own.positions
        if len(held) == len(positions):
            self.given(place.hand_id, place.seat, held, positions)
        return place

    def record(self, hand: HandRecord) -> None:
        """What the record of a hand tells its reader."""
        place = Place(hand.hand_id, hand.own_seat if hand.HasField("own_seat") else None)
        for told in hand.events:
            kind = told.event.WhichOneof("event")
            if kind is not None:
                self.event(place, getattr(told.event, kind))
