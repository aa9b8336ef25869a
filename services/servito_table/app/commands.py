"""What may be asked of a table: imperative, frozen. What follows from each is in `decide.py`.

Those that name a turn are void once it is over. Who asks is part of the command; whether he may is for `rpc`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import get_args

from servito_core.commands import Command
from servito_core.record import record
from servito_table.app.acting_events import PreActionKind


@dataclass(frozen=True, slots=True)
class Sit:
    """Take `seat` (None: the lowest free one) with `buy_in` chips."""

    player: str
    seat: int | None
    buy_in: int


@dataclass(frozen=True, slots=True)
class Stand:
    """Leave the table with all chips: now, or when the hand that the seat was dealt into is over."""

    player: str


@record
class Act:
    """Act in `turn`. `for_seat` makes the core's command once the seat of the player is known."""

    player: str
    turn: int
    kind: str
    for_seat: Callable[[int], Command]
    hand: str = ""
    """The id of the hand; "" leaves it to the turn."""
    lineage: int = 0
    """Of the version with which the turn began; 0: not known."""


@dataclass(frozen=True, slots=True)
class PauseTable:
    """Let no new hand begin."""

    player: str


@dataclass(frozen=True, slots=True)
class ResumeTable:
    """Let hands begin again."""

    player: str


@dataclass(frozen=True, slots=True)
class CloseTable:
    """End the table for good, when no hand runs any more."""

    player: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Let no new hand begin because of maintenance, or no longer; nothing to whether its owner paused it."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetPreAction:
    """Say what the seat does when its turn comes, in the hand of that id; `turn` is the one of now. Without a
    `kind`: take it back.
    """

    player: str
    hand: str
    turn: int
    kind: PreActionKind | None
    amount: int = 0


@dataclass(frozen=True, slots=True)
class SetEntropy:
    """Contribute `entropy` to the order of the cards from the next hand on; empty: nothing any more."""

    player: str
    entropy: bytes


@dataclass(frozen=True, slots=True)
class RetireTable:
    """End the table as its owner would, if nobody sits or waits there: its template has one too many."""


@record
class GoOn:
    """Do what the table waits for without a player in `turn`: bring the cards, or begin the next hand."""

    turn: int


@dataclass(frozen=True, slots=True)
class Expire:
    """The deadline of `turn` has passed: act for the seat, or go on."""

    turn: int


@dataclass(frozen=True, slots=True)
class RestoreClock:
    """The clock of `turn` ran out, and through an outage before: begin it anew with `ms`."""

    turn: int
    ms: int


@dataclass(frozen=True, slots=True)
class ProposeRules:
    """Propose other values of options, by their names in RULES.md part B."""

    player: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AnswerProposal:
    """Agree to the open proposal of that number, or refuse it."""

    player: str
    proposal: int
    agree: bool


@dataclass(frozen=True, slots=True)
class EndProposal:
    """The time of the proposal of that number is over."""

    proposal: int


@dataclass(frozen=True, slots=True)
class SitOut:
    """Be not dealt in from the next hand on."""

    player: str


@dataclass(frozen=True, slots=True)
class SitIn:
    """Be dealt in again."""

    player: str


@dataclass(frozen=True, slots=True)
class TopUp:
    """Add `amount` chips to the stack: now, or when the hand that the seat was dealt into is over."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class JoinWaitingList:
    """Wait for a seat."""

    player: str


@dataclass(frozen=True, slots=True)
class LeaveWaitingList:
    """Wait no longer."""

    player: str


@dataclass(frozen=True, slots=True)
class EndIdle:
    """The seat did not play for as long as it may."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndOffer:
    """The time is over for which the seat was held for who waited."""

    seat: int


Seats = SitOut | SitIn | TopUp | JoinWaitingList | LeaveWaitingList | EndIdle | EndOffer
"""Commands about seats and the waiting list, besides sitting down and standing up."""
Course = PauseTable | ResumeTable | CloseTable | RetireTable | Hold
"""Commands of the table's owner, of what keeps tables open for him, and of maintenance."""
Beside = Sit | SetPreAction | SetEntropy | ProposeRules | AnswerProposal | EndProposal | Course | Seats
"""Commands that are nothing to a running hand."""
TableCommand = Act | Stand | GoOn | Expire | RestoreClock | Beside
ASIDE = frozenset((Stand, *get_args(Beside)))
"""Commands that leave turn and deadline as they are where the table waits for the same as before."""
