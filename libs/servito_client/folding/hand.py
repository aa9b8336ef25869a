"""The running hand of a view: its phase, bets, cards, opener, and what the own seat decided beforehand."""

from __future__ import annotations

from functools import singledispatch

from servito_client.folding.chips import gets, in_hand, pays
from servito_client.messages import (
    ActionKind,
    AntePosted,
    CardsDealt,
    CardsDrawn,
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
    PotAwarded,
    PreActionEnded,
    PreActionSet,
    ReentryPaid,
    SeatActed,
    StakeReturned,
    TableView,
    UncalledBetReturned,
)
from servito_client.table_rules import rule_of

FIRST_BETS = frozenset({ActionKind.ACTION_KIND_OPEN, ActionKind.ACTION_KIND_BET})
WAGERS = FIRST_BETS | {ActionKind.ACTION_KIND_RAISE, ActionKind.ACTION_KIND_POST_BLIND}
"""What makes a new highest total."""
PAYING = WAGERS | {ActionKind.ACTION_KIND_CALL, ActionKind.ACTION_KIND_COVER_BLIND}
"""What brings chips into the pot up to a total of the round."""


@singledispatch
def fold_hand(_event: Event, _view: TableView) -> None:
    """Folds one event into the view."""


@fold_hand.register
def _(event: HandStarted, view: TableView) -> None:
    hand = view.hand
    hand.Clear()
    view.carried = 0
    hand.hand_id, hand.number, hand.button = event.hand_id, event.number, event.button
    hand.lowest_rank, hand.requirement, hand.raised = event.lowest_rank, event.requirement, event.raised
    hand.phase = Phase.PHASE_DEAL
    hand.pot = hand.carried = event.carried
    hand.stock = 4 * (15 - event.lowest_rank)
    for seat, stack in zip(event.seats, event.stacks, strict=True):
        hand.seats.add(seat=seat, stack=stack)
    if view.HasField("own_seat") and view.own_seat in event.seats:
        hand.own.CopyFrom(OwnHandView())


@fold_hand.register
def _(event: AntePosted | ReentryPaid, view: TableView) -> None:
    seat = pays(view, event.seat, event.amount)
    if isinstance(event, AntePosted) and rule_of(view.config, "ante.live") == "true":
        seat.bet += event.amount
        view.hand.high_bet = max(view.hand.high_bet, seat.bet)


@fold_hand.register
def _(event: CardsDealt, view: TableView) -> None:
    hand = view.hand
    hand.stock -= 5 * len(hand.seats)
    for seat in hand.seats:
        seat.card_count = 5
    if event.cards:
        in_hand(view, view.own_seat).cards[:] = event.cards
        hand.own.positions[:] = event.positions


@fold_hand.register
def _(event: OpenersFound, view: TableView) -> None:
    view.hand.phase = Phase.PHASE_OPENING
    if event.may_open:
        view.hand.own.may_open = True


@fold_hand.register
def _(event: SeatActed, view: TableView) -> None:
    hand, seat = view.hand, in_hand(view, event.seat)
    if event.kind in PAYING:
        pays(view, event.seat, event.to - seat.bet)
        seat.bet = event.to
    if event.kind in WAGERS:
        _note_opener(view, event)
        hand.high_bet = event.to
    if event.kind == ActionKind.ACTION_KIND_OPEN:
        hand.phase = Phase.PHASE_FIRST_ROUND
    if event.kind == ActionKind.ACTION_KIND_FOLD:
        seat.folded, seat.all_in = True, False
    if event.kind == ActionKind.ACTION_KIND_DRAW:
        _throws(view, seat, event)


@fold_hand.register
def _(event: CardsDrawn, view: TableView) -> None:
    hand, seat = view.hand, in_hand(view, event.seat)
    hand.stock += event.reshuffled - event.count
    seat.card_count += event.count
    seat.owed -= event.count
    if event.cards:
        seat.cards.extend(event.cards)
        hand.own.positions.extend(event.positions)


@fold_hand.register
def _(event: PhaseBegan, view: TableView) -> None:
    hand = view.hand
    hand.phase = event.phase
    if event.phase == Phase.PHASE_DRAW:
        hand.high_bet = 0
        for seat in hand.seats:
            seat.bet = 0


@fold_hand.register
def _(event: UncalledBetReturned, view: TableView) -> None:
    pays(view, event.seat, -event.amount).bet -= event.amount
    view.hand.high_bet -= event.amount


@fold_hand.register
def _(event: OpeningJudged, view: TableView) -> None:
    in_hand(view, event.seat).split = event.split


@fold_hand.register
def _(event: HandTabled | HandShown, view: TableView) -> None:
    in_hand(view, event.seat).cards[:] = event.cards


@fold_hand.register
def _(event: PotAwarded, view: TableView) -> None:
    for share in event.shares:
        gets(view, share.seat, share.amount)


@fold_hand.register
def _(event: StakeReturned, view: TableView) -> None:
    pays(view, event.seat, -event.amount).bet = 0


@fold_hand.register
def _(event: HandEnded, view: TableView) -> None:
    view.hand.phase = Phase.PHASE_OVER
    view.hand.outcome = event.outcome
    view.carried = event.carried


@fold_hand.register
def _(event: PreActionSet | PreActionEnded, view: TableView) -> None:
    own = view.hand.own
    own.ClearField("pre_action")
    if isinstance(event, PreActionSet):
        own.pre_action.CopyFrom(event.pre_action)


def _note_opener(view: TableView, event: SeatActed) -> None:
    """Without a requirement who bet first, with live antes who raised first (`RULES.md B5`)."""
    hand = view.hand
    first_round = hand.phase in (Phase.PHASE_OPENING, Phase.PHASE_FIRST_ROUND)
    live_raise = event.kind == ActionKind.ACTION_KIND_RAISE and rule_of(view.config, "ante.live") == "true"
    opens = event.kind in FIRST_BETS or live_raise
    if first_round and opens and not hand.HasField("opener"):
        hand.opener = event.seat


def _throws(view: TableView, seat: HandSeatView, event: SeatActed) -> None:
    seat.discarded = seat.owed = event.discarded
    seat.card_count -= event.discarded
    if not event.discards:
        return
    own = view.hand.own
    kept = [
        (card, position)
        for card, position in zip(seat.cards, own.positions, strict=True)
        if card not in event.discards
    ]
    seat.cards[:] = [card for card, _ in kept]
    own.positions[:] = [position for _, position in kept]
    own.discards[:] = event.discards
