"""The protocol of odds: what is written is read back, garbage is refused or not believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito_core.cards import parse_cards
from servito_core.rules import RankingRules
from servito_core.values import Category, SfKind
from servito_wire import odds as wire
from servito_wire.ranking import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = RankingRules(suit_tiebreak="kicker", ace_low="never")
HAND = parse_cards("Ah Kd Qh Jc 9h")
COUNTS: dict[tuple[Category, SfKind | None], int] = {
    (Category.ONE_PAIR, None): 7,
    (Category.STRAIGHT_FLUSH, SfKind.MINIMA): 2,
    (Category.STRAIGHT_FLUSH, SfKind.MASSIMA): 1,
}


def test_requests_are_read_back() -> None:
    """What is asked is what the evaluator reads, with empty and full fields."""
    for draws in (
        wire.DrawsRequest(RULES, 7, HAND, HAND[:3], parse_cards("7s 8s")),
        wire.DrawsRequest(RULES, 7, HAND, (), ()),
    ):
        assert wire.read_draws_request(wire.draws_request(draws)) == draws
    chances = wire.OpenersOddsRequest(RULES, 5, "KK", "flush4", HAND, 4)
    assert wire.read_openers_odds_request(wire.openers_odds_request(chances)) == chances


def test_answers_are_read_back_even_beyond_64_bits() -> None:
    """Counts of draws by outcome; chances as fractions of any size."""
    assert wire.read_draws_response(wire.draws_response(COUNTS)) == COUNTS
    chances = [(0, 1), (3**70, 3**71)]
    assert wire.read_openers_odds_response(wire.openers_odds_response(chances)) == chances


def _chances() -> pb.CountOpenersRequest:
    return wire.openers_odds_request(wire.OpenersOddsRequest(RULES, 5, "KK", "none", HAND, 4))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda sent: setattr(sent, "opponents", 0), "opponents must be 1 to 9, not 0"),
        (lambda sent: setattr(sent, "opponents", 10), "opponents must be 1 to 9, not 10"),
        (lambda sent: sent.known.append(52), "52 is not a card"),
        (lambda sent: sent.ClearField("draw"), "open_draw must be one of"),
        (lambda sent: sent.ClearField("requirement"), "open_requirement must be one of"),
        (lambda sent: sent.ClearField("rules"), "rules.lowest_rank"),
    ],
)
def test_requests_that_cannot_be_read_are_refused(
    spoil: Callable[[pb.CountOpenersRequest], object], message: str
) -> None:
    """Each with what is allowed."""
    sent = _chances()
    spoil(sent)
    with pytest.raises(Malformed, match=message):
        wire.read_openers_odds_request(sent)


@pytest.mark.parametrize("field", ["hand", "kept", "dead"])
def test_what_is_no_card_is_refused(field: str) -> None:
    """In every field that holds cards."""
    sent = wire.draws_request(wire.DrawsRequest(RULES, 7, HAND, HAND, ()))
    getattr(sent, field).append(99)
    with pytest.raises(Malformed, match="99 is not a card"):
        wire.read_draws_request(sent)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: setattr(answer, "total", 11),
        lambda answer: answer.outcomes.pop(),
        lambda answer: answer.Clear(),
        lambda answer: answer.outcomes[0].ClearField("category"),
    ],
)
def test_draws_that_do_not_add_up_are_not_believed(spoil: Callable[[pb.CountDrawsResponse], object]) -> None:
    """Every draw has one outcome."""
    answer = wire.draws_response(COUNTS)
    spoil(answer)
    with pytest.raises(ValueError, match="the evaluator"):
        wire.read_draws_response(answer)


@pytest.mark.parametrize("chances", [[], [(1, 0)], [(3, 2)], [(-1, 2)], [(0, 0)]])
def test_chances_outside_of_zero_and_one_are_not_believed(chances: list[tuple[int, int]]) -> None:
    """Nor an answer without any."""
    with pytest.raises(ValueError, match="no chance"):
        wire.read_openers_odds_response(wire.openers_odds_response(chances))
