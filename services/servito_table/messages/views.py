"""What one viewer is shown of a table: snapshots and updates, through the core's gate for hidden cards.

Here: the table's own part of both messages, the turn and its clock, the offer to the seat to act alone. Cards
and events of hands come from `servito_core.view` by `servito_wire.views` and from nowhere else. A viewer's
seat in a hand is the one that he was dealt in on: who takes a seat later is a spectator of the hands before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_core.events import CardsDrawn, Discarded
from servito_core.hand import legal_actions
from servito_core.view import PUBLIC, event_for, view_for
from servito_table.app.entropy import to_come
from servito_table.app.seat_waits import offer_wait
from servito_table.app.state import hand_id
from servito_table.app.waits import proposal_wait
from servito_table.messages.acting import pre_action_to_proto
from servito_table.messages.config import config_to_proto
from servito_table.messages.consent import proposal_view
from servito_table.messages.course import status_to_proto
from servito_table.messages.own_events import PRIVATE, TO_PROTO
from servito_table.messages.seats import absence_to_proto
from servito_wire.fields import Block, Fixed
from servito_wire.offers import offer_to_bytes
from servito_wire.views import event_view_to_bytes, hand_view_to_proto

if TYPE_CHECKING:
    from servito_table.app.commits import Known
    from servito_table.app.events import TableEvent
    from servito_table.app.state import Seated, TableState

SHARED = PUBLIC | TO_PROTO.keys() - PRIVATE
"""Events that look the same to everybody."""
OF_ONE_SEAT = PRIVATE | {CardsDrawn, Discarded}
"""Events that look the same to everybody but one seat."""

_HAND_ID: Final = Block(pb.Offer, "hand_id")
_LINEAGE: Final = Fixed(pb.Offer, "lineage")


def table_view(known: Known, player: str | None, now_ms: int) -> pb.TableView:
    """The whole table as `player` may see it; None: as a stranger does."""
    state = known.state
    own = None if player is None else state.seat_of(player)
    view = pb.TableView(
        table_id=state.id,
        version=known.version,
        config=config_to_proto(state.config),
        seats=[_seat_view(state, seated) for seated in state.seats],
        own_seat=None if own is None else own.seat,
        carried=state.between.carried if state.running is None else 0,
        status=status_to_proto(state.status),
        lineage=known.lineage,
        own_entropy=b"" if own is None else to_come(own),
        maintenance=state.held,
    )
    if state.proposal is not None:
        ends = known.ends(proposal_wait(state.proposal.number))
        view.proposal.CopyFrom(proposal_view(state.proposal, remaining(ends, now_ms)))
    for waiter in state.waiting:
        ends = 0 if waiter.seat is None else known.ends(offer_wait(waiter.seat))
        view.waiting.add(player=waiter.player, seat=waiter.seat, remaining_ms=remaining(ends, now_ms))
    if state.hand is not None:
        seat = None if player is None else state.hand_seat_of(player)
        view.hand.CopyFrom(hand_view_to_proto(view_for(state.hand, seat), state.id))
        if state.running is not None:
            view.hand.turn_id = state.turn
            view.hand.remaining_ms = remaining(known.deadline, now_ms)
            offer = offer_to(known, seat, view.hand.remaining_ms)
            if offer is not None:
                view.hand.offer.MergeFromString(offer)
            if own is not None and own.pre_action is not None:
                view.hand.own.pre_action.CopyFrom(pre_action_to_proto(own.pre_action))
    return view


def event_view(event: TableEvent, seat: int | None, table_id: str) -> pb.TableEvent | None:
    """`event_to_bytes` as a message."""
    shown = event_to_bytes(event, seat, table_id)
    return None if shown is None else pb.TableEvent.FromString(shown)


def event_to_bytes(event: TableEvent, seat: int | None, table_id: str) -> bytes | None:
    """A TableEvent, as the one sees it who was dealt in on `seat`; None: as everybody else. None for an event
    that he does not learn of.
    """
    own = TO_PROTO.get(type(event))
    if own is None:
        return event_view_to_bytes(event_for(event, seat), table_id)  # type: ignore[arg-type]  # the hand's
    if type(event) in PRIVATE and event.seat != seat:  # type: ignore[union-attr]  # private ones have a seat
        return None
    field, message = own(event)
    return pb.TableEvent(**{field: message}).SerializeToString()


def offer_to(known: Known, seat: int | None, remaining_ms: int) -> bytes | None:
    """An Offer: what `seat` may do now; None if it is not to act."""
    state = known.state
    hand = state.running
    offer = None if hand is None or seat is None else legal_actions(hand, seat)
    if hand is None or offer is None:
        return None
    where = _HAND_ID(hand_id(state.id, hand.number).encode()) + _LINEAGE[known.begun]
    return offer_to_bytes(offer, state.turn, remaining_ms) + where


def remaining(deadline: int, now_ms: int) -> int:
    """Milliseconds left; 0 also for a wait without a deadline."""
    return max(0, deadline - now_ms) if deadline else 0


def _seat_view(state: TableState, seated: Seated) -> pb.SeatView:
    dealt = state.in_hand(seated.seat)
    stack = seated.stack if dealt is None else dealt.stack
    return pb.SeatView(
        seat=seated.seat,
        player=seated.player,
        stack=stack,
        leaving=seated.leaving,
        sitting_out=absence_to_proto(seated.sitting_out),
        top_up=seated.top_up,
        time_banks=seated.time_banks,
    )
