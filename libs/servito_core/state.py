"""The state of one hand: frozen data, no behaviour beyond what can be read off it.

Only `evolve.py` makes new states, from events. `players` stand in speaking order (from the button's left, the button
last), which is also the dealer's slot order; a player is found by its index there, a seat by `seat`. Conservation holds
in every state: stacks + `pot` is constant within a hand, and the pot of an ended hand is what it carries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from servito_core.cards import Card
from servito_core.rules import RuleSet


class Phase(IntEnum):
    """Where the hand stands. Legal transitions are data in `phases.py`."""

    DEAL = 1
    """Antes are in; the hand waits for cards and for word who may open."""
    OPENING = 2
    """Nobody has opened yet: pass or open."""
    FIRST_ROUND = 3
    """Somebody opened (or the rules ask for no opening): ordinary betting."""
    DRAW = 4
    """Seats change cards in speaking order."""
    DEFERRED = 5
    """Cards owed beyond three are dealt."""
    SECOND_ROUND = 6
    SHOWDOWN = 7
    """Betting is over; the hand waits for the winner sets."""
    OVER = 8


@dataclass(frozen=True, slots=True)
class PlayerState:
    """One seat dealt into the hand. `bet` is its total of this betting round, `paid` all that it put in (ante included)."""

    seat: int
    stack: int
    ante: int = 0
    bet: int = 0
    paid: int = 0
    folded: bool = False
    left: bool = False
    acted: bool = False
    """Has answered the current highest total of this round (or passed, or checked)."""
    may_open: bool = False
    openers: tuple[Card, ...] = ()
    """The dealt cards that qualify it to open; hidden from everybody else."""
    cards: tuple[Card, ...] = ()
    positions: tuple[int, ...] = ()
    discards: tuple[Card, ...] = ()
    discard_positions: tuple[int, ...] = ()
    drawn: bool = False
    """Has announced its change of cards."""
    owed: int = 0
    """Cards that it is still to get."""

    @property
    def live(self) -> bool:
        """Still contests the pot, all-in or not."""
        return not self.folded

    @property
    def all_in(self) -> bool:
        return not self.folded and self.stack == 0


@dataclass(frozen=True, slots=True)
class HandState:
    """A whole hand. Indexes (`to_act`, `opener`, `aggressor`) count in `players`, not seats."""

    rules: RuleSet
    number: int
    button: int
    lowest_rank: int
    requirement: str
    raised: bool
    carried: int
    players: tuple[PlayerState, ...]
    phase: Phase = Phase.DEAL
    to_act: int | None = None
    high_bet: int = 0
    """Highest total of the round."""
    last_raise: int = 0
    """Largest full bet or raise of the round."""
    raises: int = 0
    opener: int | None = None
    aggressor: int | None = None
    """Who last opened, bet or raised in the current round."""
    pot: int = 0
    """All chips in the middle: carried, antes and bets of both rounds."""
    entries: int = 0
    """Entries of the dealer's record used so far (0: not dealt)."""
    stock: int = 0
    """Undealt cards."""
    reshuffled: frozenset[int] = frozenset()
    """Positions whose dead cards went back into the stock."""
    outcome: str = ""
    next_requirement: str = ""
    next_raised: bool = False


@dataclass(frozen=True, slots=True)
class CardsNeeded:
    """The hand waits for the dealer: the deal (`entry` 0, no seat) or cards for one seat.

    `slot` is the index in `players`; `excluded` and `refills` are positions, as the dealer's DrawRequest describes.
    """

    entry: int
    slot: int | None = None
    count: int = 0
    excluded: tuple[int, ...] = ()
    refills: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class OpenersNeeded:
    """The hand waits for word which of `hands` (by seat) may open at `requirement`."""

    requirement: str
    raised: bool
    hands: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WinnersNeeded:
    """The hand waits for the winner set of each pot: `contests[i]` are the seats entitled to pot i."""

    hands: Mapping[int, tuple[Card, ...]]
    contests: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class SeatToAct:
    """The hand waits for a player."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """Nothing more happens in this hand."""


Waiting = SeatToAct | CardsNeeded | OpenersNeeded | WinnersNeeded | HandOver


@dataclass(frozen=True, slots=True)
class Offer:
    """What the seat to act may do. Ranges are least and greatest `to`; `call` is chips to add; absent means not legal."""

    seat: int
    to_call: int = 0
    can_pass: bool = False
    can_check: bool = False
    can_fold: bool = False
    open: tuple[int, int] | None = None
    bet: tuple[int, int] | None = None
    call: int | None = None
    raise_to: tuple[int, int] | None = None
    draw: tuple[int, int] | None = None
