"""`servito odds`: what a draw may bring, and whether an opponent may open, counted by an evaluator.

Here: reading what was typed, and asking. An evaluator is started for the question, unless a running one is
named. The answer is shown by odds_shown.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from servito_cli.console import FAILED, UNUSABLE, complain
from servito_cli.evaluate import hands_of
from servito_cli.interrupts import INTERRUPTED, run_interruptible
from servito_cli.odds_shown import Answer, show
from servito_client.errors import Refusal, Unanswered
from servito_client.odds import EvaluatorOdds
from servito_core.cards import Card, parse_cards, rank_of
from servito_core.openers import draw_in_force
from servito_core.rules import OPTIONS, RuleSet, preset
from servito_core.rules.ruleset import Requirement
from servito_local.one_service import one_service
from servito_local.part import PartFailed
from servito_wire.odds import DrawsRequest, OpenersOddsRequest


@dataclass(frozen=True, slots=True)
class Asked:
    """What was typed. `keep` None: nothing about a draw; other Nones leave it to the rules and the cards."""

    hand: str
    keep: str | None = None
    dead: str = ""
    players: int | None = None
    opponents: int | None = None
    opens: str | None = None
    preset: str = "italiana"
    evaluator: str | None = None


@dataclass(frozen=True, slots=True)
class _Questions:
    """What an evaluator is asked; None where nothing is."""

    draws: DrawsRequest | None
    openers: OpenersOddsRequest | None


def run_odds(asked: Asked) -> int:
    """Asks and shows; the exit code."""
    try:
        questions = _questions(asked)
        answer = run_interruptible(_ask(questions, asked.evaluator))
    except (ValueError, Refusal) as unusable:
        complain(unusable.message if isinstance(unusable, Refusal) else str(unusable))
        return UNUSABLE
    except (PartFailed, Unanswered) as failure:
        complain(str(failure))
        return FAILED
    if answer is None:
        return INTERRUPTED
    show(answer, asked.preset)
    return 0


def _questions(asked: Asked) -> _Questions:
    """ValueError, with a text for people, if they cannot be asked."""
    rules = preset(asked.preset)
    hand, dead = _cards(asked.hand), _cards(asked.dead)
    if len(hand) != 5:
        raise ValueError(f"a hand is five cards, not {len(hand)}")
    players = asked.players or _fewest_players([*hand, *dead], asked.opponents or 0)
    lowest = rules.lowest_rank(players)
    draws = None
    if asked.keep is not None:
        kept = _cards(asked.keep)
        if len(hand) - len(kept) > rules.draw_max:
            raise ValueError(f"under the rules {asked.preset} at most {rules.draw_max} cards are changed")
        draws = DrawsRequest(rules.ranking, lowest, hand, kept, dead)
    opponents = players - 1 if asked.opponents is None else asked.opponents
    requirement = _requirement(asked, rules)
    openers = None
    if requirement != "none" and opponents:
        draw = draw_in_force(rules, raised=requirement != rules.open_requirement)
        known = (*hand, *dead)
        openers = OpenersOddsRequest(rules.ranking, lowest, requirement, draw, known, opponents)
    return _Questions(draws, openers)


def _cards(text: str) -> tuple[Card, ...]:
    """Cards typed together or apart."""
    return parse_cards(hands_of([text])[0])


def _fewest_players(cards: list[Card], opponents: int) -> int:
    """As few as there are, or as many more as it takes for a deck that has all the cards."""
    return max(2, opponents + 1, 11 - min(map(rank_of, cards), default=14))


def _requirement(asked: Asked, rules: RuleSet) -> Requirement:
    option = next(option for option in OPTIONS if option.key == "open.requirement")
    requirement = asked.opens or rules.open_requirement
    if not option.accepts(requirement):
        raise ValueError(f"{requirement} is no opening requirement: {option.allowed}")
    return cast("Requirement", requirement)


async def _ask(questions: _Questions, evaluator: str | None) -> Answer:
    if evaluator is not None:
        return await _ask_at(evaluator, questions)
    with TemporaryDirectory(prefix="servito-odds-") as directory:
        async with one_service("evaluator", Path(directory)) as target:
            return await _ask_at(target, questions)


async def _ask_at(target: str, questions: _Questions) -> Answer:
    async with EvaluatorOdds(target) as odds:
        counts = await odds.after_draw(questions.draws) if questions.draws else {}
        chances = await odds.some_opens(questions.openers) if questions.openers else []
    return Answer(questions.draws, counts, questions.openers, chances)
