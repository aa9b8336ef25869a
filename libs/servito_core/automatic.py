"""What a hand does by itself until it waits again: rounds that close, phases that begin, seats without a
player.

`next_events` reads it off the state alone, one stage at a time; `hand.play` repeats it until there is nothing
left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.dealing import needs_openers
from servito_core.endings import carried_over, is_carried_over, passed_out, uncontested
from servito_core.events import (
    BlindsClosed,
    DeferredDrawBegan,
    DrawBegan,
    FirstRoundBegan,
    SecondRoundBegan,
    ShowdownBegan,
)
from servito_core.interruptions import cards_on_their_way, default_action
from servito_core.pots import uncalled_bet
from servito_core.state import (
    BLINDS,
    DEAL,
    DEFERRED,
    DRAW,
    FIRST_ROUND,
    OPENING,
    OVER,
    SECOND_ROUND,
    SHOWDOWN,
    Phase,
)
from servito_core.turns import able_count, live_count, next_owed

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito_core.events import Event
    from servito_core.state import HandState


def next_events(hand: HandState) -> tuple[Event, ...]:
    """The events of the next stage; none when the hand waits for a player or for an answer from outside."""
    index = hand.to_act
    if index is not None:
        return (default_action(hand, index),) if hand.players[index].left else ()
    if hand.phase is OVER or cards_on_their_way(hand):
        return ()
    if live_count(hand) < 2:
        return uncontested(hand)
    return STAGES[hand.phase](hand)


def _blinds_over(hand: HandState) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all stages
    return (BlindsClosed(),)


def _dealt(hand: HandState) -> tuple[Event, ...]:
    """Where an opening is required the hand waits for word who may open."""
    return () if needs_openers(hand) else (FirstRoundBegan(),)


def _nobody_opened(hand: HandState) -> tuple[Event, ...]:
    """Thrown in, unless a seat is all-in for the ante: its share has to be settled in this deal (`RULES.md
    B2`).
    """
    if all(player.folded or player.stack for player in hand.players):
        return passed_out(hand)
    return (DrawBegan(),)


def _first_round_over(hand: HandState) -> tuple[Event, ...]:
    return (*_returned(hand), DrawBegan())


def _returned(hand: HandState) -> tuple[Event, ...]:
    """What nobody called goes back before anything else happens to it."""
    returned = uncalled_bet(hand)
    return () if returned is None else (returned,)


def _drawn(hand: HandState) -> tuple[Event, ...]:
    """Every live seat has announced its change."""
    return _served(hand) if next_owed(hand, -1) is None else (DeferredDrawBegan(),)


def _served(hand: HandState) -> tuple[Event, ...]:
    """The second round is skipped when at most one live seat has chips (`RULES.md B5`)."""
    return (SecondRoundBegan() if able_count(hand) > 1 else ShowdownBegan(),)


def _second_round_over(hand: HandState) -> tuple[Event, ...]:
    end = carried_over(hand) if is_carried_over(hand) else (ShowdownBegan(),)
    return (*_returned(hand), *end)


def _waits_for_winners(hand: HandState) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all stages
    return ()


STAGES: dict[Phase, Callable[[HandState], tuple[Event, ...]]] = {
    BLINDS: _blinds_over,
    DEAL: _dealt,
    OPENING: _nobody_opened,
    FIRST_ROUND: _first_round_over,
    DRAW: _drawn,
    DEFERRED: _served,
    SECOND_ROUND: _second_round_over,
    SHOWDOWN: _waits_for_winners,
}
