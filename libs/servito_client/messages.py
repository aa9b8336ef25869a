"""The words of the table's protocol as the SDK speaks them: its messages, and the union of its events.

Here: names and how an event is taken out of its envelope. The meaning of every field is written in
protos/servito/table/v1, and nothing is copied from there. Changes with the events of table.proto.
"""

from __future__ import annotations

from servito.table.v1.table_pb2 import (
    Action,
    ActionKind,
    AntePosted,
    BlindKind,
    CardOpening,
    CardsDealt,
    CardsDrawn,
    CarriedReturned,
    CarriedShare,
    CheckWord,
    ClockRestored,
    DeckCommitted,
    EntropySet,
    GetProofsResponse,
    HandEnded,
    HandEvent,
    HandPlayer,
    HandRecord,
    HandSeatView,
    HandShown,
    HandStarted,
    HandSummary,
    HandTabled,
    HandView,
    LapseReason,
    LegalAction,
    MaintenanceChange,
    Offer,
    OpenersFound,
    OpeningJudged,
    OpeningProved,
    Outcome,
    OwnHandView,
    PauseReason,
    Phase,
    PhaseBegan,
    PlayerLeaving,
    PlayerSat,
    PlayerStood,
    PotAwarded,
    PreAction,
    PreActionEnd,
    PreActionEnded,
    PreActionKind,
    PreActionSet,
    ProposalView,
    ReentryPaid,
    RefillCommitted,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
    SatIn,
    SatOut,
    SeatActed,
    SeatOffered,
    SeatPresent,
    SeatView,
    SitOutReason,
    StakeReturned,
    StandReason,
    TableClosed,
    TableClosing,
    TableConfig,
    TableEvent,
    TablePaused,
    TableResumed,
    TableStatus,
    TableSummary,
    TableView,
    TemplateView,
    TimeBankReturned,
    TimeBankUsed,
    ToppedUp,
    TopUpAsked,
    TurnExpired,
    UncalledBetReturned,
    WaitingJoined,
    WaitingLeft,
    WaitingReason,
    WaitingView,
)

HandProofs = GetProofsResponse
"""What the dealer says that it was bound to, and what opens cards of a hand."""

Event = (
    PlayerSat
    | PlayerStood
    | HandStarted
    | AntePosted
    | CardsDealt
    | SeatActed
    | TurnExpired
    | PlayerLeaving
    | UncalledBetReturned
    | PhaseBegan
    | CardsDrawn
    | HandShown
    | PotAwarded
    | HandEnded
    | OpenersFound
    | ReentryPaid
    | OpeningJudged
    | HandTabled
    | OpeningProved
    | StakeReturned
    | RulesProposed
    | RulesAgreed
    | RulesRefused
    | RulesAccepted
    | RulesLapsed
    | RulesChanged
    | TablePaused
    | TableResumed
    | TableClosing
    | CarriedReturned
    | TableClosed
    | SatOut
    | SatIn
    | SeatPresent
    | TopUpAsked
    | ToppedUp
    | WaitingJoined
    | WaitingLeft
    | SeatOffered
    | TimeBankUsed
    | TimeBankReturned
    | ClockRestored
    | PreActionSet
    | PreActionEnded
    | DeckCommitted
    | RefillCommitted
    | EntropySet
)
"""What happened, as the receiver may see it; `match` on the class."""


def event_of(envelope: TableEvent) -> Event | None:
    """The event inside; None for a kind that is newer than this client, which a client may leave out."""
    kind = envelope.WhichOneof("event")
    return None if kind is None else getattr(envelope, kind)


def hand_runs(table: TableView) -> bool:
    """Whether a hand has begun and is not over."""
    return table.hand.phase not in (Phase.PHASE_UNSPECIFIED, Phase.PHASE_OVER)


__all__ = [
    "Action",
    "ActionKind",
    "AntePosted",
    "BlindKind",
    "CardOpening",
    "CardsDealt",
    "CardsDrawn",
    "CarriedReturned",
    "CarriedShare",
    "CheckWord",
    "ClockRestored",
    "DeckCommitted",
    "EntropySet",
    "Event",
    "HandEnded",
    "HandEvent",
    "HandPlayer",
    "HandProofs",
    "HandRecord",
    "HandSeatView",
    "HandShown",
    "HandStarted",
    "HandSummary",
    "HandTabled",
    "HandView",
    "LapseReason",
    "LegalAction",
    "MaintenanceChange",
    "Offer",
    "OpenersFound",
    "OpeningJudged",
    "OpeningProved",
    "Outcome",
    "OwnHandView",
    "PauseReason",
    "Phase",
    "PhaseBegan",
    "PlayerLeaving",
    "PlayerSat",
    "PlayerStood",
    "PotAwarded",
    "PreAction",
    "PreActionEnd",
    "PreActionEnded",
    "PreActionKind",
    "PreActionSet",
    "ProposalView",
    "ReentryPaid",
    "RefillCommitted",
    "RuleChange",
    "RulesAccepted",
    "RulesAgreed",
    "RulesChanged",
    "RulesLapsed",
    "RulesProposed",
    "RulesRefused",
    "SatIn",
    "SatOut",
    "SeatActed",
    "SeatOffered",
    "SeatPresent",
    "SeatView",
    "SitOutReason",
    "StakeReturned",
    "StandReason",
    "TableClosed",
    "TableClosing",
    "TableConfig",
    "TablePaused",
    "TableResumed",
    "TableStatus",
    "TableSummary",
    "TableView",
    "TemplateView",
    "TimeBankReturned",
    "TimeBankUsed",
    "TopUpAsked",
    "ToppedUp",
    "TurnExpired",
    "UncalledBetReturned",
    "WaitingJoined",
    "WaitingLeft",
    "WaitingReason",
    "WaitingView",
    "event_of",
    "hand_runs",
]
