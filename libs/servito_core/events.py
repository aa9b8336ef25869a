"""What happened in a hand: past tense, frozen, complete. Folding the events of a hand gives its state.

Events hold every card; who may see what is decided by `view.py` alone. An event that stores an answer from
outside (cards, openers, winners) makes replay independent of dealer and evaluator. Amounts are integer chips:
`to` is the seat's total of the betting round, `added` what it paid to come to that. Stored and public forms
are mapped in `servito_wire`; a new event needs both, and a case in `evolve.py` and `view.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum

from servito_core.cards import Card
from servito_core.record import record
from servito_core.values import HandValue


class Outcome(StrEnum):
    """How a deal ended; the names are those of the hand scripts."""

    SHOWDOWN = "showdown"
    UNCONTESTED = "uncontested"
    PASSED_OUT = "passed_out"
    CARRIED_OVER = "carried_over"
    VOID = "void"


class Blind(IntEnum):
    """The blinds that may follow one another (`RULES.md B6`): buio, controbuio, over."""

    BLIND = 1
    COUNTER_BLIND = 2
    OVER_BLIND = 3


# ---- How a deal begins ------------------------------------------


@record
class HandStarted:
    """A deal began. `seats` are those dealt in, in speaking order: from the button's left, the button last.

    With ten players the button may be none of them (`players.ten`). `blinds`: how many blinds may follow one
    another in this deal, 0 where none is allowed.
    """

    number: int
    button: int
    lowest_rank: int
    requirement: str
    raised: bool
    carried: int
    seats: tuple[int, ...]
    stacks: tuple[int, ...]
    blinds: int = 0


@record
class ReentryPaid:
    """`seat`, which had folded in a carried deal, added `amount` to the carried pot to play on (`RULES.md
    B5`).
    """

    seat: int
    amount: int


@record
class AntePosted:
    """`seat` paid `amount` into the pot, less than it owed when its stack was short."""

    seat: int
    amount: int


@record
class BlindsBegan:
    """Seats are asked, before the deal, whether they post a blind."""


@record
class BlindPosted:
    """`seat` bet `to` unseen."""

    seat: int
    blind: Blind
    to: int
    added: int


@record
class BlindCovered:
    """`seat`, an earlier blind player, went up to the highest blind unseen; `to` is its total."""

    seat: int
    to: int
    added: int


@record
class BlindDeclined:
    """`seat` posts no blind, or does not cover one."""

    seat: int


@record
class BlindsClosed:
    """No more blinds; the cards are dealt."""


@record
class CardsDealt:
    """Five cards to each seat in dealing order; `cards[i]` and `positions[i]` belong to `seats[i]`."""

    seats: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]
    positions: tuple[tuple[int, ...], ...]


@record
class OpenersFound:
    """Which seats may open and with which cards. Hidden: a seat learns only about itself."""

    openers: Mapping[int, tuple[Card, ...]]


@record
class FirstRoundBegan:
    """The first betting round starts without an opening: nothing is required, or a blind was posted."""


# ---- What players do --------------------------------------------


@record
class TurnExpired:
    """The clock of `seat` ran out; the action taken for it follows."""

    seat: int


@record
class PlayerLeft:
    """The player of `seat` left during the hand. A fold follows unless the seat is all-in: at once, or as
    soon as cards that are on their way have come, so that what the dealer was asked never depends on a
    departure.
    """

    seat: int


@record
class Passed:
    """`seat` did not open; it stays in the hand."""

    seat: int


@record
class Opened:
    """`seat` opened the betting."""

    seat: int
    to: int
    added: int


@record
class Checked:
    """`seat` bet nothing with nothing to call; `word` as in the command."""

    seat: int
    word: str = ""


@record
class BetMade:
    """`seat` made the first bet of a round that is not an opening."""

    seat: int
    to: int
    added: int


@record
class Called:
    """`to` is the seat's new total of the round; below the highest total when the call put it all-in."""

    seat: int
    to: int
    added: int


@record
class RaisedTo:
    """`seat` raised the highest total of the round to `to`."""

    seat: int
    to: int
    added: int


@record
class Folded:
    """`seat` gave its hand up: a fold, a departure, or a concession at the showdown."""

    seat: int


# ---- Money and phases -------------------------------------------


@record
class UncalledBetReturned:
    """The part of a bet that nobody matched went back to `seat` before pots were formed (`RULES.md B3`)."""

    seat: int
    amount: int


@record
class DrawBegan:
    """The first betting round is over; live seats draw in speaking order."""


@record
class Discarded:
    """`seat` threw these cards away and is owed as many; none: it stood pat. Known to its owner, the number
    to all.
    """

    seat: int
    cards: tuple[Card, ...]


@record
class OpeningJudged:
    """Whether the opener's discards broke the cards that qualified him (`draw.opener_split`).

    `split`: they did; his discards are kept out of any reshuffle.
    """

    seat: int
    split: bool


@record
class CardsDrawn:
    """Cards for `seat` out of entry `entry` of the dealer's record.

    `deferred`: the part beyond three, dealt after the last seat drew (`RULES.md B4`). `shuffled`: the sizes
    of the refills that became the stock meanwhile, each of dead cards in the order of `CardsNeeded.refills`.
    """

    seat: int
    entry: int
    cards: tuple[Card, ...]
    positions: tuple[int, ...]
    deferred: bool
    shuffled: tuple[int, ...] = ()


@record
class DeferredDrawBegan:
    """Every live seat has drawn; the cards owed beyond three are dealt in speaking order."""


@record
class SecondRoundBegan:
    """Everybody has his cards; the second betting round starts."""


@record
class ShowdownBegan:
    """Betting is over and more than one seat contests the pot."""


@record
class HandTabled:
    """`seat` put its cards on the table where it might have conceded (`show.muck`)."""

    seat: int
    cards: tuple[Card, ...]


@record
class HandShown:
    """`seat` showed its cards at the showdown, in show order, and they were judged."""

    seat: int
    cards: tuple[Card, ...]
    value: HandValue


@record
class OpeningProved:
    """The opener, who won without showdown, showed the dealt cards that qualified him (`open.proof`)."""

    seat: int
    cards: tuple[Card, ...]


@record
class PotAwarded:
    """Pot `index` (0 is the main pot) of `amount` chips went to `winners`.

    `shares` sum to the amount, but for odd chips that the rules carry to the next deal (`odd_chip`).
    """

    index: int
    amount: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    shares: Mapping[int, int]


@record
class StakeReturned:
    """The hand is void: `amount`, all that `seat` had put in, went back to it (`RULES.md B8`)."""

    seat: int
    amount: int


@record
class HandEnded:
    """The deal is over. `carried` chips stay in the middle; `requirement` and `raised` hold for the next
    deal.
    """

    outcome: Outcome
    carried: int
    requirement: str
    raised: bool


Event = (
    HandStarted
    | ReentryPaid
    | AntePosted
    | BlindsBegan
    | BlindPosted
    | BlindCovered
    | BlindDeclined
    | BlindsClosed
    | CardsDealt
    | OpenersFound
    | FirstRoundBegan
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
    | OpeningJudged
    | CardsDrawn
    | DeferredDrawBegan
    | SecondRoundBegan
    | ShowdownBegan
    | HandTabled
    | HandShown
    | OpeningProved
    | PotAwarded
    | StakeReturned
    | HandEnded
)
