"""What a command does to a table: a pure decision, with questions to other services in between.

`decide` is a generator: it yields a Question whenever the rules need something from outside, is sent the
answer, and returns the Decision that one commit makes true. It raises TableRefused, and then nothing has
happened. All that follows from a command until the table waits again is one decision, except what follows
from cards: a hand that needs cards is committed first and only then asks for them (DECISIONS.md), so a
decision may end in a wait for cards, and cards are asked for at the beginning of a decision only.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from servito_core.commands import (
    ExpireTurn,
    Leave,
    SupplyOpeners,
    SupplyWinners,
    Void,
)
from servito_core.deals import start_hand
from servito_core.events import PlayerLeft
from servito_core.hand import play as play_hand
from servito_core.hand import waiting_for
from servito_core.refusals import Refused
from servito_core.state import CardsNeeded, HandState, OpenersNeeded, WinnersNeeded
from servito_table.app.acting_events import ClockRestored, TimeBankUsed
from servito_table.app.amnesty import restored
from servito_table.app.commands import (
    ASIDE,
    Act,
    AnswerProposal,
    CloseTable,
    EndIdle,
    EndOffer,
    EndProposal,
    Expire,
    GoOn,
    Hold,
    JoinWaitingList,
    LeaveWaitingList,
    PauseTable,
    ProposeRules,
    RestoreClock,
    ResumeTable,
    RetireTable,
    SetEntropy,
    SetPreAction,
    Sit,
    SitIn,
    SitOut,
    Stand,
    TopUp,
)
from servito_table.app.deal_events import Holder, Supplied
from servito_table.app.entropy import holders, set_entropy
from servito_table.app.evolve import fold, with_hand
from servito_table.app.house_rules import consent, due, left
from servito_table.app.lifecycle import course, settled
from servito_table.app.moment import check_hand, check_turn
from servito_table.app.pre_actions import next_step, pre_action
from servito_table.app.refusals import NotDue, TableReason, TableRefused
from servito_table.app.seating import departure, sit, standing
from servito_table.app.sitting_out import back, gone, presence, removed
from servito_table.app.time_bank import prolonged, returned
from servito_table.app.top_up import top_up
from servito_table.app.waiting_list import offered, queued
from servito_table.app.waits import Wait, WaitKind, entrants, wait_of

if TYPE_CHECKING:
    from servito_core.commands import Command
    from servito_table.app.commands import Beside, TableCommand
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState


@dataclass(frozen=True, slots=True)
class Question:
    """What `hand` needs from outside: cards from the dealer, or a judgement of the evaluator."""

    table_id: str
    hand: HandState
    needed: CardsNeeded | OpenersNeeded | WinnersNeeded
    holders: tuple[Holder, ...] = ()
    """Of a deal: who gets the cards, in the order of the hand's players."""


Cards = Supplied | Void
"""The dealer's answer; Void where it can never give one (RULES.md B8)."""
Judgement = SupplyOpeners | SupplyWinners | Void
"""The evaluator's; Void likewise."""


@dataclass(slots=True)
class Decision:
    """What one commit is to make true; read-only, not frozen because one is made with every action."""

    state: TableState
    events: tuple[TableEvent, ...]
    wait: Wait
    same_wait: bool
    """The wait of before goes on: its turn and its deadline stay. Where a clock was prolonged only its turn
    does.
    """


_PROLONGING = (TimeBankUsed, ClockRestored)
"""What comes first where a clock is prolonged: its turn stays."""
Deciding = Generator[Question, Cards | Judgement, Decision]
Step = tuple["TableState", "tuple[TableEvent, ...]"]
Stepping = Generator[Question, Cards | Judgement, Step]


def decide(state: TableState, command: TableCommand) -> Deciding:
    """Decide `command` on `state`; see the module. The seat to act keeps its turn when others only come and
    go.
    """
    try:
        if isinstance(command, (GoOn, Expire)):
            after, events = yield from _wait_ended(state, command)
        else:
            after, events = _asked(state, command)
        while True:
            while (question := _judgement_needed(after)) is not None:
                after, more = _answered(after, (yield question))
                events += more
            ended, wanted = next_step(after)
            if not ended:
                break
            after, events = fold(after, ended), events + ended
            if wanted is not None:
                after, more = _hand_moved(after, wanted)
                events += more
    except Refused as refused:
        raise TableRefused.of_hand(refused) from None
    after, events = _followed(after, events)
    wait = wait_of(after)
    same = type(command) in ASIDE and wait == wait_of(state)
    if isinstance(command, (Expire, RestoreClock)) and isinstance(more_time := events[0], _PROLONGING):
        wait = replace(wait, ms=more_time.ms)
    elif not same:
        after.turn = state.turn + 1
    return Decision(after, events, wait, same)


