"""Events of a hand as the state server keeps them: `Event` <-> `StoredEvent`, exactly.

Here: one writer for each type of servito_core/events.py and one reader for each field of StoredEvent's oneof;
a test walks both. Not here: what is told to players (`views`), the table's own events (who sat, who stood).
Changes with servito_core/events.py and store.proto.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as table
from servito_core import events as core
from servito_wire import plain
from servito_wire.hand import OUTCOME_NUMBERS, OUTCOMES, cards_from
from servito_wire.moves import move_to_proto
from servito_wire.values import value_from_proto, value_to_proto

if TYPE_CHECKING:
    from collections.abc import Callable

TABLE_EVENTS: Final = frozenset(
    {
        "player_sat",
        "player_stood",
        "rules_proposed",
        "rules_agreed",
        "rules_refused",
        "rules_accepted",
        "rules_lapsed",
        "rules_changed",
        "table_paused",
        "table_resumed",
        "table_closing",
        "carried_returned",
        "table_closed",
        "sat_out",
        "sat_in",
        "seat_present",
        "top_up_asked",
        "topped_up",
        "waiting_joined",
        "waiting_left",
        "seat_offered",
        "time_bank_used",
        "time_bank_returned",
        "clock_restored",
        "pre_action_set",
        "pre_action_ended",
        "deck_committed",
        "refill_committed",
        "entropy_set",
        "hidden",
    }
)
"""Fields of StoredEvent that are no event of a hand."""


def event_to_proto(event: core.Event) -> store.StoredEvent:
    """Write an event; ValueError where a card or position is not 0..255."""
    field, write = WRITERS[type(event)]
    return store.StoredEvent(**{field: write(event)})


def event_from_proto(stored: store.StoredEvent) -> core.Event:
    """Read an event; KeyError for an empty one and for `TABLE_EVENTS`."""
    field = stored.WhichOneof("event") or ""
    return READERS[field](getattr(stored, field, None))


def _hand_started(event: core.HandStarted) -> store.StoredHandStarted:
    return store.StoredHandStarted(
        number=event.number,
        button=event.button,
        lowest_rank=event.lowest_rank,
        requirement=event.requirement,
        raised=event.raised,
        carried=event.carried,
        seats=event.seats,
        stacks=event.stacks,
        blinds=event.blinds,
    )


def _read_hand_started(stored: store.StoredHandStarted) -> core.HandStarted:
    return core.HandStarted(
        number=stored.number,
        button=stored.button,
        lowest_rank=stored.lowest_rank,
        requirement=stored.requirement,
        raised=stored.raised,
        carried=stored.carried,
        seats=tuple(stored.seats),
        stacks=tuple(stored.stacks),
        blinds=stored.blinds,
    )


def _cards_dealt(event: core.CardsDealt) -> store.StoredCardsDealt:
    dealt = store.StoredCardsDealt()
    for seat, cards, positions in zip(event.seats, event.cards, event.positions, strict=True):
        dealt.hands.add(seat=seat, cards=bytes(cards), positions=bytes(positions))
    return dealt


def _read_cards_dealt(stored: store.StoredCardsDealt) -> core.CardsDealt:
    return core.CardsDealt(
        tuple(hand.seat for hand in stored.hands),
        tuple(cards_from(hand.cards) for hand in stored.hands),
        tuple(tuple(hand.positions) for hand in stored.hands),
    )


def _openers_found(event: core.OpenersFound) -> store.StoredOpenersFound:
    openers = event.openers.items()
    return store.StoredOpenersFound(
        openers=[store.StoredOpener(seat=seat, cards=bytes(cards)) for seat, cards in openers]
    )


def _cards_drawn(event: core.CardsDrawn) -> store.StoredCardsDrawn:
    return store.StoredCardsDrawn(
        seat=event.seat,
        entry=event.entry,
        cards=bytes(event.cards),
        positions=bytes(event.positions),
        deferred=event.deferred,
        shuffled=bytes(event.shuffled),
    )


def _read_cards_drawn(stored: store.StoredCardsDrawn) -> core.CardsDrawn:
    return core.CardsDrawn(
        stored.seat,
        stored.entry,
        cards_from(stored.cards),
        tuple(stored.positions),
        stored.deferred,
        tuple(stored.shuffled),
    )


def _pot_awarded(event: core.PotAwarded) -> store.StoredPotAwarded:
    return store.StoredPotAwarded(
        index=event.index,
        amount=event.amount,
        eligible=event.eligible,
        winners=event.winners,
        shares=[table.Share(seat=seat, amount=amount) for seat, amount in event.shares.items()],
    )


def _read_pot_awarded(stored: store.StoredPotAwarded) -> core.PotAwarded:
    return core.PotAwarded(
        stored.index,
        stored.amount,
        tuple(stored.eligible),
        tuple(stored.winners),
        {share.seat: share.amount for share in stored.shares},
    )


def _shown(event: core.HandTabled | core.OpeningProved) -> store.StoredShown:
    return store.StoredShown(seat=event.seat, cards=bytes(event.cards))


def _hand_ended(event: core.HandEnded) -> store.StoredHandEnded:
    return store.StoredHandEnded(
        outcome=OUTCOME_NUMBERS[event.outcome],
        carried=event.carried,
        requirement=event.requirement,
        raised=event.raised,
    )


def _read_hand_ended(stored: store.StoredHandEnded) -> core.HandEnded:
    outcome = OUTCOMES[stored.outcome]
    if outcome is None:
        raise KeyError(stored.outcome)
    return core.HandEnded(outcome, stored.carried, stored.requirement, stored.raised)


WRITERS: Final[dict[type[Any], plain.Writer]] = {
    **plain.WRITERS,
    core.Discarded: ("seat_acted", move_to_proto),
    core.HandStarted: ("hand_started", _hand_started),
    core.CardsDealt: ("cards_dealt", _cards_dealt),
    core.OpenersFound: ("openers_found", _openers_found),
    core.CardsDrawn: ("cards_drawn", _cards_drawn),
    core.HandTabled: ("hand_tabled", _shown),
    core.HandShown: (
        "hand_shown",
        lambda e: store.StoredHandShown(seat=e.seat, cards=bytes(e.cards), value=value_to_proto(e.value)),
    ),
    core.OpeningProved: ("opening_proved", _shown),
    core.PotAwarded: ("pot_awarded", _pot_awarded),
    core.HandEnded: ("hand_ended", _hand_ended),
}
"""By type of event."""

READERS: Final[dict[str, Callable[[Any], core.Event]]] = {
    **plain.READERS,
    "hand_started": _read_hand_started,
    "cards_dealt": _read_cards_dealt,
    "openers_found": lambda s: core.OpenersFound({o.seat: cards_from(o.cards) for o in s.openers}),
    "cards_drawn": _read_cards_drawn,
    "hand_tabled": lambda s: core.HandTabled(s.seat, cards_from(s.cards)),
    "hand_shown": lambda s: core.HandShown(s.seat, cards_from(s.cards), value_from_proto(s.value)),
    "opening_proved": lambda s: core.OpeningProved(s.seat, cards_from(s.cards)),
    "pot_awarded": _read_pot_awarded,
    "hand_ended": _read_hand_ended,
}
"""By field of StoredEvent."""
