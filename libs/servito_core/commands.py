"""What may be asked of a running hand: imperative, frozen, each naming the seat that it is for.

Answers from outside (cards, openers, winners) are commands too, so that everything that moves a hand goes
through `decide`. Amounts are integer chips and always the seat's total in the current betting round ("to"),
never an increment. Content that could not be read is passed on as it came (`to` None, a card outside 0..51,
`Unreadable`), because only `decide` can refuse things in the order of the contract. What follows from a
command is in `events.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from servito_core.cards import Card
from servito_core.events import Blind
from servito_core.record import record
from servito_core.values import HandValue


@record
class Pass:
    """Not to open, before the opening. The hand stays alive (RULES.md B2)."""

    seat: int


@record
class Open:
    """Open the betting with `to` chips; None: the amount is missing."""

    seat: int
    to: int | None


@record
class Check:
    """Bet nothing with nothing to call. `word` is "parola" or "cip" where the table tells them apart
    (RULES.md B5).
    """

    seat: int
    word: str = ""


@record
class Bet:
    """First bet of a round that is not an opening."""

    seat: int
    to: int | None


@record
class Call:
    """Level the highest total, or go all-in below it."""

    seat: int


@record
class RaiseTo:
    """Raise the highest total of the round to `to`."""

    seat: int
    to: int | None


@record
class Fold:
    """Give the hand up; only when facing a bet."""

    seat: int


@record
class Draw:
    """Throw `discards` away and ask for as many cards; none is to stand pat ("servito")."""

    seat: int
    discards: tuple[Card, ...] = ()


@record
class PostBlind:
    """Bet unseen, before the deal: buio, controbuio or over, whichever the offer names (RULES.md B6)."""

    seat: int
    blind: Blind
    to: int | None


@record
class CoverBlind:
    """Go up to the highest blind unseen, as an earlier blind player."""

    seat: int


@record
class DeclineBlind:
    """Post no blind, or do not cover one."""

    seat: int


@record
class TableHand:
    """Put the cards on the table at a showdown where they might be conceded (RULES.md B7, `show.muck`)."""

    seat: int


@record
class Concede:
    """Give up every pot without showing, where the rules allow it."""

    seat: int


@record
class Unreadable:
    """A player asked for something that names no action; `what` says what was wrong with it, for the
    refusal.
    """

    seat: int
    what: str


@record
class ExpireTurn:
    """The clock of the seat to act ran out: pass, check, fold or stand pat for it (RULES.md B8)."""

    seat: int


@record
class Leave:
    """The player leaves the table: folds, unless all-in (RULES.md B8). Accepted whoever is to act."""

    seat: int


@record
class Void:
    """The hand cannot go on: every chip put in during it goes back (RULES.md B8)."""


@record
class DealtTo:
    """Cards that the dealer gave to one seat, with the positions from which they were dealt (parallel
    tuples).
    """

    seat: int
    cards: tuple[Card, ...]
    positions: tuple[int, ...]


@record
class SupplyDeal:
    """Answer to `CardsNeeded` of the deal: five cards for every seat dealt in, in dealing order."""

    hands: tuple[DealtTo, ...]


@record
class SupplyDraw:
    """Answer to `CardsNeeded` of a draw. `shuffled`: sizes of the refills that became the stock while dealing
    it.
    """

    entry: int
    dealt: DealtTo
    shuffled: tuple[int, ...] = ()


@record
class SupplyOpeners:
    """Answer to `OpenersNeeded`: of the seats asked about, those that may open and the cards that qualify
    each.
    """

    openers: Mapping[int, tuple[Card, ...]]


@record
class SupplyWinners:
    """Answer to `WinnersNeeded`: the winner set of each pot, in the order of the pots, and the value of each
    hand.
    """

    winners: tuple[frozenset[int], ...]
    values: Mapping[int, HandValue]


PlayerCommand = (
    Pass
    | Open
    | Check
    | Bet
    | Call
    | RaiseTo
    | Fold
    | Draw
    | PostBlind
    | CoverBlind
    | DeclineBlind
    | TableHand
    | Concede
    | Unreadable
)
Command = PlayerCommand | ExpireTurn | Leave | Void | SupplyDeal | SupplyDraw | SupplyOpeners | SupplyWinners
