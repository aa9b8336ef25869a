"""What happens at a table beside the acts: clocks that are prolonged, and what seats want to do beforehand.

Past tense, frozen, as all events. Those about pre-actions are told to their own seat alone
(`messages.own_events.PRIVATE`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class TimeBankUsed:
    """The clock of the seat ran out and was prolonged by `ms`: its turn goes on."""

    seat: int
    left: int
    ms: int


@dataclass(frozen=True, slots=True)
class TimeBankReturned:
    """The seat has a time bank back."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class ClockRestored:
    """The clock of the seat ran through an outage and got `ms` again: its turn goes on."""

    seat: int
    ms: int


class PreActionKind(StrEnum):
    """What a seat may want beforehand; the names are those of the proto's PreActionKind."""

    CHECK_OR_FOLD = "check_or_fold"
    """What costs nothing if that is legal, else a fold."""
    CALL = "call"
    """A call of exactly the amount."""


@dataclass(frozen=True, slots=True)
class PreAction:
    """What a seat does when its turn comes, in that betting round (1 or 2) of the hand of that number and in
    no other. `amount`: the chips that a call adds.
    """

    hand: int
    betting_round: int
    kind: PreActionKind
    amount: int = 0


class PreActionEnd(StrEnum):
    """Why a seat has no pre-action any more; the names are those of the proto's PreActionEnd."""

    DONE = "done"
    """Its turn came; the act follows."""
    DROPPED = "dropped"
    """It does not fit any more: a call costs another amount, or nothing of it is legal."""
    OVER = "over"
    """The betting round or the hand is over, or the seat is out of it."""
    TAKEN_BACK = "taken_back"


@dataclass(frozen=True, slots=True)
class PreActionSet:
    """The seat said what it does when its turn comes, in place of what it said before."""

    seat: int
    pre_action: PreAction


@dataclass(frozen=True, slots=True)
class PreActionEnded:
    """The seat has none any more."""

    seat: int
    reason: PreActionEnd


BankEvent = TimeBankUsed | TimeBankReturned
PreActionEvent = PreActionSet | PreActionEnded
ActingEvent = BankEvent | ClockRestored | PreActionEvent
