"""The answers that a hand needs from outside, given by the core's own definition instead of the services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.commands import SupplyOpeners, SupplyWinners
from servito_core.hand import advance, play, waiting_for
from servito_core.state import CardsNeeded, OpenersNeeded, WinnersNeeded
from servito_script.judge import judge_of

if TYPE_CHECKING:
    from servito_core.commands import Command
    from servito_core.events import Event
    from servito_core.rules.ruleset import Requirement
    from servito_core.state import HandState
    from servito_script.known_deck import KnownDeck


def play_on(hand: HandState, command: Command, deck: KnownDeck) -> tuple[list[Event], HandState]:
    """The events of `command` and of every answer that the hand then needs, until it waits for a player or
    is over.

    Raises `Refused` like `play`, also when an answer makes the rules refuse the command; `hand` is
    unchanged then.
    """
    played, hand = play(hand, command)
    return [*played, *advance_served(hand, deck)], hand


def serve(hand: HandState, deck: KnownDeck) -> tuple[list[Event], HandState]:
    """Give the hand every answer that it needs from outside; the events, and the state that waits for a
    player.
    """
    hand = hand.copied()
    return advance_served(hand, deck), hand


def advance_served(hand: HandState, deck: KnownDeck) -> list[Event]:
    """`serve` in place, for whoever holds the hand alone."""
    events: list[Event] = []
    while hand.to_act is None and (answer := answer_to(hand, deck)) is not None:
        events.extend(advance(hand, answer))
    return events


def answer_to(hand: HandState, deck: KnownDeck) -> Command | None:
    """What the hand waits for from outside; None if it waits for a player, or is over."""
    if hand.to_act is not None:
        return None
    match waiting_for(hand):
        case CardsNeeded() as request:
            return deck.answer(hand, request)
        case OpenersNeeded() as request:
            return judge_openers(hand, request)
        case WinnersNeeded() as request:
            return judge_winners(hand, request)
        case _:
            return None


def judge_openers(hand: HandState, request: OpenersNeeded) -> SupplyOpeners:
    """Who may open, and with which cards."""
    judge = judge_of(hand.rules, hand.lowest_rank)
    requirement: Requirement = request.requirement  # type: ignore[assignment] # a state's level is always one
    found = {seat: judge.openers(cards, requirement, request.raised) for seat, cards in request.hands.items()}
    return SupplyOpeners({seat: cards for seat, cards in found.items() if cards})


def judge_winners(hand: HandState, request: WinnersNeeded) -> SupplyWinners:
    """The winner set of each pot and the value of each hand."""
    judge = judge_of(hand.rules, hand.lowest_rank)
    values = {seat: judge.value(cards) for seat, cards in request.hands.items()}
    return SupplyWinners(tuple([judge.winners(values, seats) for seats in request.contests]), values)
