"""What players are shown: what servito_core/view.py gives out -> `HandView` and `TableEvent` of table.proto.

Everything shown passes through that gate first; these writers take its types and the public events only, so a
card that is hidden has no way in here. Turns, clocks, offers and the table's own events are the caller's to
add. Changes with servito_core/view.py and the messages of table.proto.
"""

from __future__ import annotations

from typing import Any, Final

from servito.table.v1 import table_pb2 as pb
from servito_core import events as core
from servito_core import view as seen
from servito_core.naming import name_en, name_it
from servito_wire import plain
from servito_wire.fields import Block, Packed, Values, record
from servito_wire.hand import OUTCOME_NUMBERS, PHASE_NUMBERS
from servito_wire.moves import discarded


def hand_id(table_id: str, number: int) -> str:
    """The id of a table's hand: what dealer, players and history call it."""
    return f"{table_id}-{number}"


def hand_view_to_proto(view: seen.HandView, table_id: str) -> pb.HandView:
    """Write a hand as its viewer sees it; turn, time left and offer are not set."""
    sent = pb.HandView(
        hand_id=hand_id(table_id, view.number),
        number=view.number,
        button=view.button,
        lowest_rank=view.lowest_rank,
        requirement=view.requirement,
        raised=view.raised,
        phase=PHASE_NUMBERS[view.phase],
        carried=view.carried,
        pot=view.pot,
        high_bet=view.high_bet,
        stock=view.stock,
        own=None if view.own is None else _own(view.own),
        to_act=view.to_act,
        opener=view.opener,
        outcome=OUTCOME_NUMBERS[view.outcome],
    )
    add = sent.seats.add
    for player in view.players:
        _write_seat(player, add())
    return sent


def event_view_to_bytes(event: seen.PublicEvent, table_id: str) -> bytes:
    """A TableEvent of what `view.event_for` gave; KeyError for an event with hidden cards that did not pass
    it.
    """
    block, write = _WRITERS[type(event)]
    shown = write(event)
    if type(event) is core.HandStarted:
        shown += _HAND_ID(hand_id(table_id, event.number).encode())
    return block(shown)


def _write_seat(player: seen.PlayerView, sent: pb.HandSeatView) -> None:
    """Field by field, which is a third faster than by keywords."""
    sent.seat = player.seat
    sent.stack = player.stack
    sent.bet = player.bet
    sent.paid = player.paid
    sent.folded = player.folded
    sent.left = player.left
    sent.all_in = player.all_in
    sent.card_count = player.card_count
    sent.cards.extend(player.cards)
    if player.discarded is not None:
        sent.discarded = player.discarded
    sent.owed = player.owed
    sent.split = player.split


def _own(own: seen.OwnView) -> pb.OwnHandView:
    return pb.OwnHandView(positions=own.positions, discards=own.discards, may_open=own.may_open)


_HAND_ID: Final = Block(pb.HandStarted, "hand_id")
_DISCARDS: Final = Packed(pb.SeatActed, "discards")
_SHOWN: Final = record(pb.HandShown, "seat cards")
_NAME_EN: Final = Values(pb.HandShown, "value_en")
_NAME_IT: Final = Values(pb.HandShown, "value_it")
_POT: Final = record(pb.PotAwarded, "index amount eligible")
_SHARES: Final = Block(pb.PotAwarded, "shares")
_SHARE: Final = Values(pb.Share, "seat")
_AMOUNT: Final = Values(pb.Share, "amount")


def _discard_seen(event: seen.DiscardSeen) -> bytes:
    return discarded(event.seat, event.count) + _DISCARDS[event.cards]


def _hand_shown(event: core.HandShown) -> bytes:
    return _SHOWN(event) + _NAME_EN[name_en(event.value)] + _NAME_IT[name_it(event.value)]


def _pot_awarded(event: core.PotAwarded) -> bytes:
    shares = [_SHARES(_SHARE[seat] + _AMOUNT[event.shares.get(seat, 0)]) for seat in event.winners]
    return b"".join((_POT(event), *shares))


WRITERS: Final[dict[type[Any], plain.Writer]] = {
    **plain.WRITERS,
    core.HandStarted: (
        "hand_started",
        record(
            pb.HandStarted,
            "number button lowest_rank requirement raised carried seats stacks blinds",
        ),
    ),
    seen.DealSeen: ("cards_dealt", record(pb.CardsDealt, "cards positions")),
    seen.OpenersSeen: ("openers_found", record(pb.OpenersFound, "may_open cards")),
    seen.DiscardSeen: ("seat_acted", _discard_seen),
    seen.DrawSeen: (
        "cards_drawn",
        record(pb.CardsDrawn, "seat count cards deferred reshuffled positions"),
    ),
    core.HandTabled: ("hand_tabled", record(pb.HandTabled, "seat cards")),
    core.HandShown: ("hand_shown", _hand_shown),
    core.OpeningProved: ("opening_proved", record(pb.OpeningProved, "seat cards")),
    core.PotAwarded: ("pot_awarded", _pot_awarded),
    core.HandEnded: (
        "hand_ended",
        record(
            pb.HandEnded,
            "outcome carried next_requirement next_raised",
            {"next_requirement": "requirement", "next_raised": "raised"},
            {"outcome": OUTCOME_NUMBERS},
        ),
    ),
}
"""By type: the field of TableEvent and what writes it. An event with hidden cards has no place here."""
_WRITERS: Final = {event: (Block(pb.TableEvent, field), write) for event, (field, write) in WRITERS.items()}
