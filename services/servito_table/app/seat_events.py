"""What happens to seats besides their being taken and left, and to the list of those who wait for one.

Past tense, frozen, complete, like the rest of `events`. Stored and shown in one form (`messages.seats`);
folded by `evolve_seats`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Absence(StrEnum):
    """Why a seat sits out; the names are those of the proto's SitOutReason."""

    ASKED = "asked"
    AWAY = "away"
    """Too many of its turns in a row expired."""


@dataclass(frozen=True, slots=True)
class SatOut:
    """The seat is not dealt in from the next hand on."""

    seat: int
    reason: Absence


@dataclass(frozen=True, slots=True)
class SatIn:
    """The seat is dealt in again from the next hand on, and none of its expired turns counts any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatPresent:
    """The player acted again after turns that expired; none of them counts any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class TopUpAsked:
    """So many chips in all are to be put in when the hand is over."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class ToppedUp:
    """So many chips came into play in front of the seat, maybe none; nothing is to be put in any more."""

    seat: int
    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class WaitingJoined:
    """The player is the last in the waiting list."""

    player: str


class Unlisted(StrEnum):
    """Why somebody is no longer in the waiting list; the names are those of the proto's WaitingReason."""

    LEFT = "left"
    LAPSED = "lapsed"
    """He did not take the seat that was held for him."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class WaitingLeft:
    """The player waits no longer; no seat is held for him any more."""

    player: str
    reason: Unlisted


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """The free seat is held for this player of the waiting list, for so long."""

    seat: int
    player: str
    open_ms: int


SeatsEvent = SatOut | SatIn | SeatPresent | TopUpAsked | ToppedUp | WaitingJoined | WaitingLeft | SeatOffered
