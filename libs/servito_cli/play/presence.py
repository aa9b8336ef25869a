"""Being dealt in or not, and waiting for a seat: what a key means there, and the line that says how it is.

Pure: from the view that he has, and a key, to what he wants."""

from __future__ import annotations

from servito_cli.play.wishes import SitIn, SitOut
from servito_cli.texts.form.play import PlayTexts
from servito_client.messages import HandSeatView, SeatView, SitOutReason, TableView, WaitingView, hand_runs


def own_seat(view: TableView) -> SeatView | None:
    """His seat, if he has one."""
    if not view.HasField("own_seat"):
        return None
    return next((seat for seat in view.seats if seat.seat == view.own_seat), None)


def dealt_in(view: TableView) -> HandSeatView | None:
    """His seat in the hand, if he was dealt into it."""
    if not view.HasField("own_seat"):
        return None
    return next((seat for seat in view.hand.seats if seat.seat == view.own_seat), None)


def is_broke(view: TableView) -> bool:
    """He sits without chips and is not in a running hand."""
    own, in_play = own_seat(view), hand_runs(view) and dealt_in(view) is not None
    return own is not None and own.stack == 0 and not in_play


class Presence:
    """His side of one table. `player` is his id; the view is asked for anew each time."""

    def __init__(self, player: str, texts: PlayTexts) -> None:
        self._player, self._texts = player, texts

    def key(self, view: TableView, key: str) -> SitOut | SitIn | None:
        """What the key means now, if anything."""
        own = own_seat(view)
        if own is None or key != self._texts.sit_out:
            return None
        return SitIn() if own.sitting_out else SitOut()

    def line(self, view: TableView) -> str:
        """That he sits out, or waits for a seat; empty where he is dealt in."""
        own, waiting = own_seat(view), self.waiting(view)
        if own is not None and own.sitting_out:
            away = own.sitting_out == SitOutReason.SIT_OUT_REASON_AWAY
            text = self._texts.you_are_away if away else self._texts.you_sit_out
            return text.format(key=self._texts.sit_out)
        if waiting is not None:
            place = [one.player for one in view.waiting].index(self._player) + 1
            return self._texts.you_wait.format(place=place)
        return ""

    def waiting(self, view: TableView) -> WaitingView | None:
        """Himself in the waiting list, if he is there."""
        return next((one for one in view.waiting if one.player == self._player), None)
