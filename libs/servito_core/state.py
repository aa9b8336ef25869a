"""The state of one hand: plain data, no behaviour beyond what can be read off it.

Read-only everywhere except in `evolve.py`, which changes nothing but hands that are its caller's own: the
classes are not frozen only because a frozen copy costs ten times as much, and every action makes one.
`players` stand in speaking order (from the button's left, the button last), which is also the dealer's slot
order; a player is found by its index there, a seat by `seat`. Conservation holds in every state: stacks +
`pot` is constant within a hand, and the pot of an ended hand is what it carries. A new field needs its place
in `copied` and in `servito_wire.table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from servito_core.cards import Card
from servito_core.events import Blind, Outcome
from servito_core.record import record
from servito_core.rules import RuleSet

_new = object.__new__


class Phase(IntEnum):
    """Where the hand stands. Legal transitions are data in `phases.py`; the numbers are stored, not an
    order.
    """

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
    """Betting is over; the hand waits for the winner sets, before that for concessions where the rules allow
    them.
    """
    OVER = 8
    BLINDS = 9
    """Antes are in, cards are not dealt: seats are asked for blinds."""


DEAL: Final = Phase.DEAL
OPENING: Final = Phase.OPENING
FIRST_ROUND: Final = Phase.FIRST_ROUND
DRAW: Final = Phase.DRAW
DEFERRED: Final = Phase.DEFERRED
SECOND_ROUND: Final = Phase.SECOND_ROUND
SHOWDOWN: Final = Phase.SHOWDOWN
OVER: Final = Phase.OVER
BLINDS: Final = Phase.BLINDS
# The engine uses these names: to read a member off its class costs Python 3.11 a quarter of a microsecond.


@dataclass(slots=True)
class PlayerState:
    """One seat dealt into the hand. `bet` is its total of this betting round, `paid` all that it put in (ante
    included).
    """

    seat: int
    stack: int
    ante: int = 0
    """What it put in to be dealt in: the ante, and what re-entry cost."""
    bet: int = 0
    paid: int = 0
    dead: int = 0
    """The part of `paid` that belongs to the lowest layer whatever it is: re-entry, and a button's greater
    ante.
    """
    folded: bool = False
    left: bool = False
    leaving: bool = False
    """Left with chips behind while cards were on their way; it folds when they have come."""
    may_raise_blind: bool = False
    """Has the right to raise before anybody did in a round that a blind began (`blind.cover_right`)."""
    openers: tuple[Card, ...] = ()
    """The dealt cards that qualify it to open, if any; hidden from everybody else."""
    cards: tuple[Card, ...] = ()
    positions: tuple[int, ...] = ()
    discards: tuple[Card, ...] = ()
    discard_positions: tuple[int, ...] = ()
    drawn: bool = False
    """Has announced its change of cards."""
    owed: int = 0
    """Cards that it is still to get."""
    split: bool = False
    """Opened and broke the cards that qualified it; its discards stay out of any reshuffle."""
    shown: bool = False
    """Its cards are on the table for everybody to see."""

    @property
    def live(self) -> bool:
        """Still contests the pot, all-in or not."""
        return not self.folded

    @property
    def all_in(self) -> bool:
        """Contests the pot without a chip behind."""
        return not self.folded and self.stack == 0

    @property
    def may_open(self) -> bool:
        """Holds, or held when dealt, the opening requirement."""
        return bool(self.openers)

    def copied(self) -> PlayerState:
        """A copy; written out, because every action makes one."""
        new = _new(PlayerState)
        new.seat = self.seat
        new.stack = self.stack
        new.ante = self.ante
        new.bet = self.bet
        new.paid = self.paid
        new.dead = self.dead
        new.folded = self.folded
        new.left = self.left
        new.leaving = self.leaving
        new.may_raise_blind = self.may_raise_blind
        new.openers = self.openers
        new.cards = self.cards
        new.positions = self.positions
        new.discards = self.discards
        new.discard_positions = self.discard_positions
        new.drawn = self.drawn
        new.owed = self.owed
        new.split = self.split
        new.shown = self.shown
        return new


@dataclass(slots=True)
class HandState:
    """A whole hand. Indexes (`to_act`, `opener`, `acted`, ...) count in `players`, not seats."""

    rules: RuleSet
    number: int
    button: int
    lowest_rank: int
    requirement: str
    raised: bool
    """The requirement is above the first level, or was set by a carried-over deal."""
    carried: int
    """Chips in the middle from earlier deals."""
    players: list[PlayerState]
    """Never changed but by `changes.draft`."""
    phase: Phase = Phase.DEAL
    to_act: int | None = None
    high_bet: int = 0
    """Highest total of the round."""
    full_bet: int = 0
    """Total of the last full bet or raise of the round (`bet.reopen`)."""
    last_raise: int = 0
    """Largest full bet or raise of the round."""
    raises: int = 0
    acted: int = 0
    """Who has answered the highest total of this round (or passed, or checked), bit by index."""
    spoke: int = 0
    """Who has acted since the last full bet or raise (`bet.reopen`), bit by index."""
    opener: int | None = None
    """Who opened; where nothing is required, who bet first."""
    aggressor: int | None = None
    """Who last opened, bet or raised in the current round."""
    leader: int | None = None
    """Who spoke first in the second round, or would have."""
    pot: int = 0
    """All chips in the middle: carried, antes and bets of both rounds."""
    entries: int = 0
    """Entries of the dealer's record used so far (0: not dealt)."""
    stock: int = 0
    """Undealt cards."""
    serving: int | None = None
    """Whose cards of the draw are on their way."""
    judged: bool = False
    """It is known whether the opener's discards broke his opening (`draw.opener_split`)."""
    reshuffled: frozenset[int] = frozenset()
    """Positions whose dead cards went back into the stock."""
    cip: bool = False
    """Somebody checked the second round with the word "cip" (`parola.mode`)."""
    blinds_allowed: int = 0
    """How many blinds may follow one another in this deal."""
    blinds: int = 0
    """How many were posted, by the first so many players."""
    holder: int | None = None
    """Who has the right to raise first and speak last after a blind (`RULES.md B6`)."""
    outcome: Outcome | None = None
    next_requirement: str = ""
    next_raised: bool = False
    unshared: int = field(default=0, compare=False, repr=False)
    """Which players no other state holds, bit by index: those may be changed as they are. Bookkeeping of
    `changes.draft`, no part of what the hand is.
    """

    def copied(self) -> HandState:
        """A copy that shares its players; written out, because every command makes one."""
        new = _new(HandState)
        self.unshared = new.unshared = 0
        new.rules = self.rules
        new.number = self.number
        new.button = self.button
        new.lowest_rank = self.lowest_rank
        new.requirement = self.requirement
        new.raised = self.raised
        new.carried = self.carried
        new.players = self.players.copy()
        new.phase = self.phase
        new.to_act = self.to_act
        new.high_bet = self.high_bet
        new.full_bet = self.full_bet
        new.last_raise = self.last_raise
        new.raises = self.raises
        new.acted = self.acted
        new.spoke = self.spoke
        new.opener = self.opener
        new.aggressor = self.aggressor
        new.leader = self.leader
        new.pot = self.pot
        new.entries = self.entries
        new.stock = self.stock
        new.serving = self.serving
        new.judged = self.judged
        new.reshuffled = self.reshuffled
        new.cip = self.cip
        new.blinds_allowed = self.blinds_allowed
        new.blinds = self.blinds
        new.holder = self.holder
        new.outcome = self.outcome
        new.next_requirement = self.next_requirement
        new.next_raised = self.next_raised
        return new


