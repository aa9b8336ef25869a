"""What a commit told: its events and whose turn it is then. The form in which commits go to those who
watch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito_core.events import HandStarted
from servito_table.app.state import deals_of

if TYPE_CHECKING:
    from servito_table.app.events import TableEvent
    from servito_table.app.state import TableState


@dataclass(slots=True)
class Told:
    """One commit. `hand` numbers the hand that its events belong to, `to_act` is the seat whose `turn` it
    is then. Where a hand begins, `players` are those who were dealt in, in the order of its seats. Read-only,
    not frozen because two are made with every action.
    """

    version: int
    turn: int
    to_act: int | None
    hand: int
    events: tuple[TableEvent, ...]
    players: tuple[str, ...] = ()
    lineage: int = 0
    """The version's (`ports.Place`)."""


def told_by(version: int, state: TableState, events: tuple[TableEvent, ...]) -> Told:
    """What the commit tells that led to `state`."""
    hand = state.running
    to_act = None if hand is None or hand.to_act is None else hand.players[hand.to_act].seat
    return Told(version, state.turn, to_act, deals_of(state), events, _dealt_in(state, events))


def _dealt_in(state: TableState, events: tuple[TableEvent, ...]) -> tuple[str, ...]:
    for event in events:
        if type(event) is HandStarted:
            names = {own.seat: own.player for own in state.seats}
            return tuple(names[seat] for seat in event.seats)
    return ()
