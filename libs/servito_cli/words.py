"""The words in which a hand is told: cards, moves, phases, endings.

Only vocabulary; what is told when is story.py. Changes with ActionKind, Phase and Outcome of table.proto.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from servito_client.messages import ActionKind, Outcome, Phase
from servito_core.cards import Card, format_card

CardText = Callable[[int], str]

SUITS: Final = str.maketrans("scdh", "♠♣♦♥")
RANKS: Final = {10: "ten", 11: "jack", 12: "queen", 13: "king", 14: "ace"}
PHASES: Final = {
    Phase.PHASE_BLINDS: "blinds",
    Phase.PHASE_DRAW: "the draw",
    Phase.PHASE_SECOND_ROUND: "second round",
    Phase.PHASE_SHOWDOWN: "showdown",
}
MOVES: Final = {
    ActionKind.ACTION_KIND_PASS: "passes",
    ActionKind.ACTION_KIND_OPEN: "opens with {to}",
    ActionKind.ACTION_KIND_CHECK: "checks",
    ActionKind.ACTION_KIND_BET: "bets {to}",
    ActionKind.ACTION_KIND_CALL: "calls {to}",
    ActionKind.ACTION_KIND_RAISE: "raises to {to}",
    ActionKind.ACTION_KIND_FOLD: "folds",
    ActionKind.ACTION_KIND_POST_BLIND: "goes blind for {to}",
    ActionKind.ACTION_KIND_COVER_BLIND: "covers the blind unseen, {to}",
    ActionKind.ACTION_KIND_DECLINE_BLIND: "wants no blind",
}
ENDS: Final = {
    Outcome.OUTCOME_PASSED_OUT: "Nobody opens: {carried} chips stay in the middle, next deal {next}.",
    Outcome.OUTCOME_CARRIED_OVER: "No bet, no showdown: {carried} chips stay in the middle.",
    Outcome.OUTCOME_VOID: "The hand is void: everybody gets his chips back.",
}


def suit_signs(card: int) -> str:
    """A card with its suit as a sign: `K♥`."""
    return format_card(Card(card)).translate(SUITS)


def letters(card: int) -> str:
    """A card as the scripts write it: `Kh`; for terminals without the signs."""
    return format_card(Card(card))


def number_of_cards(count: int) -> str:
    """Cards that are not known."""
    return "a card" if count == 1 else f"{count} cards"
