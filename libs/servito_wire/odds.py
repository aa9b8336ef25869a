"""The evaluator's counts of what may come, as plain values, both ways.

Here: what a request must be to be readable at all, and its limits. Not here: counting, connections. Judgement
of what is there already is in `evaluator`. Changes with `evaluator.proto`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito_core.cards import Card, CardError
from servito_core.values import Category, SfKind
from servito_wire.cards import cards_from_proto
from servito_wire.ranking import (
    CATEGORIES,
    CATEGORY_NUMBERS,
    KIND_NUMBERS,
    KINDS,
    NUMBERS,
    Malformed,
    option_value,
    rules_from_proto,
    rules_to_proto,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from servito_core.rules import RankingRules
    from servito_core.rules.ruleset import OpenDraw, Requirement

    Outcome = tuple[Category, SfKind | None]

MOST_OPPONENTS: Final = 9

Cards = tuple[Card, ...]


class DrawsRequest(NamedTuple):
    """What may become of the cards kept of a hand."""

    rules: RankingRules
    lowest: int
    hand: Cards
    kept: Cards
    dead: Cards


class OpenersOddsRequest(NamedTuple):
    """How likely it is that one of some opponents may open."""

    rules: RankingRules
    lowest: int
    requirement: Requirement
    draw: OpenDraw
    known: Cards
    opponents: int


def draws_request(request: DrawsRequest) -> pb.CountDrawsRequest:
    """Write."""
    return pb.CountDrawsRequest(
        rules=rules_to_proto(request.rules, request.lowest),
        hand=request.hand,
        kept=request.kept,
        dead=request.dead,
    )


def read_draws_request(sent: pb.CountDrawsRequest) -> DrawsRequest:
    """Read; `Malformed` for what names no card."""
    rules, lowest = rules_from_proto(sent.rules)
    return DrawsRequest(rules, lowest, _cards(sent.hand), _cards(sent.kept), _cards(sent.dead))


def draws_response(counts: Mapping[Outcome, int]) -> pb.CountDrawsResponse:
    """Write."""
    outcomes = [
        pb.DrawOutcome(
            category=CATEGORY_NUMBERS[category],
            straight_flush_kind=KIND_NUMBERS[kind] if kind else pb.STRAIGHT_FLUSH_KIND_UNSPECIFIED,
            favourable=counts[category, kind],
        )
        for category, kind in sorted(counts, key=lambda outcome: (outcome[0], outcome[1] or 0))
    ]
    return pb.CountDrawsResponse(total=sum(counts.values()), outcomes=outcomes)


def read_draws_response(sent: pb.CountDrawsResponse) -> dict[Outcome, int]:
    """Read: how many of the possible draws lead to each outcome; ValueError if they do not add up."""
    counts: dict[Outcome, int] = {}
    for outcome in sent.outcomes:
        if outcome.category not in CATEGORIES:
            raise ValueError("the evaluator sent an outcome without a known category")
        counts[CATEGORIES[outcome.category], KINDS.get(outcome.straight_flush_kind)] = outcome.favourable
    if not counts or sum(counts.values()) != sent.total:
        raise ValueError("the outcomes that the evaluator sent do not add up to its total")
    return counts


def openers_odds_request(request: OpenersOddsRequest) -> pb.CountOpenersRequest:
    """Write; KeyError for the requirement none, at which nobody has to be asked."""
    return pb.CountOpenersRequest(
        rules=rules_to_proto(request.rules, request.lowest),
        requirement=cast("pb.OpeningRequirement.ValueType", NUMBERS["open_requirement"][request.requirement]),
        draw=cast("pb.OpeningDraw.ValueType", NUMBERS["open_draw"][request.draw]),
        known=request.known,
        opponents=request.opponents,
    )


def read_openers_odds_request(sent: pb.CountOpenersRequest) -> OpenersOddsRequest:
    """Read; `Malformed` outside of the limits of the proto."""
    if not 1 <= sent.opponents <= MOST_OPPONENTS:
        raise Malformed(f"opponents must be 1 to {MOST_OPPONENTS}, not {sent.opponents}")
    requirement = cast("Requirement", option_value("open_requirement", sent.requirement))
    draw = cast("OpenDraw", option_value("open_draw", sent.draw))
    rules, lowest = rules_from_proto(sent.rules)
    return OpenersOddsRequest(rules, lowest, requirement, draw, _cards(sent.known), sent.opponents)


def openers_odds_response(chances: Iterable[tuple[int, int]]) -> pb.CountOpenersResponse:
    """Write favourable and total for one opponent, for two, and so on."""
    return pb.CountOpenersResponse(
        by_opponents=[pb.Chance(favourable=str(some), total=str(every)) for some, every in chances]
    )


def read_openers_odds_response(sent: pb.CountOpenersResponse) -> list[tuple[int, int]]:
    """Read favourable and total for one opponent, for two, and so on; ValueError if these are no chances."""
    chances = [(int(chance.favourable), int(chance.total)) for chance in sent.by_opponents]
    if not chances or not all(0 <= some <= every and every for some, every in chances):
        raise ValueError("the evaluator sent no chance, or one that is not between 0 and 1")
    return chances


def _cards(numbers: Iterable[int]) -> Cards:
    try:
        return cards_from_proto(numbers)
    except CardError as error:
        raise Malformed(str(error)) from error
