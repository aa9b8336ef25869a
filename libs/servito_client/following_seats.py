"""What events about presence, chips to come and the waiting list change in a `TableView`.

A part of following.py, which folds everything else. Who sits down or stands up is there; that he leaves the
waiting list by it is here (`unlisted`)."""

from __future__ import annotations

from servito_client.messages import (
    SatIn,
    SatOut,
    SeatOffered,
    SeatPresent,
    SeatView,
    SitOutReason,
    TableView,
    ToppedUp,
    TopUpAsked,
    WaitingJoined,
    WaitingLeft,
    WaitingView,
)

SeatsEvent = SatOut | SatIn | SeatPresent | TopUpAsked | ToppedUp | WaitingJoined | WaitingLeft | SeatOffered


def seats_changed(view: TableView, event: SeatsEvent) -> None:
    """Folds one event into `view`."""
    match event:
        case SatOut() | SatIn() | SeatPresent() | TopUpAsked() | ToppedUp():
            for seat in view.seats:
                if seat.seat == event.seat:
                    _seat_changed(seat, event)
        case WaitingJoined():
            view.waiting.add(player=event.player)
        case WaitingLeft():
            unlisted(view, event.player)
        case SeatOffered():
            for waiter in view.waiting:
                if waiter.player == event.player:
                    waiter.seat, waiter.remaining_ms = event.seat, event.open_ms


def unlisted(view: TableView, player: str) -> None:
    """The player waits no longer."""
    kept = [WaitingView.FromString(one.SerializeToString()) for one in view.waiting if one.player != player]
    if len(kept) < len(view.waiting):
        del view.waiting[:]
        view.waiting.extend(kept)


def _seat_changed(seat: SeatView, event: SatOut | SatIn | SeatPresent | TopUpAsked | ToppedUp) -> None:
    match event:
        case SatOut():
            seat.sitting_out = event.reason
        case SatIn():
            seat.sitting_out = SitOutReason.SIT_OUT_REASON_UNSPECIFIED
        case TopUpAsked():
            seat.top_up = event.amount
        case ToppedUp():
            seat.stack += event.amount
            seat.top_up = 0
