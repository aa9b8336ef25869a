"""Who sits at a table or waits for a seat, with what is noted of each seat beside the hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

from servito_client.folding.chips import in_hand
from servito_client.messages import (
    EntropySet,
    Event,
    PlayerLeaving,
    PlayerSat,
    PlayerStood,
    SatIn,
    SatOut,
    SeatOffered,
    SeatView,
    SitOutReason,
    TableView,
    TimeBankReturned,
    TimeBankUsed,
    ToppedUp,
    TopUpAsked,
    WaitingJoined,
    WaitingLeft,
    WaitingView,
)


@singledispatch
def fold_seats(_event: Event, _view: TableView) -> None:
    """Folds one event into the view."""


@fold_seats.register
def _(event: PlayerSat, view: TableView) -> None:
    others = [seat for seat in view.seats if seat.seat != event.seat]
    sat = SeatView(
        seat=event.seat,
        player=event.player,
        stack=event.buy_in,
        time_banks=event.time_banks if event.HasField("time_banks") else view.config.time_banks,
    )
    _seated(view, sorted([*others, sat], key=lambda seat: seat.seat))
    _unlisted(view, event.player)


@fold_seats.register
def _(event: PlayerStood, view: TableView) -> None:
    _seated(view, [seat for seat in view.seats if seat.seat != event.seat])
    if view.HasField("own_seat") and view.own_seat == event.seat:
        view.ClearField("own_seat")
        view.ClearField("own_entropy")


@fold_seats.register
def _(event: EntropySet, view: TableView) -> None:
    view.own_entropy = event.entropy


@fold_seats.register
def _(event: PlayerLeaving, view: TableView) -> None:
    in_hand(view, event.seat).left = True
    for seat in _at(view, event.seat):
        seat.leaving = True


@fold_seats.register
def _(event: TimeBankUsed | TimeBankReturned, view: TableView) -> None:
    for seat in _at(view, event.seat):
        seat.time_banks = event.left


@fold_seats.register
def _(event: SatOut, view: TableView) -> None:
    for seat in _at(view, event.seat):
        seat.sitting_out = event.reason


@fold_seats.register
def _(event: SatIn, view: TableView) -> None:
    for seat in _at(view, event.seat):
        seat.sitting_out = SitOutReason.SIT_OUT_REASON_UNSPECIFIED


@fold_seats.register
def _(event: TopUpAsked, view: TableView) -> None:
    for seat in _at(view, event.seat):
        seat.top_up = event.amount


@fold_seats.register
def _(event: ToppedUp, view: TableView) -> None:
    for seat in _at(view, event.seat):
        seat.stack += event.amount
        seat.top_up = 0


@fold_seats.register
def _(event: WaitingJoined, view: TableView) -> None:
    view.waiting.add(player=event.player)


@fold_seats.register
def _(event: WaitingLeft, view: TableView) -> None:
    _unlisted(view, event.player)


@fold_seats.register
def _(event: SeatOffered, view: TableView) -> None:
    for waiter in view.waiting:
        if waiter.player == event.player:
            waiter.seat, waiter.remaining_ms = event.seat, event.open_ms


def _at(view: TableView, number: int) -> Iterator[SeatView]:
    """The seat of that number, if somebody sits there."""
    return (seat for seat in view.seats if seat.seat == number)


def _seated(view: TableView, seats: Iterable[SeatView]) -> None:
    kept = [SeatView.FromString(seat.SerializeToString()) for seat in seats]
    del view.seats[:]
    view.seats.extend(kept)


def _unlisted(view: TableView, player: str) -> None:
    """The player waits no longer."""
    kept = [WaitingView.FromString(one.SerializeToString()) for one in view.waiting if one.player != player]
    if len(kept) < len(view.waiting):
        del view.waiting[:]
        view.waiting.extend(kept)
