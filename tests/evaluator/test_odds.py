"""What may come: against plain enumeration by the core's definition, and against published counts."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from servito_core.cards import Card, deck_from, parse_cards
from servito_core.openers import qualifying_cards
from servito_core.ranking import NotAHandError, rank
from servito_core.rules import RankingRules
from servito_core.values import Category, SfKind
from servito_evaluator.app import opening_chances
from servito_evaluator.app.odds import Odds
from tests.evaluator.hands import DECKS
from tests.evaluator.test_exhaustive import DRAWS, NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.rules.ruleset import OpenDraw, Requirement
    from tests.evaluator.counting import Counting

COUNTS = json.loads((Path(__file__).parents[1] / "rules" / "counts.json").read_text())
RULES = RankingRules()


@pytest.fixture
def odds(tally: Counting) -> Odds:
    """The use cases."""
    return Odds(tally)


@pytest.mark.parametrize(
    ("hand", "kept", "dead"),
    [
        ("As Ad 9c Th Qs", "As Ad", ""),
        ("As Ad 9c Th Qs", "As Ad Qs", "Ah Qd"),
        ("9h Th Jh Qh As", "9h Th Jh Qh", "Kh"),
        ("As 9s Ts Js Qd", "As 9s Ts Js", ""),
        ("9c Td Qh Kh As", "", "Jh 9h Ks"),
        ("Ks Kd Kh 9c 9d", "Ks Kd Kh 9c 9d", "Ac"),
        ("Ks Jd Qh 9c 9d", "9d", ""),
    ],
)
@pytest.mark.parametrize("rules", [RULES, RankingRules(ace_low="never")], ids=["low ace", "no low ace"])
async def test_draws_are_counted_as_by_plain_enumeration(
    odds: Odds, hand: str, kept: str, dead: str, rules: RankingRules
) -> None:
    """Every draw from the 24 cards, judged by the core's definition one by one: none to five cards kept."""
    held, keeps, out = parse_cards(hand), parse_cards(kept), parse_cards(dead)
    unseen = [card for card in deck_from(9) if card not in {*held, *out}]
    plain: Counter[tuple[Category, SfKind | None]] = Counter()
    for drawn in combinations(unseen, 5 - len(keeps)):
        value = rank((*keeps, *drawn), rules, 9)
        plain[value.category, value.kind] += 1
    assert await odds.after_draw(held, keeps, out, rules, 9) == plain


async def test_chances_that_anybody_can_work_out(odds: Odds) -> None:
    """Three aces draw two of 27 cards: the fourth ace with any other card, or a pair of another rank."""
    counts = await odds.after_draw(parse_cards("As Ad Ah 7c 9d"), parse_cards("As Ad Ah"), (), RULES, 7)
    pairs = 5 * comb(4, 2) + 2 * comb(3, 2)
    assert counts == {
        (Category.FOUR_OF_A_KIND, None): 26,
        (Category.FULL_HOUSE, None): pairs,
        (Category.THREE_OF_A_KIND, None): comb(27, 2) - 26 - pairs,
    }


def _outcome(name: str) -> tuple[Category, SfKind | None]:
    """What a name of counts.json is counted under."""
    named = NAMES[name]
    return (Category.STRAIGHT_FLUSH, named) if isinstance(named, SfKind) else (Category(named), None)


@pytest.mark.parametrize("lowest", DECKS)
async def test_the_draws_of_one_hand_make_up_the_whole_deck(odds: Odds, tally: Counting, lowest: int) -> None:
    """A hand of the deck shares just one set of cards with a given one: 32 draws add up to RULES.md C."""
    hand = parse_cards("Ah Ks Qd Jc 9s")
    total: Counter[tuple[Category, SfKind | None]] = Counter()
    for kept in (kept for count in range(6) for kept in combinations(hand, count)):
        total += await odds.after_draw(hand, kept, (), RULES, lowest)
    expected = COUNTS[str(DECKS[lowest])]
    assert {name: total[_outcome(name)] for name in NAMES} == expected["counts"]
    assert total.total() == expected["total"] == tally["odds"]


@pytest.mark.parametrize("lowest", DECKS)
async def test_one_opponent_holds_openers_as_often_as_the_deck_does(odds: Odds, lowest: int) -> None:
    """RULES.md C: knowing no card, the count of opening hands at each requirement and with each draw."""
    expected = COUNTS[str(DECKS[lowest])]
    names: Any = expected["open"] if lowest > 4 else ["JJ", "JJ_or_any4_of_sf"]
    for name in names:
        requirement, _, draw = name.partition("_or_")
        chances = await odds.some_opens((), 1, requirement, DRAWS.get(draw, "none"), RULES, lowest)
        assert chances == [(expected["open"][name], expected["total"])], name