# ---- What a hand waits for --------------------------------------


@record
class CardsNeeded:
    """The hand waits for the dealer: the deal (`entry` 0, no slot) or cards for one seat.

    `slot` is the index in `players`; `excluded` and `refills` are positions, as the dealer's DrawRequest
    describes. Until the cards have come, no command changes this request.
    """

    entry: int
    slot: int | None = None
    count: int = 0
    excluded: tuple[int, ...] = ()
    refills: tuple[tuple[int, ...], ...] = ()


@record
class OpenersNeeded:
    """The hand waits for word which of `hands` (by seat) may open at `requirement`.

    Asked about five cards each after the deal, and about what the opener keeps when he draws
    (`draw.opener_split`). Ask at once, in the same commit: the answer to the latter may be that the draw is
    refused.
    """

    requirement: str
    raised: bool
    hands: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)


@record
class WinnersNeeded:
    """The hand waits for the winner set of each pot: `contests[i]` are the seats entitled to pot i."""

    hands: Mapping[int, tuple[Card, ...]]
    contests: tuple[tuple[int, ...], ...]


@record
class SeatToAct:
    """The hand waits for a player."""

    seat: int


@record
class HandOver:
    """Nothing more happens in this hand."""


Waiting = SeatToAct | CardsNeeded | OpenersNeeded | WinnersNeeded | HandOver


@dataclass(slots=True)
class Offer:
    """What the seat to act may do. Ranges are least and greatest `to`; `call`, `cover` are chips to add;
    None: not legal.
    """

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
    """Least and greatest number of discards."""
    blind: tuple[Blind, int] | None = None
    """Which blind may be posted, and the one allowed `to`."""
    cover: int | None = None
    can_decline: bool = False
    can_table: bool = False
    can_concede: bool = False
