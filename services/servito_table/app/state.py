"""The state of one table: plain data, no behaviour beyond what can be read off it.

Read-only everywhere except in `evolve.py` and `decide.py`, which change nothing but copies that they have
just made: `TableState` is not frozen only because a frozen copy costs more than everything else that is done
to it. Times are not in it: when a wait ends is written by the commit, beside the state, from the state
server's clock. Stored by `adapters.codec`; a new field changes there and in store.proto.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from servito_core.deals import FIRST, Between
from servito_core.record import record
from servito_core.rules import RuleSet
from servito_core.state import OVER, HandState, PlayerState
from servito_table.app.acting_events import PreAction
from servito_table.app.events import RuleChange
from servito_table.app.seat_events import Absence
from servito_table.app.stakes import Stakes
from servito_table.app.status import Status

PROPOSAL_MS: Final = 60_000
"""How long a proposal of other rules stays open where the table's creator does not say."""
AWAY_AFTER: Final = 2
SIT_OUT_MS: Final = 900_000
SEAT_OFFER_MS: Final = 30_000
"""Likewise for what the config's fields of these names say."""
WARN_MS: Final = 5_000
"""How long before the end of a turn its seat is warned where the table's creator does not say."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table was created with, but for rules that were agreed since. `options` are texts by the names
    of RULES.md part B, on top of `preset`.
    """

    name: str
    preset: str
    options: Mapping[str, str]
    seats: int
    min_buy_in: int
    max_buy_in: int
    turn_ms: int
    pause_ms: int
    proposal_ms: int = PROPOSAL_MS
    away_after: int = AWAY_AFTER
    """Turns in a row that expire before a seat sits out by itself."""
    sit_out_ms: int = SIT_OUT_MS
    """How long a seat may be idle before it stands by itself."""
    seat_offer_ms: int = SEAT_OFFER_MS
    """How long a free seat is held for who waited for it."""
    time_bank_ms: int = 0
    time_banks: int = 0
    """How many a seat begins with and may have; 0: the table knows none."""
    time_bank_hands: int = 0
    """Hands dealt in until a used one comes back; 0: never."""
    warn_ms: int = WARN_MS
    no_spectators: bool = False


@record
class Seated:
    """A taken seat. `stack` holds between hands; while a hand runs that of the hand counts for those dealt
    in.
    """

    seat: int
    player: str
    stack: int
    since: int = 0
    """The last deal before the player sat down. Cards of that deal and earlier ones are not his, whoever held
    the seat.
    """
    leaving: bool = False
    """Goes, with its chips, when the hand is over."""
    sitting_out: Absence | None = None
    """Why it is not dealt in from the next hand on; None: it is."""
    missed: int = 0
    """Turns in a row that expired."""
    top_up: int = 0
    """Chips to be put in when the hand is over."""
    time_banks: int = 0
    """How often its clock may still be prolonged."""
    bank_hands: int = 0
    """Deals that it was in since it has fewer than all of them, or since the last one came back."""
    pre_action: PreAction | None = None
    """What it does when its turn comes; hidden from everybody else."""
    entropy: bytes = b""
    """What it contributes to the order of the cards in the running hand; hidden from everybody else."""
    next_entropy: bytes | None = None
    """From the next hand on that it is dealt into; None: the same."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """Somebody who waits for a seat. `seat` is held for him."""

    player: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of rules that is open, or accepted and to come. `agreed` are seats, ascending."""

    number: int
    seat: int
    player: str
    changes: tuple[RuleChange, ...]
    agreed: tuple[int, ...]
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class BanksLeft:
    """What a player had of time banks when he stood up with fewer than all of them."""

    player: str
    time_banks: int
    bank_hands: int
    deals: int
    """How many hands had begun at the table by then."""


@dataclass(slots=True)
class TableState:
    """A whole table. `seats` are the taken ones, ascending; `hand` is the running one or the last."""

    id: str
    owner: str
    config: TableConfig
    rules: RuleSet
    seats: tuple[Seated, ...] = ()
    between: Between = FIRST
    hand: HandState | None = None
    turn: int = 0
    """Counts the waits of the table; a deadline and an action name the one that they are for."""
    proposal: Proposal | None = None
    proposals: int = 0
    """How many changes of rules were proposed so far; names the latest one."""
    status: Status = Status.OPEN
    stakes: Stakes = ()
    """Whose the chips of a carried pot are."""
    waiting: tuple[Waiter, ...] = ()
    """Who waits for a seat, the first first."""
    template: str = ""
    """The template that the table was created for, and its revision then."""
    revision: int = 0
    held: bool = False
    """No hand begins because of maintenance, whatever the status."""
    banks_left: tuple[BanksLeft, ...] = ()
    """Of who stood up, the earliest first."""

    def copied(self) -> TableState:
        """A copy, written out because it is made with every action."""
        return TableState(
            self.id,
            self.owner,
            self.config,
            self.rules,
            self.seats,
            self.between,
            self.hand,
            self.turn,
            self.proposal,
            self.proposals,
            self.status,
            self.stakes,
            self.waiting,
            self.template,
            self.revision,
            self.held,
            self.banks_left,
        )

    @property
    def running(self) -> HandState | None:
        """The hand that is being played, if any."""
        hand = self.hand
        return None if hand is None or hand.phase is OVER else hand

    @property
    def table_id(self) -> str:
        """Its id and, below, that of the running hand, "" for none: what lines of the log belong to."""
        return self.id

    @property
    def hand_id(self) -> str:
        """See above."""
        hand = self.running
        return "" if hand is None else hand_id(self.id, hand.number)

    def seat_of(self, player: str) -> Seated | None:
        """Where the player sits."""
        for seated in self.seats:
            if seated.player == player:
                return seated
        return None

    def hand_seat_of(self, player: str) -> int | None:
        """The player's seat in the running or last hand; None if he was not dealt in, whoever sat there
        then.
        """
        own, hand = self.seat_of(player), self.hand
        if own is None or hand is None or hand.number <= own.since:
            return None
        return own.seat

    def in_hand(self, seat: int) -> PlayerState | None:
        """What the running hand knows of a seat; None for a seat that was not dealt in."""
        hand = self.running
        if hand is not None:
            for player in hand.players:
                if player.seat == seat:
                    return player
        return None

    @property
    def chips(self) -> int:
        """Every chip on the table: stacks, and what is in the middle. Equal to buy-ins less cash-outs."""
        hand = self.running
        if hand is None:
            return sum(seated.stack for seated in self.seats) + self.between.carried
        dealt = {player.seat for player in hand.players}
        waiting = sum(seated.stack for seated in self.seats if seated.seat not in dealt)
        return waiting + sum(player.stack for player in hand.players) + hand.pot


def actor_of(state: TableState) -> str | None:
    """The player whose turn it is, if a seat is to act."""
    hand = state.running
    if hand is None or hand.to_act is None:
        return None
    seat = hand.players[hand.to_act].seat
    return next((own.player for own in state.seats if own.seat == seat), None)


def deals_of(state: TableState) -> int:
    """How many hands were begun at the table, the running one included."""
    return 0 if state.hand is None else state.hand.number


def hand_id(table_id: str, number: int) -> str:
    """The id of a table's hand; `number` counts its deals from 1."""
    return f"{table_id}-{number}"
