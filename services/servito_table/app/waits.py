"""What a table waits for, and for how long: every wait is one turn number and one deadline.

A proposal of other rules waits beside the turn, under a name of its own (`proposal_wait`); so do seats
(`seat_waits`).

Here: which wait a state is in. Not here: what happens when it ends (`decide`), who provides what is waited
for without a player (`play`), the clock (the commit). Waits that the service ends by itself have a deadline
too: if the process that should go on dies, the timers find the table and any other process goes on from
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from servito_core.deals import Entrant, can_start
from servito_core.hand import waiting_for
from servito_core.state import CardsNeeded
from servito_table.app.commands import Expire, GoOn
from servito_table.app.evolve import fold
from servito_table.app.house_rules import due
from servito_table.app.seat_events import Absence
from servito_table.app.status import Status

if TYPE_CHECKING:
    from servito_core.state import Phase
    from servito_table.app.commands import TableCommand
    from servito_table.app.state import TableState

RESUME_MS: Final = 1_000
"""How long the process that committed may take to go on by itself before the timers see to it."""


AWAY_TURN_MS: Final = 2_000
"""How long a seat may think whose player is away; time enough for one who has just come back."""


class WaitKind(StrEnum):
    """What ends the wait."""

    SEAT = "seat"
    """A player acts, or his clock runs out."""
    CARDS = "cards"
    """The dealer answers."""
    PAUSE = "pause"
    """The next hand begins."""
    PLAYERS = "players"
    """Enough players with chips sit; no deadline."""
    OWNER = "owner"
    """The table's owner lets hands begin again, or maintenance is over; no deadline."""
    NOTHING = "nothing"
    """The table is closed."""


_SEAT: Final = WaitKind.SEAT
_AWAY: Final = Absence.AWAY
"""These are asked for with every act: to read a member off its class costs a quarter of a microsecond."""


@dataclass(slots=True)
class Wait:
    """A wait of a table; two that are equal, with no action between them, are one and the same. Read-only,
    not frozen because one is made with every action.
    """

    kind: WaitKind
    ms: int
    """Until its deadline; 0: it has none."""
    hand: int = 0
    phase: Phase | None = None
    seat: int | None = None
    entry: int = 0
    at_once: bool = False
    """The service goes on by itself, without a player and without a clock."""


def wait_of(state: TableState) -> Wait:
    """What `state` waits for. A hand that waits for a judgement is never a table's state: the commit has it
    inside.
    """
    hand = state.running
    if hand is None:
        return _between_hands(state)
    if hand.to_act is not None:
        seat = hand.players[hand.to_act].seat
        return Wait(_SEAT, _turn_ms(state, seat), hand.number, hand.phase, seat)
    needed = waiting_for(hand)
    if not isinstance(needed, CardsNeeded):
        raise TypeError(f"a table does not wait for {type(needed).__name__}")
    return Wait(WaitKind.CARDS, RESUME_MS, hand.number, hand.phase, entry=needed.entry, at_once=True)


def begins_hand(state: TableState, command: TableCommand) -> bool:
    """Whether the command, as far as it is due, begins a hand."""
    if not isinstance(command, (GoOn, Expire)) or state.running is not None:
        return False
    return wait_of(state).kind is WaitKind.PAUSE


def proposal_wait(number: int) -> str:
    """The name of the wait for answers to a proposal; that of a turn is its number.

    Waits beside the turn are a letter and a number, a letter for each kind: commit.lua relies on it.
    """
    return f"p{number}"


def entrants(state: TableState) -> tuple[Entrant, ...]:
    """The seats that may be dealt in: taken, with chips, neither leaving nor sitting out."""
    return tuple(
        Entrant(own.seat, own.stack)
        for own in state.seats
        if own.stack > 0 and not own.leaving and own.sitting_out is None
    )


def _turn_ms(state: TableState, seat: int) -> int:
    """The clock of the seat to act; that of one who is away is short, so that others need not wait."""
    for own in state.seats:
        if own.seat == seat and own.sitting_out is _AWAY:
            return min(AWAY_TURN_MS, state.config.turn_ms)
    return state.config.turn_ms


def _between_hands(state: TableState) -> Wait:
    if state.status in (Status.CLOSING, Status.CLOSED):
        return Wait(WaitKind.NOTHING, 0)
    if state.status is Status.PAUSED or state.held:
        return Wait(WaitKind.OWNER, 0)
    state = fold(state, due(state))  # the next hand is played by the rules that were agreed
    if not can_start(state.rules, entrants(state), state.between):
        return Wait(WaitKind.PLAYERS, 0)
    pause = state.config.pause_ms
    return Wait(WaitKind.PAUSE, pause or RESUME_MS, state.between.number, at_once=not pause)
