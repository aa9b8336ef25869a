"""The answers that a hand needs from outside, given by the core's own definition instead of the services."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from servito_core.cards import rank_of, suit_of
from servito_core.commands import SupplyOpeners, SupplyWinners
from servito_core.hand import play, waiting_for
from servito_core.openers import opening_cards
from servito_core.ranking import groups_by_value, shape_of
from servito_core.state import CardsNeeded, OpenersNeeded, WinnersNeeded

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_core.commands import Command
    from servito_core.events import Event
    from servito_core.ranking import Shape
    from servito_core.rules import RuleSet
    from servito_core.rules.ruleset import Requirement
    from servito_core.state import HandState
    from servito_core.values import HandValue
    from servito_script.known_deck import KnownDeck


def play_on(hand: HandState, command: Command, deck: KnownDeck) -> tuple[list[Event], HandState]:
    """The events of `command` and of every answer that the hand then needs, until it waits for a player or
    is over.

    Raises `Refused` like `play`, also when an answer makes the rules refuse the command; `hand` is
    unchanged then.
    """
    played, hand = play(hand, command)
    answered, hand = serve(hand, deck)
    return [*played, *answered], hand


def serve(hand: HandState, deck: KnownDeck) -> tuple[list[Event], HandState]:
    """Give the hand every answer that it needs from outside; the events, and the state that waits for a
    player.
    """
    events: list[Event] = []
    while (answer := answer_to(hand, deck)) is not None:
        played, hand = play(hand, answer)
        events.extend(played)
    return events, hand


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
    requirement: Requirement = request.requirement  # type: ignore[assignment] # a state's level is always one of them
    found = {
        seat: opening_cards(cards, requirement, hand.rules, hand.lowest_rank, request.raised) if cards else ()
        for seat, cards in request.hands.items()
    }
    return SupplyOpeners({seat: cards for seat, cards in found.items() if cards})


def judge_winners(hand: HandState, request: WinnersNeeded) -> SupplyWinners:
    """The winner set of each pot and the value of each hand."""
    rules, lowest = hand.rules, hand.lowest_rank
    judged = _judged(rules, lowest)
    values = {seat: _value(cards, judged, rules, lowest) for seat, cards in request.hands.items()}
    sets = [
        frozenset().union(*groups_by_value({seat: values[seat] for seat in seats}, rules, lowest))
        for seats in request.contests
    ]
    return SupplyWinners(tuple(sets), values)


Judged = dict[tuple[tuple[int, ...], bool], "tuple[Shape, dict[int | None, HandValue]]"]


@lru_cache(maxsize=16)
def _judged(rules: RuleSet, lowest: int) -> Judged:  # noqa: ARG001 - the key
    """What was found so far under these rules: thousands of hands share a shape, and simulation plays on."""
    return {}


def _value(cards: tuple[Card, ...], judged: Judged, rules: RuleSet, lowest: int) -> HandValue:
    """`ranking.rank`, of cards that the hand has checked already."""
    ranks = [rank_of(card) for card in cards]
    suits = [suit_of(card) for card in cards]
    key = tuple(sorted(ranks)), suits.count(suits[0]) == 5
    if key not in judged:
        judged[key] = shape_of(*key, rules, lowest), {}
    shape, values = judged[key]
    suit = None
    if shape.suit_rank is not None:
        suit = max(suit for rank, suit in zip(ranks, suits, strict=True) if rank == shape.suit_rank)
    if suit not in values:
        values[suit] = shape.value(suit)
    return values[suit]