def _deals_with_an_opener(
    unseen: Sequence[Card], opponents: int, requirement: Requirement, draw: OpenDraw
) -> int:
    """Every way to deal five cards each, one by one, by the core's definition."""
    opens = {
        hand: bool(qualifying_cards(hand, requirement, draw, RULES, 9)) for hand in combinations(unseen, 5)
    }

    def deals(rest: tuple[Card, ...], players: int, opened: bool) -> int:
        if players == 0:
            return opened
        found = 0
        for hand in combinations(rest, 5):
            left = tuple(card for card in rest if card not in hand)
            found += deals(left, players - 1, opened or opens[hand])
        return found

    return deals(tuple(unseen), opponents, opened=False)


@pytest.mark.parametrize("draw", ["none", *DRAWS.values()])
@pytest.mark.parametrize("requirement", ["JJ", "AA"])
async def test_joint_chances_are_those_of_plain_enumeration(
    odds: Odds, requirement: Requirement, draw: OpenDraw
) -> None:
    """Two opponents and thirteen unseen cards: all 72,072 deals, dealt and judged one by one."""
    known = parse_cards("As Ah Kd Qs Jc Jd 9h 9s Th Kh Qd")
    unseen = [card for card in deck_from(9) if card not in known]
    every = comb(13, 5) * comb(8, 5)
    expected = _deals_with_an_opener(unseen, 2, requirement, draw)
    chances = await odds.some_opens(known, 2, requirement, draw, RULES, 9)
    assert chances[1] == (expected, every)
    assert 0 < expected < every


async def test_three_opponents_share_fifteen_cards(odds: Odds) -> None:
    """All 756,756 deals of the last fifteen cards: nothing is left over, everybody is dealt in."""
    known = parse_cards("As Ah Kd Qs Jc Jd 9h 9s Th")
    unseen = [card for card in deck_from(9) if card not in known]
    expected = _deals_with_an_opener(unseen, 3, "AA", "straight_oe")
    chances = await odds.some_opens(known, 3, "AA", "straight_oe", RULES, 9)
    assert chances[2] == (expected, comb(15, 5) * comb(10, 5))


@pytest.mark.parametrize(("players", "all_pass"), [(2, 0.057), (3, 0.062), (4, 0.069)])
async def test_how_often_everybody_must_pass(odds: Odds, players: int, all_pass: float) -> None:
    """RULES.md C, measured there by dealing 400,000 times: here counted, within four standard errors."""
    chances = await odds.some_opens((), players, "JJ", "none", RULES, 11 - players)
    favourable, total = chances[-1]
    assert len(chances) == players
    assert 1 - favourable / total == pytest.approx(all_pass, abs=4 * 0.0008)


async def test_what_would_take_too_long_is_left_out(odds: Odds, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is shorter than asked, and what it holds is exact all the same."""
    known = parse_cards("As Ad Kc Qh 9s")
    every = await odds.some_opens(known, 3, "JJ", "none", RULES, 7)
    monkeypatch.setattr(opening_chances, "MOST_EFFORT", 10_000)
    assert await odds.some_opens(known, 3, "JJ", "none", RULES, 7) == every[:2]


async def test_others_get_their_turn_and_a_question_may_be_given_up(odds: Odds, tally: Counting) -> None:
    """A count goes on in pieces; one that is cancelled leaves nothing behind and lets the next one in."""
    known = parse_cards("Ah Kd Js Td 9h")
    first = asyncio.create_task(odds.some_opens(known, 4, "JJ", "none", RULES, 5))
    second = asyncio.create_task(odds.some_opens(known, 1, "JJ", "none", RULES, 9))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not first.done()
    assert not second.done()
    first.cancel()
    assert (await second)[0].total == comb(19, 5)
    assert first.cancelled()
    assert tally["odds"] == comb(19, 5)


@pytest.mark.parametrize(
    ("hand", "kept", "dead", "says"),
    [
        ("As Ad 9c Th", "As", "", "a hand is five cards"),
        ("As Ad 9c Th Qs", "As Kh", "", "cards of the hand"),
        ("As Ad 9c Th Qs", "As", "Qs", "a card occurs twice"),
        ("As Ad 9c Th Qs", "As", "8h", "not of this deck"),
    ],
)
async def test_draws_that_cannot_be_are_refused(
    odds: Odds, tally: Counting, hand: str, kept: str, dead: str, says: str
) -> None:
    """With a text that names no card held, and nothing is counted."""
    with pytest.raises(NotAHandError, match=says):
        await odds.after_draw(parse_cards(hand), parse_cards(kept), parse_cards(dead), RULES, 9)
    assert not tally


async def test_more_is_not_drawn_or_held_than_there_is(odds: Odds) -> None:
    """Too few unseen cards for a draw, or for a hand of each opponent."""
    deck = deck_from(9)
    with pytest.raises(NotAHandError, match="not enough cards"):
        await odds.after_draw(deck[:5], (), deck[5:20], RULES, 9)
    with pytest.raises(NotAHandError, match="4 opponents do not get five cards each of 19"):
        await odds.some_opens(deck[:5], 4, "JJ", "none", RULES, 9)
