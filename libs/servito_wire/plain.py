"""Events that hide nothing: one form for the store and for the players.

Here: writer and reader by type of event and by field; `events` and `views` add theirs. A change of cards,
which names the cards, is not among them. Changes with servito_core/events.py and both event messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from servito.table.v1 import table_pb2 as pb
from servito_core import events as core
from servito_wire.fields import Values, record
from servito_wire.moves import WRITERS as MOVES
from servito_wire.moves import move_from_proto

Writer = tuple[str, Callable[[Any], bytes]]
"""The field of the event message, and what writes the message in it."""

Step = (
    core.BlindsBegan
    | core.BlindsClosed
    | core.FirstRoundBegan
    | core.DrawBegan
    | core.DeferredDrawBegan
    | core.SecondRoundBegan
    | core.ShowdownBegan
)

STEPS: Final[dict[type[Step], pb.Phase.ValueType]] = {
    core.BlindsBegan: pb.PHASE_BLINDS,
    core.BlindsClosed: pb.PHASE_DEAL,
    core.FirstRoundBegan: pb.PHASE_FIRST_ROUND,
    core.DrawBegan: pb.PHASE_DRAW,
    core.DeferredDrawBegan: pb.PHASE_DEFERRED,
    core.SecondRoundBegan: pb.PHASE_SECOND_ROUND,
    core.ShowdownBegan: pb.PHASE_SHOWDOWN,
}
"""The phase that each of these events leads to."""

_STEPS_BY_PHASE: Final = {phase: step for step, phase in STEPS.items()}

_PHASE: Final = Values(pb.PhaseBegan, "phase")
WRITERS: Final[dict[type[Any], Writer]] = {
    **{move: ("seat_acted", write) for move, write in MOVES.items() if move is not core.Discarded},
    **dict.fromkeys(STEPS, ("phase_began", lambda e: _PHASE[STEPS[type(e)]])),
    core.ReentryPaid: ("reentry_paid", record(pb.ReentryPaid, "seat amount")),
    core.AntePosted: ("ante_posted", record(pb.AntePosted, "seat amount")),
    core.TurnExpired: ("turn_expired", record(pb.TurnExpired, "seat")),
    core.PlayerLeft: ("player_leaving", record(pb.PlayerLeaving, "seat")),
    core.UncalledBetReturned: ("uncalled_bet_returned", record(pb.UncalledBetReturned, "seat amount")),
    core.OpeningJudged: ("opening_judged", record(pb.OpeningJudged, "seat split")),
    core.StakeReturned: ("stake_returned", record(pb.StakeReturned, "seat amount")),
}

READERS: Final[dict[str, Callable[[Any], core.Event]]] = {
    "seat_acted": move_from_proto,
    "phase_began": lambda sent: _STEPS_BY_PHASE[sent.phase](),
    "reentry_paid": lambda sent: core.ReentryPaid(sent.seat, sent.amount),
    "ante_posted": lambda sent: core.AntePosted(sent.seat, sent.amount),
    "turn_expired": lambda sent: core.TurnExpired(sent.seat),
    "player_leaving": lambda sent: core.PlayerLeft(sent.seat),
    "uncalled_bet_returned": lambda sent: core.UncalledBetReturned(sent.seat, sent.amount),
    "opening_judged": lambda sent: core.OpeningJudged(sent.seat, sent.split),
    "stake_returned": lambda sent: core.StakeReturned(sent.seat, sent.amount),
}
