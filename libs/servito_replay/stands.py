"""Events of a hand out of what everybody may know: for hidden cards stand numbers that are no cards.

Nothing that is shown of a hand depends on a hidden card, so it may be folded with any cards, and looks as it
did; a test holds the core to that. A card that comes on the table takes the place of its stand-in.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Final

from servito_core import events as e
from servito_core.cards import Card
from servito_core.state import OVER, SHOWDOWN
from servito_wire.events import event_from_proto
from servito_wire.moves import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito.table.v1.store_pb2 import StoredEvent
    from servito_core.state import HandState

FIRST: Final = 64
"""Behind the cards; a hand needs a hundred at most, so that all of them are bytes."""
_DEALT: Final = 5


class Stands:
    """Gives out stand-ins, each once in a hand."""

    def __init__(self) -> None:
        self._next = count(FIRST)

    def event(self, stored: StoredEvent, hand: HandState | None) -> e.Event:
        """The event, as it may have happened in `hand`. KeyError or ValueError where it is none of a hand."""
        match stored.WhichOneof("event"):
            case "cards_dealt":
                seats = tuple(dealt.seat for dealt in stored.cards_dealt.hands)
                dealt = tuple(self._cards(_DEALT) for _ in seats)
                return e.CardsDealt(seats, dealt, dealt)
            case "cards_drawn":
                drawn = stored.cards_drawn
                if drawn.count > _DEALT:
                    raise ValueError(f"{drawn.count} cards for one seat")
                cards = self._cards(drawn.count)
                shuffled = tuple(drawn.shuffled)
                return e.CardsDrawn(drawn.seat, drawn.entry, cards, cards, drawn.deferred, shuffled)
            case "seat_acted" if stored.seat_acted.kind == KINDS[e.Discarded]:
                acted = stored.seat_acted
                return e.Discarded(acted.seat, _held(hand, acted.seat)[: acted.discarded])
            case _:
                return event_from_proto(stored)

    def _cards(self, number: int) -> tuple[Card, ...]:
        return tuple(Card(next(self._next)) for _ in range(number))


def with_told(hand: HandState, events: Iterable[e.Event]) -> HandState:
    """The hand with what these events tell of its cards, in place of the stand-ins: those that come on the
    table, once nobody draws any more, and that who opens could.
    """
    tabled = (e.HandShown, e.HandTabled) if hand.phase in (SHOWDOWN, OVER) else ()
    cards = {event.seat: event.cards for event in events if isinstance(event, tabled)}
    openers: dict[int, tuple[Card, ...]]
    openers = {event.seat: (Card(FIRST),) for event in events if isinstance(event, e.Opened)}
    openers |= {event.seat: event.cards for event in events if isinstance(event, e.OpeningProved)}
    if not cards and not openers:
        return hand
    players = [
        replace(
            player,
            cards=cards.get(player.seat, player.cards),
            openers=openers.get(player.seat, player.openers),
        )
        for player in hand.players
    ]
    return replace(hand, players=players)


def _held(hand: HandState | None, seat: int) -> tuple[Card, ...]:
    players = [] if hand is None else hand.players
    return next((player.cards for player in players if player.seat == seat), ())