def _asked(state: TableState, command: Act | Stand | RestoreClock | Beside) -> Step:
    """What the command itself does, up to the first judgement that is needed."""
    match command:
        case Act():
            return _act(state, command)
        case Stand():
            return _stand(state, command)
        case RestoreClock():
            return _told(state, restored(state, command))
        case _:
            return _told(state, _beside_hands(state, command))


def _beside_hands(state: TableState, command: Beside) -> tuple[TableEvent, ...]:
    """What a command does that is nothing to a running hand."""
    events: tuple[TableEvent, ...]
    match command:
        case Sit():
            events = sit(state, command)
        case PauseTable() | ResumeTable() | CloseTable() | RetireTable() | Hold():
            events = course(state, command)
        case SetEntropy():
            events = set_entropy(state, command)
        case SetPreAction():
            events = (*back(state, command.player), *pre_action(state, command))
        case ProposeRules() | AnswerProposal() | EndProposal():
            events = consent(state, command)
        case SitOut() | SitIn():
            events = presence(state, command)
        case TopUp():
            events = top_up(state, command)
        case JoinWaitingList() | LeaveWaitingList() | EndOffer():
            events = queued(state, command)
        case EndIdle():
            events = removed(state, command)
    return events


def _act(state: TableState, command: Act) -> Step:
    own = state.seat_of(command.player)
    if own is None:
        raise TableRefused(TableReason.NOT_SEATED, "you have no seat at this table")
    if command.hand:
        check_hand(state, command.hand)
    if state.running is None:
        raise TableRefused(TableReason.HAND_NOT_RUNNING, "no hand is running at this table")
    if state.in_hand(own.seat) is None:
        raise TableRefused(TableReason.NOT_IN_HAND, "your seat was not dealt into this hand")
    check_turn(state, command.turn)
    after, events = _hand_moved(state, command.for_seat(own.seat))
    if own.missed:
        present = back(state, command.player)
        return fold(after, present), present + events
    return after, events


def _stand(state: TableState, command: Stand) -> Step:
    """At once where the seat has nothing to do with a running hand; else the hand keeps its chips until it is
    over.
    """
    own = standing(state, command.player)
    dealt = state.in_hand(own.seat)
    lapsed = left(state)
    state = fold(state, lapsed)
    if dealt is None:
        after, events = _told(state, (departure(own),))
    elif dealt.folded:
        after, events = _told(state, (PlayerLeft(own.seat),))
    else:
        after, events = _hand_moved(state, Leave(own.seat))
    return after, lapsed + events


def _wait_ended(state: TableState, command: GoOn | Expire) -> Stepping:
    """What the service itself does when a wait is over; NotDue for one that it cannot end."""
    check_turn(state, command.turn)
    hand, before = state.running, wait_of(state)
    if hand is None and before.kind is WaitKind.PAUSE:
        changed = due(state)
        table = fold(state, changed)
        started = start_hand(table.rules, entrants(table), table.between, len(table.seats))
        table = fold(table, started)
        back = returned(table)
        return fold(table, back), changed + started + back
    if hand is not None and before.kind is WaitKind.CARDS:
        needed = waiting_for(hand)
        if isinstance(needed, CardsNeeded):
            held = holders(state, hand) if needed.slot is None else ()
            return _answered(state, (yield Question(state.id, hand, needed, held)))
    if hand is not None and before.seat is not None and isinstance(command, Expire):
        if more_time := prolonged(state, before.seat):
            return _told(state, more_time)
        after, events = _hand_moved(state, ExpireTurn(before.seat))
        away = gone(after, before.seat)
        return fold(after, away), events + away
    raise NotDue


def _answered(state: TableState, answer: Cards | Judgement) -> Step:
    """What the answer to a question brings about; what the dealer was bound to is told before its cards."""
    if not isinstance(answer, Supplied):
        return _hand_moved(state, answer)
    after, events = _hand_moved(state, answer.cards)
    return after, answer.committed + events


def _followed(state: TableState, events: tuple[TableEvent, ...]) -> Step:
    """What follows where no hand runs, or somebody waits for a seat."""
    if state.running is None and (follows := settled(state)):
        events += follows
        state = fold(state, follows)
    if state.waiting and (offers := offered(state)):
        events += offers
        state = fold(state, offers)
    return state, events


def _told(state: TableState, events: tuple[TableEvent, ...]) -> Step:
    return fold(state, events), events


def _hand_moved(state: TableState, command: Command) -> Step:
    running = state.running
    if running is None:
        raise ValueError("no hand is running")
    events, hand = play_hand(running, command)
    return with_hand(state, events, hand), events


def _judgement_needed(state: TableState) -> Question | None:
    hand = state.running
    if hand is None or hand.to_act is not None:
        return None
    needed = waiting_for(hand)
    return Question(state.id, hand, needed) if isinstance(needed, (OpenersNeeded, WinnersNeeded)) else None
