"""What happened in a hand: past tense, frozen, complete. Folding the events of a hand gives its state.

Events hold every card; who may see what is decided by `view.py` alone. An event that stores an answer from outside
(cards, openers, winners) makes replay independent of dealer and evaluator. Amounts are integer chips. Stored and public
forms are mapped in `servito_wire.table`; a new event needs both, and a case in `evolve.py` and `view.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from servito_core.cards import Card
from servito_core.values import HandValue


class Outcome(StrEnum):
    """How a deal ended; the names are those of the hand scripts."""

    SHOWDOWN = "showdown"
    UNCONTESTED = "uncontested"
    PASSED_OUT = "passed_out"
    CARRIED_OVER = "carried_over"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class HandStarted:
    """A deal began. `seats` are those dealt in, in speaking order: from the button's left, the button last."""

    number: int
    button: int
    lowest_rank: int
    requirement: str
    raised: bool
    carried: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AntePosted:
    """`seat` paid `amount` into the pot, less than the ante when its stack was short."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Five cards to each seat in dealing order; `cards[i]` and `positions[i]` belong to `HandStarted.seats[i]`."""

    cards: tuple[tuple[Card, ...], ...]
    positions: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class OpenersFound:
    """Which seats may open and with which cards. Hidden: a seat learns only about itself."""

    openers: Mapping[int, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class TurnExpired:
    """The clock of `seat` ran out; the action taken for it follows."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """The player of `seat` left during the hand; a fold follows unless the seat is all-in."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    seat: int


@dataclass(frozen=True, slots=True)
class Opened:
    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Checked:
    seat: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class BetMade:
    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Called:
    """`to` is the seat's new total of the round; below the highest total when the call put it all-in."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class RaisedTo:
    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Folded:
    seat: int


@dataclass(frozen=True, slots=True)
class UncalledBetReturned:
    """The part of a bet that nobody matched went back to `seat` before pots were formed (RULES.md B3)."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class DrawBegan:
    """The first betting round is over; live seats draw in speaking order."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """`seat` threw these cards away and is owed as many; none: it stood pat. Known to its owner, the number to all."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Cards for `seat` out of entry `entry` of the dealer's record.

    `deferred`: the part beyond three, dealt after the last seat drew (RULES.md B4). `shuffled`: the sizes of the
    refills that became the stock meanwhile, each of dead cards in the order of `CardsNeeded.refills`.
    """

    seat: int
    entry: int
    cards: tuple[Card, ...]
    positions: tuple[int, ...]
    deferred: bool
    shuffled: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SecondRoundBegan:
    """Everybody has his cards; the second betting round starts."""


@dataclass(frozen=True, slots=True)
class HandShown:
    """`seat` tabled its cards at the showdown, in show order."""

    seat: int
    cards: tuple[Card, ...]
    value: HandValue


@dataclass(frozen=True, slots=True)
class PotAwarded:
    """Pot `index` (0 is the main pot) of `amount` chips went to `winners`; `shares` sum to the amount."""

    index: int
    amount: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    shares: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class HandEnded:
    """The deal is over. `carried` chips stay in the middle; `requirement` and `raised` hold for the next deal."""

    outcome: Outcome
    carried: int
    requirement: str
    raised: bool


Event = (
    HandStarted
    | AntePosted
    | CardsDealt
    | OpenersFound
    | TurnExpired
    | PlayerLeft
    | Passed
    | Opened
    | Checked
    | BetMade
    | Called
    | RaisedTo
    | Folded
    | UncalledBetReturned
    | DrawBegan
    | Discarded
    | CardsDrawn
    | SecondRoundBegan
    | HandShown
    | PotAwarded
    | HandEnded
)
