"""A table kept current on the client's side: what a stream tells, folded into the view that it began with.

Whoever draws a table needs all of it after every update, and the stream sends only what happened. What each
event changes is in `folding`; the property test compares that with what the server would show. Not here: what
is legal (the offer says), cards that nobody told."""

from __future__ import annotations

from servito_client.folding.hand import fold_hand
from servito_client.folding.seats import fold_seats
from servito_client.folding.table import fold_table
from servito_client.messages import Event, PlayerSat, TableView
from servito_client.updates import Snapshot, Told, Update, Warned


class Following:
    """`view` is the table after everything that was told, as its listener may see it.

    `player` is the listener's own, so that he knows his seat when he sits down later. Snapshots replace the
    view; before the first one there is an empty table. The clock is as it was when the last message came."""

    def __init__(self, player: str | None = None, view: TableView | None = None) -> None:
        self._player = player
        self.view = view or TableView()

    def take(self, told: Told) -> None:
        """Takes in one message of a stream, whole."""
        if isinstance(told, Snapshot):
            self.snapshot(told.table)
            return
        if isinstance(told, Warned):
            if told.turn_id == self.view.hand.turn_id:
                self.view.hand.remaining_ms = told.remaining_ms
            return
        for event in told.events:
            self.event(event)
        self.turn(told)

    def snapshot(self, table: TableView) -> None:
        """Starts over from the whole table."""
        self.view = TableView()
        self.view.CopyFrom(table)

    def turn(self, update: Update) -> None:
        """Who is to act after the events of `update`, and for how long."""
        self.view.version, self.view.lineage = update.version, update.lineage
        hand = self.view.hand
        hand.turn_id, hand.remaining_ms = update.turn_id, update.remaining_ms
        hand.ClearField("to_act")
        if update.to_act is not None:
            hand.to_act = update.to_act
        hand.ClearField("offer")
        if update.offer is not None:
            hand.offer.CopyFrom(update.offer)

    def event(self, event: Event) -> None:
        """What one event changes; nothing for those that are only worth telling."""
        fold_hand(event, self.view)
        fold_seats(event, self.view)
        fold_table(event, self.view)
        if isinstance(event, PlayerSat) and event.player == self._player:
            self.view.own_seat = event.seat

    def name(self, seat: int) -> str | None:
        """The player who sits there."""
        return next((own.player for own in self.view.seats if own.seat == seat), None)
