"""What the messages of one action cost: `python -m tests.bench wire`.

A hand of five in the middle of its draw, an offer, and every kind of event that random play meets. Times are
the best of several rounds, in microseconds: other work on the machine only adds to them.
"""

from __future__ import annotations

from timeit import repeat
from typing import TYPE_CHECKING

from servito.table.v1.store_pb2 import StoredEvent, StoredHand
from servito_core.hand import legal_actions
from servito_core.state import HandState, Phase
from servito_core.view import event_for, view_for
from servito_wire.events import event_from_proto, event_to_bytes
from servito_wire.hand import hand_from_proto, hand_to_bytes
from servito_wire.offers import offer_to_bytes
from servito_wire.views import event_view_to_bytes, hand_view_to_proto
from tests.wire.play import RULES, moments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servito_core.events import Event
    from tests.bench.measure import Context

CALLS, ROUNDS = 2_000, 7
LINE = "{:<46} {:>14} {:>14} {:>14}"


class Clock:
    """Times calls, so many in a round."""

    def __init__(self, calls: int) -> None:
        self._calls = calls

    def __call__(self, work: Callable[[], object]) -> float:
        """Microseconds, the least of one call."""
        return min(repeat(work, number=self._calls, repeat=ROUNDS)) / self._calls * 1e6


def hand_costs(hand: HandState, microseconds: Clock) -> Iterator[tuple[str, float]]:
    """A hand: stored, read, shown to one seat, and the offer to the seat to act."""
    stored = hand_to_bytes(hand)
    seat = hand.players[hand.to_act or 0].seat
    offer = legal_actions(hand, seat)
    assert offer is not None
    yield f"hand to {len(stored)} bytes", microseconds(lambda: hand_to_bytes(hand))
    yield "hand from bytes", microseconds(lambda: hand_from_proto(StoredHand.FromString(stored), hand.rules))
    yield "hand shown to a seat", microseconds(lambda: hand_view_to_proto(view_for(hand, seat), "t"))
    yield "offer", microseconds(lambda: offer_to_bytes(offer, 1, 2))


def event_costs(event: Event, microseconds: Clock) -> str:
    """An event: stored, read, shown to one seat."""
    stored = event_to_bytes(event)
    costs = (
        microseconds(lambda: event_to_bytes(event)),
        microseconds(lambda: event_from_proto(StoredEvent.FromString(stored))),
        microseconds(lambda: event_view_to_bytes(event_for(event, 1), "t")),
    )
    return LINE.format(type(event).__name__, *(f"{cost:.1f} us" for cost in costs))


def measure(context: Context) -> Iterator[str]:
    """What each message costs, in microseconds; nobody to compare with."""
    clock = Clock(context.some(CALLS))
    played = list(moments(RULES["italiana"], players=5, seed=11, deals=40))
    drawing = next(
        moment.hand
        for moment in played
        if moment.hand.phase is Phase.DRAW
        and moment.hand.to_act is not None
        and sum(player.drawn for player in moment.hand.players) >= 2
    )
    events = {type(moment.event): moment.event for moment in played}
    yield from (f"{name:46} {cost:11.1f} us" for name, cost in hand_costs(drawing, clock))
    yield LINE.format("event", "stored", "read", "shown")
    yield from (event_costs(event, clock) for event in events.values())
