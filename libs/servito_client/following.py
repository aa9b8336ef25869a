"""A table kept current on the client's side: what a stream tells, folded into the view that it began with.

Whoever draws a table needs all of it after every update, and the stream sends only what happened. Here: what
each event changes in a `TableView`, which the property test compares with what the server would show. Not
here: what is legal (the offer says), cards that nobody told. Changes with the events of table.proto."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod

from servito_client.following_seats import seats_changed, unlisted
from servito_client.messages import (
    ActionKind,
    AntePosted,
    CardsDealt,
    CardsDrawn,
    CarriedReturned,
    Event,
    HandEnded,
    HandSeatView,
    HandShown,
    HandStarted,
    HandTabled,
    OpenersFound,
    OpeningJudged,
    OwnHandView,
    Phase,
    PhaseBegan,
    PlayerLeaving,
    PlayerSat,
    PlayerStood,
    PotAwarded,
    PreActionEnded,
    PreActionSet,
    ProposalView,
    ReentryPaid,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    SatIn,
    SatOut,
    SeatActed,
    SeatOffered,
    SeatPresent,
    SeatView,
    StakeReturned,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
    TableStatus,
    TableView,
    TimeBankReturned,
    TimeBankUsed,
    ToppedUp,
    TopUpAsked,
    UncalledBetReturned,
    WaitingJoined,
    WaitingLeft,
)
from servito_client.table_rules import rule_of
from servito_client.updates import Snapshot, Told, Update, Warned

FIRST_BETS = frozenset({ActionKind.ACTION_KIND_OPEN, ActionKind.ACTION_KIND_BET})
WAGERS = FIRST_BETS | {ActionKind.ACTION_KIND_RAISE, ActionKind.ACTION_KIND_POST_BLIND}
"""What makes a new highest total."""
PAYING = WAGERS | {ActionKind.ACTION_KIND_CALL, ActionKind.ACTION_KIND_COVER_BLIND}
"""What brings chips into the pot up to a total of the round."""

STATUS = {
    TablePaused: TableStatus.TABLE_STATUS_PAUSED,
    TableResumed: TableStatus.TABLE_STATUS_OPEN,
    TableClosing: TableStatus.TABLE_STATUS_CLOSING,
    TableClosed: TableStatus.TABLE_STATUS_CLOSED,
}
"""What a table is after each step of its course."""


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
        self.view.version = update.version
        hand = self.view.hand
        hand.turn_id, hand.remaining_ms = update.turn_id, update.remaining_ms
        hand.ClearField("to_act")
        if update.to_act is not None:
            hand.to_act = update.to_act
        hand.ClearField("offer")
        if update.offer is not None:
            hand.offer.CopyFrom(update.offer)

    def in_hand(self, seat: int) -> HandSeatView:
        """A seat that was dealt into the hand; LookupError for another."""
        found = next((own for own in self.view.hand.seats if own.seat == seat), None)
        if found is None:
            raise LookupError(f"seat {seat} was not dealt into hand {self.view.hand.hand_id!r}")
        return found

    def name(self, seat: int) -> str | None:
        """The player who sits there."""
        return next((own.player for own in self.view.seats if own.seat == seat), None)

    @singledispatchmethod
    def event(self, _event: Event) -> None:
        """What one event changes; nothing for those that are only worth telling."""

    @event.register
    def _(self, event: PlayerSat) -> None:
        others = [seat for seat in self.view.seats if seat.seat != event.seat]
        sat = SeatView(
            seat=event.seat,
            player=event.player,
            stack=event.buy_in,
            time_banks=self.view.config.time_banks,
        )
        self._seated(sorted([*others, sat], key=lambda seat: seat.seat))
        unlisted(self.view, event.player)
        if event.player == self._player:
            self.view.own_seat = event.seat

    @event.register
    def _(self, event: PlayerStood) -> None:
        self._seated([seat for seat in self.view.seats if seat.seat != event.seat])
        if self.view.HasField("own_seat") and self.view.own_seat == event.seat:
            self.view.ClearField("own_seat")

    @event.register
    def _(self, event: PlayerLeaving) -> None:
        self.in_hand(event.seat).left = True
        for seat in self.view.seats:
            seat.leaving |= seat.seat == event.seat

    @event.register
    def _(self, event: HandStarted) -> None:
        hand = self.view.hand
        hand.Clear()
        self.view.carried = 0
        hand.hand_id, hand.number, hand.button = event.hand_id, event.number, event.button
        hand.lowest_rank, hand.requirement, hand.raised = event.lowest_rank, event.requirement, event.raised
        hand.phase = Phase.PHASE_DEAL
        hand.pot = hand.carried = event.carried
        hand.stock = 4 * (15 - event.lowest_rank)
        for seat, stack in zip(event.seats, event.stacks, strict=True):
            hand.seats.add(seat=seat, stack=stack)
        if self.view.HasField("own_seat") and self.view.own_seat in event.seats:
            hand.own.CopyFrom(OwnHandView())

    @event.register
    def _(self, event: AntePosted | ReentryPaid) -> None:
        seat = self._pays(event.seat, event.amount)
        if isinstance(event, AntePosted) and rule_of(self.view.config, "ante.live") == "true":
            seat.bet += event.amount
            self.view.hand.high_bet = max(self.view.hand.high_bet, seat.bet)

    @event.register
    def _(self, event: CardsDealt) -> None:
        hand = self.view.hand
        hand.stock -= 5 * len(hand.seats)
        for seat in hand.seats:
            seat.card_count = 5
        if event.cards:
            self.in_hand(self.view.own_seat).cards[:] = event.cards
            hand.own.positions[:] = event.positions

    @event.register
    def _(self, event: OpenersFound) -> None:
        self.view.hand.phase = Phase.PHASE_OPENING
        if event.may_open:
            self.view.hand.own.may_open = True

    @event.register
    def _(self, event: SeatActed) -> None:
        hand, seat = self.view.hand, self.in_hand(event.seat)
        if event.kind in PAYING:
            self._pays(event.seat, event.to - seat.bet)
            seat.bet = event.to
        if event.kind in WAGERS:
            self._note_opener(event)
            hand.high_bet = event.to
        if event.kind == ActionKind.ACTION_KIND_OPEN:
            hand.phase = Phase.PHASE_FIRST_ROUND
        if event.kind == ActionKind.ACTION_KIND_FOLD:
            seat.folded, seat.all_in = True, False
        if event.kind == ActionKind.ACTION_KIND_DRAW:
            self._throws(seat, event)

    @event.register
    def _(self, event: CardsDrawn) -> None:
        hand, seat = self.view.hand, self.in_hand(event.seat)
        hand.stock += event.reshuffled - event.count
        seat.card_count += event.count
        seat.owed -= event.count
        if event.cards:
            seat.cards.extend(event.cards)
            hand.own.positions.extend(event.positions)

    @event.register
    def _(self, event: PhaseBegan) -> None:
        hand = self.view.hand
        hand.phase = event.phase
        if event.phase == Phase.PHASE_DRAW:
            hand.high_bet = 0
            for seat in hand.seats:
                seat.bet = 0

    @event.register
    def _(self, event: UncalledBetReturned) -> None:
        self._pays(event.seat, -event.amount).bet -= event.amount
        self.view.hand.high_bet -= event.amount

    @event.register
    def _(self, event: OpeningJudged) -> None:
        self.in_hand(event.seat).split = event.split

    @event.register
    def _(self, event: HandTabled | HandShown) -> None:
        self.in_hand(event.seat).cards[:] = event.cards

    @event.register
    def _(self, event: PotAwarded) -> None:
        for share in event.shares:
            self._gets(share.seat, share.amount)

    @event.register
    def _(self, event: StakeReturned) -> None:
        self._pays(event.seat, -event.amount).bet = 0

    @event.register
    def _(self, event: HandEnded) -> None:
        self.view.hand.phase = Phase.PHASE_OVER
        self.view.hand.outcome = event.outcome
        self.view.carried = event.carried

    @event.register
    def _(self, event: RulesProposed) -> None:
        proposal = ProposalView(
            proposal_id=event.proposal_id,
            seat=event.seat,
            player=event.player,
            changes=event.changes,
            agreed=[event.seat],
            remaining_ms=event.open_ms,
        )
        self.view.proposal.CopyFrom(proposal)

    @event.register
    def _(self, event: RulesAgreed) -> None:
        self.view.proposal.agreed[:] = sorted([*self.view.proposal.agreed, event.seat])

    @event.register
    def _(self, _event: RulesAccepted) -> None:
        self.view.proposal.accepted, self.view.proposal.remaining_ms = True, 0

    @event.register
    def _(self, event: RulesLapsed | RulesChanged) -> None:
        self.view.ClearField("proposal")
        if isinstance(event, RulesChanged):
            for change in event.changes:
                self.view.config.options[change.option] = change.after

    @event.register
    def _(self, event: TablePaused | TableResumed | TableClosing | TableClosed) -> None:
        self.view.status = STATUS[type(event)]

    @event.register
    def _(self, event: CarriedReturned) -> None:
        self.view.carried = 0
        for share in event.shares:
            for seat in self.view.seats:
                seat.stack += share.amount if share.HasField("seat") and share.seat == seat.seat else 0

    @event.register
    def _(
        self,
        event: SatOut
        | SatIn
        | SeatPresent
        | TopUpAsked
        | ToppedUp
        | WaitingJoined
        | WaitingLeft
        | SeatOffered,
    ) -> None:
        seats_changed(self.view, event)

    @event.register
    def _(self, event: TimeBankUsed | TimeBankReturned) -> None:
        for seat in self.view.seats:
            if seat.seat == event.seat:
                seat.time_banks = event.left

    @event.register
    def _(self, event: PreActionSet | PreActionEnded) -> None:
        own = self.view.hand.own
        own.ClearField("pre_action")
        if isinstance(event, PreActionSet):
            own.pre_action.CopyFrom(event.pre_action)

    def _seated(self, seats: Iterable[SeatView]) -> None:
        kept = [SeatView.FromString(seat.SerializeToString()) for seat in seats]
        del self.view.seats[:]
        self.view.seats.extend(kept)

    def _pays(self, number: int, amount: int) -> HandSeatView:
        """Chips of a seat into the pot; a negative amount comes back."""
        seat = self._gets(number, -amount)
        seat.paid += amount
        return seat

    def _gets(self, number: int, amount: int) -> HandSeatView:
        """Chips of the pot to a seat."""
        seat = self.in_hand(number)
        seat.stack += amount
        seat.all_in = not seat.folded and seat.stack == 0
        self.view.hand.pot -= amount
        for own in self.view.seats:
            if own.seat == number:
                own.stack = seat.stack
        return seat

    def _note_opener(self, event: SeatActed) -> None:
        """Without a requirement who bet first, with live antes who raised first (`RULES.md B5`)."""
        hand = self.view.hand
        first_round = hand.phase in (Phase.PHASE_OPENING, Phase.PHASE_FIRST_ROUND)
        live_raise = (
            event.kind == ActionKind.ACTION_KIND_RAISE and rule_of(self.view.config, "ante.live") == "true"
        )
        opens = event.kind in FIRST_BETS or live_raise
        if first_round and opens and not hand.HasField("opener"):
            hand.opener = event.seat

    def _throws(self, seat: HandSeatView, event: SeatActed) -> None:
        seat.discarded = seat.owed = event.discarded
        seat.card_count -= event.discarded
        if not event.discards:
            return
        own = self.view.hand.own
        kept = [
            (card, position)
            for card, position in zip(seat.cards, own.positions, strict=True)
            if card not in event.discards
        ]
        seat.cards[:] = [card for card, _ in kept]
        own.positions[:] = [position for _, position in kept]
        own.discards[:] = event.discards
