"""From a decision to what is committed: the commit, its fence, the answer, the money that moves.

Pure. `play.py` carries plans out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from servito_table.app.commands import (
    Act,
    AnswerProposal,
    CloseTable,
    EndIdle,
    EndOffer,
    EndProposal,
    Expire,
    JoinWaitingList,
    LeaveWaitingList,
    PauseTable,
    ProposeRules,
    RestoreClock,
    ResumeTable,
    SetEntropy,
    SetPreAction,
    Sit,
    SitIn,
    SitOut,
    Stand,
    TopUp,
)
from servito_table.app.commits import Answer, Commit, Fence
from servito_table.app.events import (
    CarriedReturned,
    PlayerSat,
    PlayerStood,
    RulesAccepted,
    RulesLapsed,
    RulesProposed,
)
from servito_table.app.seat_events import SeatOffered, ToppedUp
from servito_table.app.seat_waits import offer_wait, removal_wait, seat_waits
from servito_table.app.time_bank import may_prolong
from servito_table.app.waiting_list import place_of
from servito_table.app.waits import proposal_wait, wait_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_table.app.commands import TableCommand
    from servito_table.app.commits import Known, Request
    from servito_table.app.decide import Decision
    from servito_table.app.events import TableEvent


@dataclass(slots=True)
class Plan:
    """What is to be committed for a command; read-only."""

    commit: Commit
    at_once: bool
    """The table goes on by itself after it."""


def planned(known: Known, command: TableCommand, decision: Decision, request: Request | None) -> Plan:
    """The plan that makes `decision` about `command` true on the table as it is known."""
    state, wait, version = decision.state, decision.wait, known.version + 1
    telling = [event for event in decision.events if type(event) in _TELLING]
    if isinstance(command, Act):
        fence, fenced, answer = _fence_of_act(known, command), "", Answer(version)
    else:
        fence, fenced, answer = _fence(known, command), _fenced(command), _answer(command, version, decision)
    commit = Commit(
        before=known,
        state=state,
        events=decision.events,
        money=_money_moved(telling),
        wait_ms=None if decision.same_wait else wait.ms,
        answer=answer,
        fence=fence,
        fenced=fenced,
        waits=_proposal_waits(telling) + seat_waits(known, state, telling, fenced),
        request=request,
    )
    return Plan(commit, wait.at_once and not decision.same_wait)


def kind_of(command: TableCommand) -> str | None:
    """The word for a player's command, from a closed list; None for what the service does by itself."""
    if isinstance(command, Act):
        return command.kind
    return KINDS.get(type(command))


def _fence_of_act(known: Known, command: Act) -> Fence:
    """Who has a time bank left is not late before it was used: slow timers are no fault of his."""
    own = known.state.seat_of(command.player)
    return _NONE if own is not None and may_prolong(own) else _ACTION


def _fence(known: Known, command: TableCommand) -> Fence:
    if isinstance(command, AnswerProposal):
        return Fence.ACTION
    if isinstance(command, RestoreClock):
        return Fence.AGAIN
    if isinstance(command, Expire) and wait_of(known.state).seat is not None:
        return Fence.TURN
    return Fence.EXPIRY if isinstance(command, _EXPIRIES) else Fence.NONE


def _fenced(command: TableCommand) -> str:
    match command:
        case AnswerProposal() | EndProposal():
            return proposal_wait(command.proposal)
        case EndIdle(seat):
            return removal_wait(seat)
        case EndOffer(seat):
            return offer_wait(seat)
    return ""


def _answer(command: TableCommand, version: int, decision: Decision) -> Answer:
    events = decision.events
    if isinstance(command, Sit):
        return Answer(version, seat=next(event.seat for event in events if isinstance(event, PlayerSat)))
    if isinstance(command, Stand):
        out = (e.cashed_out for e in events if isinstance(e, PlayerStood) and e.player == command.player)
        return Answer(version, cashed_out=next(out, None))
    if isinstance(command, ProposeRules):
        return Answer(version, proposal=next(e.number for e in events if isinstance(e, RulesProposed)))
    if isinstance(command, TopUp):
        added = (e.amount for e in events if isinstance(e, ToppedUp) and e.player == command.player)
        return Answer(version, added=next(added, None))
    if isinstance(command, JoinWaitingList):
        return Answer(version, place=place_of(decision.state, command.player))
    return Answer(version)


def _proposal_waits(events: Iterable[TableEvent]) -> tuple[tuple[str, int], ...]:
    """The waits for answers to a proposal that begin, with their milliseconds, or end: 0."""
    waits: dict[str, int] = {}
    for event in events:
        if isinstance(event, RulesProposed):
            waits[proposal_wait(event.number)] = event.open_ms
        elif isinstance(event, (RulesAccepted, RulesLapsed)):
            waits[proposal_wait(event.number)] = 0
    return tuple(waits.items())


def _money_moved(events: Iterable[TableEvent]) -> tuple[tuple[str, int], ...]:
    """(player, chips) for all that came into play (positive) or left it (negative)."""
    moved = []
    for event in events:
        if isinstance(event, PlayerSat):
            moved.append((event.player, event.buy_in))
        elif isinstance(event, ToppedUp) and event.amount:
            moved.append((event.player, event.amount))
        elif isinstance(event, PlayerStood) and event.cashed_out:
            moved.append((event.player, -event.cashed_out))
        elif isinstance(event, CarriedReturned):
            moved += [(share.player, -share.amount) for share in event.shares if share.seat is None]
    return tuple(moved)


KINDS: Final = {
    Sit: "sit",
    Stand: "stand",
    SetPreAction: "set_pre_action",
    SetEntropy: "set_entropy",
    ProposeRules: "propose_rules",
    AnswerProposal: "answer_proposal",
    PauseTable: "pause_table",
    ResumeTable: "resume_table",
    CloseTable: "close_table",
    SitOut: "sit_out",
    SitIn: "sit_in",
    TopUp: "top_up",
    JoinWaitingList: "join_waiting_list",
    LeaveWaitingList: "leave_waiting_list",
}
"""The words for players' and owners' commands, besides those of acts."""
_EXPIRIES: Final = (Expire, EndProposal, EndIdle, EndOffer)
_NONE: Final = Fence.NONE
_ACTION: Final = Fence.ACTION
_TELLING: Final = frozenset(
    {
        PlayerSat,
        PlayerStood,
        ToppedUp,
        CarriedReturned,
        RulesProposed,
        RulesAccepted,
        RulesLapsed,
        SeatOffered,
    }
)
"""Events that say which money moved, and which waits beside the turn begin or end."""
