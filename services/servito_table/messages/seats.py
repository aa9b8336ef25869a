"""Seats besides their being taken and left, and the waiting list: events, which are stored and shown in one
form, and what is shown of them.

Changes with `app.seat_events`, table.proto and store.proto.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.app.seat_events import (
    Absence,
    SatIn,
    SatOut,
    SeatOffered,
    SeatPresent,
    SeatsEvent,
    ToppedUp,
    TopUpAsked,
    Unlisted,
    WaitingJoined,
    WaitingLeft,
)
from servito_table.app.state import BanksLeft, Seated, Waiter
from servito_table.messages.acting import pre_action_from_store, pre_action_to_store
from servito_wire.fields import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SeatsMessage = (
    pb.SatOut
    | pb.SatIn
    | pb.SeatPresent
    | pb.TopUpAsked
    | pb.ToppedUp
    | pb.WaitingJoined
    | pb.WaitingLeft
    | pb.SeatOffered
)
SEATS_FIELDS: Final[Mapping[type[SeatsEvent], str]] = {
    SatOut: "sat_out",
    SatIn: "sat_in",
    SeatPresent: "seat_present",
    TopUpAsked: "top_up_asked",
    ToppedUp: "topped_up",
    WaitingJoined: "waiting_joined",
    WaitingLeft: "waiting_left",
    SeatOffered: "seat_offered",
}
"""Their names in TableEvent and StoredEvent."""
_ABSENCE: Final = "SIT_OUT_REASON_"
_UNLISTED: Final = "WAITING_REASON_"


def absence_to_proto(absence: Absence | None) -> pb.SitOutReason.ValueType:
    """Write why a seat sits out; UNSPECIFIED where it does not."""
    name = "UNSPECIFIED" if absence is None else absence.name
    return pb.SitOutReason.Value(_ABSENCE + name)


def absence_from_proto(sent: pb.SitOutReason.ValueType) -> Absence | None:
    """Read it."""
    return Absence[pb.SitOutReason.Name(sent).removeprefix(_ABSENCE)] if sent else None


_SEAT: Final = record(
    store.StoredSeat,
    "seat player stack leaving since sitting_out missed top_up time_banks bank_hands",
    numbers={"sitting_out": {absence: absence_to_proto(absence) for absence in (None, *Absence)}},
)


def seat_to_bytes(own: Seated) -> bytes:
    """A StoredSeat as everybody may know it."""
    return _SEAT(own)


def whole_seat_to_bytes(own: Seated) -> bytes:
    """A StoredSeat with what its player alone may know."""
    hidden = store.StoredSeat()
    _write_hidden(own, hidden)
    return _SEAT(own) + hidden.SerializeToString()


def hidden_of_seat(own: Seated) -> bytes:
    """A SeatSecrets: what its player alone may know; b"" where there is nothing."""
    if not own.entropy and own.next_entropy is None and own.pre_action is None:
        return b""
    secrets = store.SeatSecrets(seat=own.seat)
    _write_hidden(own, secrets)
    return secrets.SerializeToString()


def read_hidden_of_seats(seats: Iterable[store.StoredSeat], secrets: Iterable[store.SeatSecrets]) -> None:
    """Give seats of which the public part was read what is hidden of them. ValueError: of other seats."""
    by_number = {seat.seat: seat for seat in seats}
    for own in secrets:
        seat = by_number.get(own.seat)
        if seat is None:
            raise ValueError("the hidden part of a table has a seat that its public part does not have")
        seat.entropy = own.entropy
        if own.HasField("next_entropy"):
            seat.next_entropy = own.next_entropy
        if own.HasField("pre_action"):
            seat.pre_action.CopyFrom(own.pre_action)


def _write_hidden(own: Seated, stored: store.StoredSeat | store.SeatSecrets) -> None:
    stored.entropy = own.entropy
    if own.next_entropy is not None:
        stored.next_entropy = own.next_entropy
    if own.pre_action is not None:
        stored.pre_action.CopyFrom(pre_action_to_store(own.pre_action))


def seat_from_store(own: store.StoredSeat) -> Seated:
    """Read one."""
    absence = absence_from_proto(own.sitting_out)
    return Seated(
        own.seat,
        own.player,
        own.stack,
        own.since,
        own.leaving,
        absence,
        own.missed,
        own.top_up,
        own.time_banks,
        own.bank_hands,
        pre_action_from_store(own.pre_action) if own.HasField("pre_action") else None,
        own.entropy,
        own.next_entropy if own.HasField("next_entropy") else None,
    )


def waiters_to_store(waiting: Iterable[Waiter]) -> list[store.StoredWaiter]:
    """Write the waiting list for the store."""
    return [store.StoredWaiter(player=waiter.player, seat=waiter.seat) for waiter in waiting]


def waiters_from_store(stored: Iterable[store.StoredWaiter]) -> tuple[Waiter, ...]:
    """Read it."""
    return tuple([Waiter(one.player, one.seat if one.HasField("seat") else None) for one in stored])


def seats_to_proto(event: SeatsEvent) -> tuple[str, SeatsMessage]:
    """The message of an event, and the name of its field."""
    message: SeatsMessage
    match event:
        case SatOut(seat, absence):
            message = pb.SatOut(seat=seat, reason=absence_to_proto(absence))
        case SatIn(seat):
            message = pb.SatIn(seat=seat)
        case SeatPresent(seat):
            message = pb.SeatPresent(seat=seat)
        case TopUpAsked(seat, amount):
            message = pb.TopUpAsked(seat=seat, amount=amount)
        case ToppedUp(seat, player, amount):
            message = pb.ToppedUp(seat=seat, player=player, amount=amount)
        case WaitingJoined(player):
            message = pb.WaitingJoined(player=player)
        case WaitingLeft(player, reason):
            value = pb.WaitingReason.Value(_UNLISTED + reason.name)
            message = pb.WaitingLeft(player=player, reason=value)
        case SeatOffered(seat, player, open_ms):
            message = pb.SeatOffered(seat=seat, player=player, open_ms=open_ms)
    return SEATS_FIELDS[type(event)], message


def seats_from_proto(stored: SeatsMessage) -> SeatsEvent:
    """Read one."""
    event: SeatsEvent
    match stored:
        case pb.SatOut():
            event = SatOut(stored.seat, absence_from_proto(stored.reason) or Absence.ASKED)
        case pb.SatIn():
            event = SatIn(stored.seat)
        case pb.SeatPresent():
            event = SeatPresent(stored.seat)
        case pb.TopUpAsked():
            event = TopUpAsked(stored.seat, stored.amount)
        case pb.ToppedUp():
            event = ToppedUp(stored.seat, stored.player, stored.amount)
        case pb.WaitingJoined():
            event = WaitingJoined(stored.player)
        case pb.WaitingLeft():
            reason = Unlisted[pb.WaitingReason.Name(stored.reason).removeprefix(_UNLISTED)]
            event = WaitingLeft(stored.player, reason)
        case _:
            event = SeatOffered(stored.seat, stored.player, stored.open_ms)
    return event


def banks_left_to_store(left: Iterable[BanksLeft]) -> list[store.StoredBanks]:
    """Write the time banks of who stood up, for the store."""
    return [
        store.StoredBanks(
            player=own.player, time_banks=own.time_banks, bank_hands=own.bank_hands, deals=own.deals
        )
        for own in left
    ]


def banks_left_from_store(stored: Iterable[store.StoredBanks]) -> tuple[BanksLeft, ...]:
    """Read them."""
    return tuple([BanksLeft(own.player, own.time_banks, own.bank_hands, own.deals) for own in stored])
