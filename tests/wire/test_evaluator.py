"""The evaluator's protocol: every option travels, what is written is read back, garbage is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito_core.cards import parse_cards
from servito_core.rules import OPTIONS, PRESETS, RankingRules, preset
from servito_core.values import Category, HandValue, SfKind
from servito_wire import evaluator as wire
from servito_wire import ranking
from servito_wire.ranking import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = RankingRules(suit_tiebreak="kicker", flush_tiebreak="suit_first", sf_standoff="all_holders")
ONE, OTHER = parse_cards("Ah Kd Qh Jc 9h"), parse_cards("7s 8s 9s Ts Js")


@pytest.mark.parametrize("field", ranking.ENUMS)
def test_every_value_of_an_option_has_its_number_and_every_number_its_value(field: str) -> None:
    """The enum of the proto and the option of the core are the same list; none is not asked for."""
    enum, prefix = ranking.ENUMS[field]
    option = next(option for option in OPTIONS if option.field == field)
    travelling = {value for value in option.values if (field, value) != ("open_requirement", "none")}
    assert ranking.NUMBERS[field].keys() == travelling
    assert set(ranking.VALUES[field]) | {0} == set(enum.values())
    assert enum.Name(0) == f"{prefix}UNSPECIFIED"


@pytest.mark.parametrize("name", PRESETS)
def test_ranking_rules_are_read_back(name: str) -> None:
    """The ranking part of every preset, for any deck."""
    rules = preset(name)
    for lowest in (2, 9):
        assert ranking.rules_from_proto(ranking.rules_to_proto(rules.ranking, lowest)) == (
            rules.ranking,
            lowest,
        )


@pytest.mark.parametrize("category", Category)
def test_hand_values_are_read_back(category: Category) -> None:
    """Each category, with and without a suit; spades are a suit, not the absence of one."""
    for suit in (None, 0, 3):
        value = HandValue(category, (14, 9), None, suit)
        assert ranking.value_from_proto(ranking.value_to_proto(value)) == value


@pytest.mark.parametrize("kind", SfKind)
def test_straight_flushes_keep_their_kind(kind: SfKind) -> None:
    """Minima, media, massima."""
    value = HandValue(Category.STRAIGHT_FLUSH, (11,), kind, 0)
    assert ranking.value_from_proto(ranking.value_to_proto(value)) == value


def test_requests_are_read_back() -> None:
    """What the table asks is what the evaluator reads."""
    rank = wire.RankRequest(RULES, 7, [ONE, OTHER, ONE])
    assert wire.read_rank_request(wire.rank_request(rank)) == rank
    openers = wire.OpenersRequest(RULES, 6, "KK", "flush4", {3: ONE, 0: OTHER[:2]})
    assert wire.read_openers_request(wire.openers_request(openers)) == openers
    winners = wire.WinnersRequest(RULES, 7, {4: ONE, 1: OTHER}, [(1, 4), (4,)])
    assert wire.read_winners_request(wire.winners_request(winners)) == winners


def test_answers_are_read_back() -> None:
    """What the evaluator answers is what the table reads."""
    values = [
        HandValue(Category.STRAIGHT_FLUSH, (11,), SfKind.MEDIA, 0),
        HandValue(Category.FULL_HOUSE, (8, 7)),
    ]
    assert wire.read_rank_response(wire.rank_response(values)) == values
    openers = {3: ONE[:2], 0: OTHER}
    assert wire.read_openers_response(wire.openers_response(openers)) == openers
    asked = wire.WinnersRequest(RULES, 7, {4: ONE, 1: OTHER}, [(1, 4), (4,)])
    judgement = wire.Judgement([frozenset({1, 4}), frozenset({4})], dict(zip((4, 1), values, strict=True)))
    assert wire.read_winners_response(wire.winners_response(judgement), asked) == judgement


def _sent_rules() -> pb.RankingRules:
    message = pb.RankingRules()
    message.CopyFrom(ranking.rules_to_proto(RULES, 7))
    return message


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda sent: sent.Clear(), "rules.lowest_rank must be 2 to 9, not 0"),
        (lambda sent: setattr(sent, "lowest_rank", 10), "rules.lowest_rank must be 2 to 9, not 10"),
        (lambda sent: sent.ClearField("ace_low"), "ace_low must be one of ACE_LOW_ADJACENT_LOWEST, "),
        (lambda sent: setattr(sent, "suit_tiebreak", 77), "suit_tiebreak must be one of SUIT_TIEBREAK_"),
        (
            lambda sent: setattr(sent, "suit_tiebreak", pb.SUIT_TIEBREAK_NONE),
            "rules.flush_tiebreak: suit_first needs suits",
        ),
    ],
)
def test_rules_that_cannot_be_read_are_refused(
    spoil: Callable[[pb.RankingRules], object], message: str
) -> None:
    """Missing, unknown and contradictory values, each with what is allowed."""
    sent = _sent_rules()
    spoil(sent)
    with pytest.raises(Malformed, match=message):
        ranking.rules_from_proto(sent)


def _winners_request() -> pb.FindWinnersRequest:
    return wire.winners_request(wire.WinnersRequest(RULES, 7, {4: ONE, 1: OTHER}, [(1, 4)]))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda sent: sent.hands[0].cards.append(52), "52 is not a card"),
        (lambda sent: sent.hands.append(sent.hands[0]), "a slot is named twice"),
        (lambda sent: sent.hands.extend(pb.Holding(slot=n) for n in range(20, 29)), "at most 10 hands"),
        (lambda sent: sent.contests.extend([pb.Contest(slots=[1])] * 10), "at most 10 contests"),
        (lambda sent: sent.contests.append(pb.Contest()), "at least one slot"),
        (lambda sent: sent.contests.append(pb.Contest(slots=[1, 1])), "each once"),
        (lambda sent: sent.contests.append(pb.Contest(slots=[1, 2])), "each among hands"),
    ],
)
def test_requests_for_winners_are_checked(
    spoil: Callable[[pb.FindWinnersRequest], object], message: str
) -> None:
    """Slots and limits, before anything is judged."""
    sent = _winners_request()
    spoil(sent)
    with pytest.raises(Malformed, match=message):
        wire.read_winners_request(sent)


def test_requests_for_openers_and_names_are_limited() -> None:
    """1,024 holdings and 16,384 hands in one request; a requirement and a draw must be named."""
    sent = wire.openers_request(wire.OpenersRequest(RULES, 7, "JJ", "none", dict.fromkeys(range(1024), ONE)))
    assert len(wire.read_openers_request(sent).holdings) == 1024
    sent.holdings.add(slot=5000)
    with pytest.raises(Malformed, match="at most 1024 holdings"):
        wire.read_openers_request(sent)
    with pytest.raises(Malformed, match="open_requirement must be one of OPENING_REQUIREMENT_JJ"):
        wire.read_openers_request(pb.FindOpenersRequest(rules=_sent_rules(), draw=pb.OPENING_DRAW_NONE))
    with pytest.raises(Malformed, match="open_draw must be one of OPENING_DRAW_NONE"):
        wire.read_openers_request(
            pb.FindOpenersRequest(rules=_sent_rules(), requirement=pb.OPENING_REQUIREMENT_JJ)
        )
    with pytest.raises(Malformed, match="at most 16384 hands"):
        wire.read_rank_request(wire.rank_request(wire.RankRequest(RULES, 7, [()] * 16_385)))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: answer.values.pop(),
        lambda answer: answer.winner_sets.pop(),
        lambda answer: answer.winner_sets[0].slots.append(9),
        lambda answer: answer.winner_sets[0].ClearField("slots"),
        lambda answer: answer.values[0].ClearField("category"),
    ],
)
def test_an_answer_that_does_not_fit_the_question_is_not_believed(
    spoil: Callable[[pb.FindWinnersResponse], object],
) -> None:
    """Chips are never given to a seat that does not contest the pot, whatever an evaluator says."""
    asked = wire.WinnersRequest(RULES, 7, {4: ONE, 1: OTHER}, [(1, 4)])
    value = HandValue(Category.HIGH_CARD, (14, 13, 12, 11, 9), None, 3)
    answer = wire.winners_response(wire.Judgement([frozenset({1})], {4: value, 1: value}))
    assert wire.read_winners_response(answer, asked).winner_sets == [{1}]
    spoil(answer)
    with pytest.raises(ValueError, match="the evaluator"):
        wire.read_winners_response(answer, asked)
