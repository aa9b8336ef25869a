"""A running hand as its callers see it: decide, what it waits for, what is legal.

The dispatch lives here and nothing else: each command is decided in the module of its phase, `automatic` says
what follows, `evolve` makes states. Deals follow one another in `deals`, what may be shown is in `view`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from servito_core import commands as c
from servito_core.automatic import next_events
from servito_core.betting import bet, betting_offer, call, check, fold, raise_to
from servito_core.blinds import blinds_offer, cover_blind, decline_blind, post_blind
from servito_core.dealing import openers_needed, supply_deal, supply_openers, waits_for_deal
from servito_core.drawing import draw, drawing_offer, is_judging, kept_openers_needed, supply_draw
from servito_core.evolve import CHANGES
from servito_core.interruptions import expire_turn, leave, unreadable, void_hand
from servito_core.opening import open_, opening_offer, pass_
from servito_core.showdown import award, concede, showdown_offer, table_hand, winners_needed
from servito_core.state import (
    BLINDS,
    DRAW,
    FIRST_ROUND,
    OPENING,
    OVER,
    SECOND_ROUND,
    SHOWDOWN,
    CardsNeeded,
    HandOver,
    Phase,
    SeatToAct,
)
from servito_core.stock import cards_needed

if TYPE_CHECKING:
    from servito_core.commands import Command
    from servito_core.events import Event
    from servito_core.state import HandState, Offer, Waiting

DECISIONS: dict[type[Command], Callable[[HandState, Any], tuple[Event, ...]]] = {
    c.Pass: pass_,
    c.Open: open_,
    c.Check: check,
    c.Bet: bet,
    c.Call: call,
    c.RaiseTo: raise_to,
    c.Fold: fold,
    c.Draw: draw,
    c.PostBlind: post_blind,
    c.CoverBlind: cover_blind,
    c.DeclineBlind: decline_blind,
    c.TableHand: table_hand,
    c.Concede: concede,
    c.Unreadable: unreadable,
    c.ExpireTurn: expire_turn,
    c.Leave: leave,
    c.Void: void_hand,
    c.SupplyDeal: supply_deal,
    c.SupplyDraw: supply_draw,
    c.SupplyOpeners: supply_openers,
    c.SupplyWinners: award,
}

OFFERS: dict[Phase, Callable[[HandState, int], Offer]] = {
    BLINDS: blinds_offer,
    OPENING: opening_offer,
    FIRST_ROUND: betting_offer,
    DRAW: drawing_offer,
    SECOND_ROUND: betting_offer,
    SHOWDOWN: showdown_offer,
}


def decide(state: HandState, command: Command) -> tuple[Event, ...]:
    """The command's event and everything that follows by itself until the hand waits again; raises
    `Refused`.
    """
    return play(state, command)[0]


def play(state: HandState, command: Command) -> tuple[tuple[Event, ...], HandState]:
    """`decide`, and the state after its events: the same as folding them, but on one copy, and not twice."""
    hand = state.copied()
    return advance(hand, command), hand


def advance(hand: HandState, command: Command) -> tuple[Event, ...]:
    """`play` in place, for whoever holds the hand alone: returns the events and changes the hand.

    A refused command changes nothing, here too.
    """
    events = following = DECISIONS[type(command)](hand, command)
    while following:
        for event in following:
            CHANGES[type(event)](hand, event)
        following = next_events(hand)
        events += following
    return events


def waiting_for(state: HandState) -> Waiting:
    """The one thing that the hand waits for."""
    if state.to_act is not None:
        return SeatToAct(state.players[state.to_act].seat)
    if state.phase is OVER:
        return HandOver()
    if state.serving is not None:
        if is_judging(state):
            return kept_openers_needed(state, state.serving)
        return cards_needed(state, state.serving)
    if waits_for_deal(state):
        return CardsNeeded(entry=0)
    return winners_needed(state) if state.phase is SHOWDOWN else openers_needed(state)


def legal_actions(state: HandState, seat: int) -> Offer | None:
    """What `seat` may do now; None when it is not its turn."""
    index = state.to_act
    if index is None or state.players[index].seat != seat:
        return None
    return OFFERS[state.phase](state, index)
