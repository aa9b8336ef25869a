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
from servito_wire.fields import Block, Bytes, Values, record
from servito_wire.hand import OUTCOME_NUMBERS, OUTCOMES, cards_from
from servito_wire.moves import WRITERS as MOVES
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


def event_to_bytes(event: core.Event) -> bytes:
    """A StoredEvent; ValueError where a card or position is not 0..255."""
    block, write = _WRITERS[type(event)]
    return block(write(event))


def event_from_proto(stored: store.StoredEvent) -> core.Event:
    """Read an event; KeyError for an empty one and for `TABLE_EVENTS`."""
    field = stored.WhichOneof("event") or ""
    return READERS[field](getattr(stored, field, None))


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


def _cards_dealt(event: core.CardsDealt) -> bytes:
    hands = zip(event.seats, event.cards, event.positions, strict=True)
    return b"".join(_HANDS(_SEAT[seat] + _CARDS[cards] + _POSITIONS[at]) for seat, cards, at in hands)


def _read_cards_dealt(stored: store.StoredCardsDealt) -> core.CardsDealt:
    return core.CardsDealt(
        tuple(hand.seat for hand in stored.hands),
        tuple(cards_from(hand.cards) for hand in stored.hands),
        tuple(tuple(hand.positions) for hand in stored.hands),
    )


def _openers_found(event: core.OpenersFound) -> bytes:
    openers = event.openers.items()
    return b"".join(_OPENERS(_OPENER[seat] + _OPENER_CARDS[cards]) for seat, cards in openers)


def _read_cards_drawn(stored: store.StoredCardsDrawn) -> core.CardsDrawn:
    return core.CardsDrawn(
        stored.seat,
        stored.entry,
        cards_from(stored.cards),
        tuple(stored.positions),
        stored.deferred,
        tuple(stored.shuffled),
    )


def _hand_shown(event: core.HandShown) -> bytes:
    return _SHOWN(event) + _VALUE(value_to_proto(event.value).SerializeToString())


def _pot_awarded(event: core.PotAwarded) -> bytes:
    shares = [_SHARES(_SHARE[seat] + _AMOUNT[amount]) for seat, amount in event.shares.items()]
    return b"".join((_POT(event), *shares))


def _read_pot_awarded(stored: store.StoredPotAwarded) -> core.PotAwarded:
    return core.PotAwarded(
        stored.index,
        stored.amount,
        tuple(stored.eligible),
        tuple(stored.winners),
        {share.seat: share.amount for share in stored.shares},
    )


def _read_hand_ended(stored: store.StoredHandEnded) -> core.HandEnded:
    outcome = OUTCOMES[stored.outcome]
    if outcome is None:
        raise KeyError(stored.outcome)
    return core.HandEnded(outcome, stored.carried, stored.requirement, stored.raised)


_HANDS: Final = Block(store.StoredCardsDealt, "hands")
_SEAT: Final = Values(store.StoredDealt, "seat")
_CARDS: Final = Bytes(store.StoredDealt, "cards")
_POSITIONS: Final = Bytes(store.StoredDealt, "positions")
_OPENERS: Final = Block(store.StoredOpenersFound, "openers")
_OPENER: Final = Values(store.StoredOpener, "seat")
_OPENER_CARDS: Final = Bytes(store.StoredOpener, "cards")
_SHOWN: Final = record(store.StoredHandShown, "seat cards")
_VALUE: Final = Block(store.StoredHandShown, "value")
_POT: Final = record(store.StoredPotAwarded, "index amount eligible winners")
_SHARES: Final = Block(store.StoredPotAwarded, "shares")
_SHARE: Final = Values(table.Share, "seat")
_AMOUNT: Final = Values(table.Share, "amount")
WRITERS: Final[dict[type[Any], plain.Writer]] = {
    **plain.WRITERS,
    core.Discarded: ("seat_acted", MOVES[core.Discarded]),
    core.HandStarted: (
        "hand_started",
        record(
            store.StoredHandStarted,
            "number button lowest_rank requirement raised carried seats stacks blinds",
        ),
    ),
    core.CardsDealt: ("cards_dealt", _cards_dealt),
    core.OpenersFound: ("openers_found", _openers_found),
    core.CardsDrawn: (
        "cards_drawn",
        record(store.StoredCardsDrawn, "seat entry cards positions deferred shuffled"),
    ),
    core.HandTabled: ("hand_tabled", record(store.StoredShown, "seat cards")),
    core.HandShown: ("hand_shown", _hand_shown),
    core.OpeningProved: ("opening_proved", record(store.StoredShown, "seat cards")),
    core.PotAwarded: ("pot_awarded", _pot_awarded),
    core.HandEnded: (
        "hand_ended",
        record(
            store.StoredHandEnded,
            "outcome carried requirement raised",
            numbers={"outcome": OUTCOME_NUMBERS},
        ),
    ),
}
"""By type of event."""
_WRITERS: Final = {
    event: (Block(store.StoredEvent, field), write) for event, (field, write) in WRITERS.items()
}

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
