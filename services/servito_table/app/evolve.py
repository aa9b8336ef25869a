"""Events move a table's state; nothing else does. Folding all events of a table gives its state.

Total and without checks: an event that was decided is a fact. What a hand does with its own events is the
core's; `with_hand` is for who has the new state of the hand already, as `decide` does, and gives what `fold`
gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from servito_core.deals import after
from servito_core.events import HandEnded, HandStarted, PlayerLeft, TurnExpired
from servito_core.evolve import begin
from servito_core.evolve import evolve as evolve_hand
from servito_table.app.acting_events import ActingEvent, BankEvent, ClockRestored
from servito_table.app.config import rules_of
from servito_table.app.deal_events import CommittedEvent, EntropySet
from servito_table.app.entropy import contributing, renewed
from servito_table.app.events import (
    CarriedReturned,
    ConsentEvent,
    CourseEvent,
    Pause,
    PlayerSat,
    PlayerStood,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
)
from servito_table.app.evolve_seats import expired, seats_changed, unlist, vacated
from servito_table.app.pre_actions import wanting
from servito_table.app.seat_events import SeatsEvent
from servito_table.app.stakes import stakes_after
from servito_table.app.state import Proposal, Seated, deals_of
from servito_table.app.status import Status
from servito_table.app.time_bank import banked, dealt, kept, with_banks, without

if TYPE_CHECKING:
    from servito_core.events import Event
    from servito_core.state import HandState
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState


def fold(state: TableState, events: Iterable[TableEvent]) -> TableState:
    """The state after all of `events`."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: TableState, event: TableEvent) -> TableState:
    """The state after `event`; the given state stays as it is."""
    if isinstance(event, (PlayerSat, PlayerStood, HandStarted)):
        table = state.copied()
        if isinstance(event, PlayerSat):
            sat = Seated(event.seat, event.player, event.buy_in, deals_of(state))
            seats = (*state.seats, with_banks(state, sat, event.time_banks))
            table.seats = tuple(sorted(seats, key=lambda seated: seated.seat))
            table.banks_left = without(state, event.player)
            unlist(table, event.player)
        elif isinstance(event, PlayerStood):
            table.banks_left = kept(state, event.player)
            vacated(table, event.seat)
        else:
            table.hand = begin(state.rules, event)
            table.seats = renewed(dealt(state, event.seats), event.seats)
        return table
    change = _CHANGES.get(type(event))
    if change is not None:
        return change(state.copied(), event)
    if state.hand is None:
        raise ValueError(f"{type(event).__name__} before the first hand of the table")
    of_hand = cast("Event", event)
    return with_hand(state, (of_hand,), evolve_hand(state.hand, of_hand))


def with_hand(state: TableState, events: Iterable[Event], hand: HandState) -> TableState:
    """The state after `events`, which led the hand to `hand`; the given state stays as it is."""
    table = state.copied()
    table.hand = hand
    for event in events:
        change = _OF_HAND.get(type(event))
        if change is not None:
            change(table, event)
    return table


def _went_on(table: TableState, event: CourseEvent) -> TableState:
    """The course of a table; `table` is a copy of our own."""
    if isinstance(event, CarriedReturned):
        back = {share.seat: share.amount for share in event.shares}
        table.seats = tuple(replace(own, stack=own.stack + back.get(own.seat, 0)) for own in table.seats)
        table.between = replace(table.between, carried=0)
        table.stakes = ()
    elif isinstance(event, (TablePaused, TableResumed)) and event.reason is Pause.MAINTENANCE:
        table.held = isinstance(event, TablePaused)
    else:
        table.status = _STATUS[type(event)]
    return table


def _consented(table: TableState, event: ConsentEvent) -> TableState:
    """House rules: a proposal comes, is agreed to, and goes; `table` is a copy of our own."""
    held = table.proposal
    if isinstance(event, RulesProposed):
        table.proposal = Proposal(event.number, event.seat, event.player, event.changes, (event.seat,))
        table.proposals = event.number
    elif isinstance(event, RulesAgreed) and held is not None:
        table.proposal = replace(held, agreed=tuple(sorted((*held.agreed, event.seat))))
    elif isinstance(event, RulesAccepted) and held is not None:
        table.proposal = replace(held, accepted=True)
    elif isinstance(event, (RulesLapsed, RulesChanged)):
        table.proposal = None
    if isinstance(event, RulesChanged):
        agreed = {change.option: change.after for change in event.changes}
        table.config = replace(table.config, options={**table.config.options, **agreed})
        table.rules = rules_of(table.config)
        # No pot is carried: what the last deal hands on are the button and the count, not its opening level.
        table.between = replace(table.between, requirement="", raised=False, dues={}, others_due=0)
    return table


def _beside(table: TableState, event: ActingEvent | EntropySet) -> TableState:
    """What concerns one seat; `table` is a copy of our own."""
    table.seats = tuple(_own(each, event) if each.seat == event.seat else each for each in table.seats)
    return table


def _own(own: Seated, event: ActingEvent | EntropySet) -> Seated:
    if isinstance(event, ClockRestored):
        return own  # clocks are the commit's
    if isinstance(event, EntropySet):
        return contributing(own, event)
    return banked(own, event) if isinstance(event, BankEvent) else wanting(own, event)


def _published(table: TableState, _event: CommittedEvent) -> TableState:
    """What the dealer is bound to is in the stream of events; it binds the dealer, not the table."""
    return table


def _left(table: TableState, event: PlayerLeft) -> None:
    table.seats = tuple(
        replace(seated, leaving=True) if seated.seat == event.seat else seated for seated in table.seats
    )


def _settled(table: TableState, _event: HandEnded) -> None:
    """The stacks of the ended hand go back to the seats, the rest to the next deal."""
    hand = cast("HandState", table.hand)  # of which the event is
    stacks = {player.seat: player.stack for player in hand.players}
    table.seats = tuple(
        replace(seated, stack=stacks.get(seated.seat, seated.stack)) for seated in table.seats
    )
    table.between = after(table.between, hand)
    names = {seated.seat: seated.player for seated in table.seats}
    table.stakes = stakes_after(hand, names, table.stakes)


_CHANGES: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    **dict.fromkeys(get_args(CourseEvent), _went_on),
    **dict.fromkeys(get_args(ConsentEvent), _consented),
    **dict.fromkeys(get_args(SeatsEvent), seats_changed),
    **dict.fromkeys((*get_args(ActingEvent), EntropySet), _beside),
    **dict.fromkeys(get_args(CommittedEvent), _published),
}
"""What the table's own events do to a copy, but for those about taking and leaving seats."""
_OF_HAND: Final[dict[type, Callable[[TableState, Any], None]]] = {
    PlayerLeft: _left,
    TurnExpired: expired,
    HandEnded: _settled,
}
"""What events of a hand, which has them behind it, do to the table besides; the others do nothing."""
_STATUS: Final = {
    TablePaused: Status.PAUSED,
    TableResumed: Status.OPEN,
    TableClosing: Status.CLOSING,
    TableClosed: Status.CLOSED,
}
