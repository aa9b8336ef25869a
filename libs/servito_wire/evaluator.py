"""The evaluator's requests and responses as plain values, both ways.

Here: what a request must be to be readable at all, and its limits. Not here: judging, connections. Rules and
hand values are in `ranking`. Changes with `evaluator.proto`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import grpc

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito_core.cards import Card, CardError
from servito_wire.cards import cards_from_proto
from servito_wire.ranking import (
    NUMBERS,
    Malformed,
    option_value,
    rules_from_proto,
    rules_to_proto,
    value_from_proto,
    value_to_proto,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from servito_core.rules import RankingRules
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_core.values import HandValue

MALFORMED: Final = "MALFORMED"
"""The one reason for which the evaluator refuses, in google.rpc.ErrorInfo."""

MALFORMED_CODE: Final = grpc.StatusCode.INVALID_ARGUMENT

MOST_HANDS: Final = 16_384
MOST_HOLDINGS: Final = 1_024
MOST_IN_A_DEAL: Final = 10

Cards = tuple[Card, ...]


class RankRequest(NamedTuple):
    """Hands to be named, in their order."""

    rules: RankingRules
    lowest: int
    hands: list[Cards]


class OpenersRequest(NamedTuple):
    """Who may open: what opens, and the holdings by slot."""

    rules: RankingRules
    lowest: int
    requirement: Requirement
    draw: OpenDraw
    holdings: dict[int, Cards]


class WinnersRequest(NamedTuple):
    """Who wins: the hands by slot, and the slots that contest each pot."""

    rules: RankingRules
    lowest: int
    hands: dict[int, Cards]
    contests: list[tuple[int, ...]]


class Judgement(NamedTuple):
    """The winner set of each pot, in the order asked, and the value of each hand by slot."""

    winner_sets: list[frozenset[int]]
    values: dict[int, HandValue]


def rank_request(request: RankRequest) -> pb.RankHandsRequest:
    """Write; the slots are the places in the list."""
    return pb.RankHandsRequest(
        rules=rules_to_proto(request.rules, request.lowest), hands=_holdings(enumerate(request.hands))
    )


def read_rank_request(sent: pb.RankHandsRequest) -> RankRequest:
    """Read; `Malformed` outside of the limits of the proto."""
    _at_most("hands", sent.hands, MOST_HANDS)
    return RankRequest(*rules_from_proto(sent.rules), [_cards(holding) for holding in sent.hands])


def rank_response(values: Iterable[HandValue]) -> pb.RankHandsResponse:
    """Write."""
    return pb.RankHandsResponse(values=map(value_to_proto, values))


def read_rank_response(sent: pb.RankHandsResponse) -> list[HandValue]:
    """Read."""
    return [value_from_proto(value) for value in sent.values]


def openers_request(request: OpenersRequest) -> pb.FindOpenersRequest:
    """Write; KeyError for the requirement none, at which nobody has to be asked."""
    return pb.FindOpenersRequest(
        rules=rules_to_proto(request.rules, request.lowest),
        requirement=cast("pb.OpeningRequirement.ValueType", NUMBERS["open_requirement"][request.requirement]),
        draw=cast("pb.OpeningDraw.ValueType", NUMBERS["open_draw"][request.draw]),
        holdings=_holdings(request.holdings.items()),
    )


def read_openers_request(sent: pb.FindOpenersRequest) -> OpenersRequest:
    """Read; `Malformed` outside of the limits of the proto."""
    _at_most("holdings", sent.holdings, MOST_HOLDINGS)
    requirement = cast("Requirement", option_value("open_requirement", sent.requirement))
    draw = cast("OpenDraw", option_value("open_draw", sent.draw))
    return OpenersRequest(*rules_from_proto(sent.rules), requirement, draw, _by_slot(sent.holdings))


def openers_response(openers: Mapping[int, Cards]) -> pb.FindOpenersResponse:
    """Write."""
    return pb.FindOpenersResponse(
        openers=[pb.Opener(slot=slot, cards=cards) for slot, cards in openers.items()]
    )


def read_openers_response(sent: pb.FindOpenersResponse) -> dict[int, Cards]:
    """Read: the cards that qualify each slot that may open."""
    return {opener.slot: cards_from_proto(opener.cards) for opener in sent.openers}


def winners_request(request: WinnersRequest) -> pb.FindWinnersRequest:
    """Write."""
    return pb.FindWinnersRequest(
        rules=rules_to_proto(request.rules, request.lowest),
        hands=_holdings(request.hands.items()),
        contests=[pb.Contest(slots=slots) for slots in request.contests],
    )


def read_winners_request(sent: pb.FindWinnersRequest) -> WinnersRequest:
    """Read; `Malformed` outside of the limits of the proto."""
    _at_most("hands", sent.hands, MOST_IN_A_DEAL)
    _at_most("contests", sent.contests, MOST_IN_A_DEAL)
    hands = _by_slot(sent.hands)
    contests = [tuple(contest.slots) for contest in sent.contests]
    for slots in contests:
        if not slots or len(set(slots)) < len(slots) or not hands.keys() >= set(slots):
            raise Malformed("a contest names at least one slot, each once and each among hands")
    return WinnersRequest(*rules_from_proto(sent.rules), hands, contests)


def winners_response(judgement: Judgement) -> pb.FindWinnersResponse:
    """Write; the values in the order of the hands asked for."""
    return pb.FindWinnersResponse(
        winner_sets=[pb.WinnerSet(slots=sorted(slots)) for slots in judgement.winner_sets],
        values=map(value_to_proto, judgement.values.values()),
    )


def read_winners_response(sent: pb.FindWinnersResponse, asked: WinnersRequest) -> Judgement:
    """Read what was answered to `asked`; ValueError if it does not answer it."""
    winner_sets = [frozenset(winner_set.slots) for winner_set in sent.winner_sets]
    if len(sent.values) != len(asked.hands) or len(winner_sets) != len(asked.contests):
        raise ValueError("the evaluator answered another number of hands or contests than were asked")
    for winners, slots in zip(winner_sets, asked.contests, strict=True):
        if not winners or not winners <= set(slots):
            raise ValueError("the evaluator named no winner, or one who does not contest the pot")
    values = map(value_from_proto, sent.values)
    return Judgement(winner_sets, dict(zip(asked.hands, values, strict=True)))


def _holdings(holdings: Iterable[tuple[int, Cards]]) -> list[pb.Holding]:
    return [pb.Holding(slot=slot, cards=cards) for slot, cards in holdings]


def _by_slot(holdings: Sequence[pb.Holding]) -> dict[int, Cards]:
    by_slot = {holding.slot: _cards(holding) for holding in holdings}
    if len(by_slot) < len(holdings):
        raise Malformed("a slot is named twice")
    return by_slot


def _cards(holding: pb.Holding) -> Cards:
    try:
        return cards_from_proto(holding.cards)
    except CardError as error:
        raise Malformed(str(error)) from error


def _at_most(field: str, entries: Sequence[object], most: int) -> None:
    if len(entries) > most:
        raise Malformed(f"at most {most} {field} in one request, not {len(entries)}")
