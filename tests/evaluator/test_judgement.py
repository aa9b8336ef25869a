"""The use cases: what is counted, what is refused, and pots that each have their own winners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from servito_core.cards import parse_cards
from servito_core.ranking import NotAHandError, rank
from servito_core.rules import RankingRules
from servito_evaluator.app.judgement import Judgements
from servito_script.comparisons import read_comparison

if TYPE_CHECKING:
    from servito_core.cards import Card
    from tests.evaluator.counting import Counting

RULES = RankingRules()
MIN, MED, MAX = map(parse_cards, ("As 7s 8s 9s Ts", "8d 9d Td Jd Qd", "Th Jh Qh Kh Ah"))


@pytest.fixture
def judgements(tally: Counting) -> Judgements:
    """The use cases."""
    return Judgements(tally)


def test_each_pot_has_its_own_winners(judgements: Judgements, tally: Counting) -> None:
    """The main pot splits three ways, the side pots go to whoever is unbeaten among those who paid them."""
    hands = {2: MIN, 5: MED, 7: MAX}
    sets, values = judgements.winners(hands, [(2, 5, 7), (2, 5), (7, 2), (5, 7), (5,)], RULES, 7)
    assert sets == [{2, 5, 7}, {5}, {2}, {7}, {5}]
    assert values == {slot: rank(cards, RULES, 7) for slot, cards in hands.items()}
    assert tally == {"win": 3}


def test_openers_are_those_who_qualify(judgements: Judgements, tally: Counting) -> None:
    """Whole hands and kept cards together; the others are not in the answer."""
    holdings = {
        0: parse_cards("Js Jd 9c 8h 7s"),
        3: parse_cards("Ts Td 9h 8c Ad"),
        4: parse_cards("8s 9d Tc Jh Ah"),
        6: parse_cards("Qs Qh"),
        8: parse_cards("Kc"),
    }
    found = judgements.openers(holdings, "JJ", "straight_oe", RULES, 7)
    assert found == {0: parse_cards("Js Jd"), 4: parse_cards("8s 9d Tc Jh"), 6: parse_cards("Qs Qh")}
    assert judgements.openers(holdings, "QQ", "none", RULES, 7) == {6: parse_cards("Qs Qh")}
    assert tally == {"open": 10}


def test_hands_are_named_in_the_order_asked(judgements: Judgements, tally: Counting) -> None:
    """They need not come from one deal."""
    assert judgements.rank([MED, MIN, MED], RULES, 7) == [rank(cards, RULES, 7) for cards in (MED, MIN, MED)]
    assert judgements.rank([], RULES, 7) == []
    assert tally == {"rank": 3}


@pytest.mark.parametrize(
    "wrong", [MIN[:4], (*MIN[:4], MIN[0]), (*MIN[:4], parse_cards("6s")[0])], ids=["four", "twice", "deck"]
)
def test_what_is_no_hand_is_refused_and_not_counted(
    judgements: Judgements, tally: Counting, wrong: tuple[Card, ...]
) -> None:
    """Every use case that takes whole hands refuses it."""
    with pytest.raises(NotAHandError):
        judgements.rank([MED, wrong], RULES, 7)
    with pytest.raises(NotAHandError):
        judgements.winners({0: MED, 1: wrong}, [(0, 1)], RULES, 7)
    if len(wrong) == 5:
        with pytest.raises(NotAHandError):
            judgements.openers({0: wrong}, "JJ", "none", RULES, 7)
    assert tally == {}


def test_hands_of_one_deal_share_no_card(judgements: Judgements) -> None:
    """A card in two hands is refused for winners."""
    with pytest.raises(NotAHandError, match="one deal"):
        judgements.winners({0: MIN, 1: parse_cards("As Kd Qd Jc 9h")}, [(0, 1)], RULES, 7)


COMPARISONS = json.loads((Path(__file__).parents[1] / "cases" / "comparisons.json").read_text())


@pytest.mark.parametrize("case", COMPARISONS, ids=lambda case: case["id"])
def test_the_shared_comparisons_by_tables(judgements: Judgements, case: dict[str, Any]) -> None:
    """The evaluator finds the winners that the shared cases name, as the core does (`tests/script`)."""
    comparison = read_comparison(case)
    hands = dict(enumerate(comparison.hands.values()))
    sets, values = judgements.winners(hands, [tuple(hands)], comparison.rules.ranking, comparison.lowest)
    assert {name for slot, name in enumerate(comparison.hands) if slot in sets[0]} == comparison.winners
    assert values == {
        slot: rank(cards, comparison.rules.ranking, comparison.lowest) for slot, cards in hands.items()
    }
