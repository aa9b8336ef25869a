"""What happens at a table besides its hands: past tense, frozen, complete.

The events of a hand are the core's. A player who leaves in the middle of a hand is the core's `PlayerLeft`,
folded or not: the seat empties with `PlayerStood` when the hand is over. Stored by `adapters.codec`, shown by
`adapters.views`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from servito_core.events import Event
from servito_table.app.acting_events import ActingEvent
from servito_table.app.deal_events import DealEvent
from servito_table.app.seat_events import SeatsEvent


@dataclass(frozen=True, slots=True)
class PlayerSat:
    """`player` took `seat` with `buy_in` chips and is dealt in from the next hand on."""

    seat: int
    player: str
    buy_in: int
    time_banks: int | None = None
    """Those that he has; None: all of them."""


class Stood(StrEnum):
    """Why a player has no seat any more; the names are those of the proto's StandReason."""

    LEFT = "left"
    """He wanted to; the proto's 0."""
    CLOSED = "closed"
    REMOVED = "removed"
    """His seat was idle for too long."""


@dataclass(frozen=True, slots=True)
class PlayerStood:
    """`player` left `seat` with `cashed_out` chips, which are no longer in play."""

    seat: int
    player: str
    cashed_out: int
    reason: Stood = Stood.LEFT


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One option and its values before and after, as texts that a configuration may have."""

    option: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RulesProposed:
    """The player proposes other rules, and agrees to them himself."""

    number: int
    seat: int
    player: str
    changes: tuple[RuleChange, ...]
    open_ms: int
    """How long it stays open."""


@dataclass(frozen=True, slots=True)
class RulesAgreed:
    """The seat agrees to the proposal."""

    number: int
    seat: int


@dataclass(frozen=True, slots=True)
class RulesRefused:
    """The seat does not; `RulesLapsed` follows."""

    number: int
    seat: int


@dataclass(frozen=True, slots=True)
class RulesAccepted:
    """Everybody agreed: the change comes with the next hand that begins without a carried pot."""

    number: int


class Lapse(StrEnum):
    """Why a proposal came to nothing; the names are those of the proto's LapseReason."""

    REFUSED = "refused"
    LEFT = "left"
    EXPIRED = "expired"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class RulesLapsed:
    """The proposal came to nothing."""

    number: int
    reason: Lapse


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """From here on the table plays by the rules that were agreed; `HandStarted` follows."""

    number: int
    changes: tuple[RuleChange, ...]


class Pause(StrEnum):
    """Why no hand begins; the names are those of the proto's PauseReason."""

    OWNER = "owner"
    """The table's owner wanted it; the proto's 0."""
    MAINTENANCE = "maintenance"


@dataclass(frozen=True, slots=True)
class TablePaused:
    """No hand begins from here on."""

    reason: Pause = Pause.OWNER


@dataclass(frozen=True, slots=True)
class TableResumed:
    """Nothing of that reason keeps hands from beginning any more."""

    reason: Pause = Pause.OWNER


@dataclass(frozen=True, slots=True)
class TableClosing:
    """Nobody sits down any more; `TableClosed` follows when no hand runs."""


@dataclass(frozen=True, slots=True)
class CarriedShare:
    """What a player had in the carried pot; without a `seat` his chips leave play at once."""

    player: str
    seat: int | None
    amount: int


@dataclass(frozen=True, slots=True)
class CarriedReturned:
    """The carried pot of a table that closes goes back to those whose it is."""

    shares: tuple[CarriedShare, ...]


@dataclass(frozen=True, slots=True)
class TableClosed:
    """Everybody is cashed out; nothing happens at the table any more."""


CourseEvent = TablePaused | TableResumed | TableClosing | CarriedReturned | TableClosed
ConsentEvent = RulesProposed | RulesAgreed | RulesRefused | RulesAccepted | RulesLapsed | RulesChanged
TableEvent = (
    PlayerSat | PlayerStood | ActingEvent | CourseEvent | ConsentEvent | SeatsEvent | DealEvent | Event
)
