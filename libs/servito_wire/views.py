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
from servito_wire.hand import OUTCOME_NUMBERS, PHASE_NUMBERS
from servito_wire.moves import KINDS


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


def event_view_to_proto(event: seen.PublicEvent, table_id: str) -> pb.TableEvent:
    """Write what `view.event_for` gave; KeyError for an event with hidden cards that did not pass it."""
    field, write = WRITERS[type(event)]
    shown = pb.TableEvent(**{field: write(event)})
    if isinstance(event, core.HandStarted):
        shown.hand_started.hand_id = hand_id(table_id, event.number)
    return shown


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


def _hand_started(event: core.HandStarted) -> pb.HandStarted:
    return pb.HandStarted(
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


def _discard_seen(event: seen.DiscardSeen) -> pb.SeatActed:
    return pb.SeatActed(
        seat=event.seat, kind=KINDS[core.Discarded], discarded=event.count, discards=event.cards
    )


def _draw_seen(event: seen.DrawSeen) -> pb.CardsDrawn:
    return pb.CardsDrawn(
        seat=event.seat,
        count=event.count,
        cards=event.cards,
        deferred=event.deferred,
        reshuffled=event.reshuffled,
        positions=event.positions,
    )


def _hand_shown(event: core.HandShown) -> pb.HandShown:
    return pb.HandShown(
        seat=event.seat, cards=event.cards, value_en=name_en(event.value), value_it=name_it(event.value)
    )


def _pot_awarded(event: core.PotAwarded) -> pb.PotAwarded:
    return pb.PotAwarded(
        index=event.index,
        amount=event.amount,
        eligible=event.eligible,
        shares=[pb.Share(seat=seat, amount=event.shares.get(seat, 0)) for seat in event.winners],
    )


def _hand_ended(event: core.HandEnded) -> pb.HandEnded:
    return pb.HandEnded(
        outcome=OUTCOME_NUMBERS[event.outcome],
        carried=event.carried,
        next_requirement=event.requirement,
        next_raised=event.raised,
    )


WRITERS: Final[dict[type[Any], plain.Writer]] = {
    **plain.WRITERS,
    core.HandStarted: ("hand_started", _hand_started),
    seen.DealSeen: ("cards_dealt", lambda e: pb.CardsDealt(cards=e.cards, positions=e.positions)),
    seen.OpenersSeen: ("openers_found", lambda e: pb.OpenersFound(may_open=e.may_open, cards=e.cards)),
    seen.DiscardSeen: ("seat_acted", _discard_seen),
    seen.DrawSeen: ("cards_drawn", _draw_seen),
    core.HandTabled: ("hand_tabled", lambda e: pb.HandTabled(seat=e.seat, cards=e.cards)),
    core.HandShown: ("hand_shown", _hand_shown),
    core.OpeningProved: ("opening_proved", lambda e: pb.OpeningProved(seat=e.seat, cards=e.cards)),
    core.PotAwarded: ("pot_awarded", _pot_awarded),
    core.HandEnded: ("hand_ended", _hand_ended),
}
"""By type: the field of TableEvent and what fills it. An event with hidden cards has no place here."""
