"""Who may open, and with which cards (RULES.md B2)."""

from __future__ import annotations

from itertools import combinations

import pytest

from servito_core.cards import format_cards, parse_cards
from servito_core.openers import can_open, opening_cards, runs
from servito_core.ranking import NotAHandError
from servito_core.rules import RuleSet

ITALIANA = RuleSet()


def shown(
    text: str, requirement: str = "JJ", rules: RuleSet = ITALIANA, lowest: int = 7, raised: bool = False
) -> str:
    """The cards that qualify a written holding, as text; `can_open` must agree."""
    cards = parse_cards(text)
    qualify = opening_cards(cards, requirement, rules, lowest, raised)  # type: ignore[arg-type]  # from tables below
    assert can_open(cards, requirement, rules, lowest, raised) is bool(qualify)  # type: ignore[arg-type]  # the same
    return format_cards(qualify)


@pytest.mark.parametrize(
    ("requirement", "least", "below"),
    [
        ("JJ", "Js Jd", "Ts Td"),
        ("QQ", "Qs Qd", "Js Jd"),
        ("KK", "Ks Kd", "Qs Qd"),
        ("AA", "As Ad", "Ks Kd"),
    ],
)
def test_a_pair_opens_from_the_required_rank(requirement: str, least: str, below: str) -> None:
    """The pair itself qualifies, one rank less does not."""
    assert shown(f"7c {least} 8h 9h", requirement) == least
    assert shown(f"7c {below} 8h 9h", requirement) == ""
    assert shown("7c Ah As 8h 9h", requirement) == "Ah As"


@pytest.mark.parametrize("requirement", ["JJ", "QQ", "KK", "AA"])
@pytest.mark.parametrize(
    ("text", "qualify"),
    [
        ("8s 7d 8d Ac 7s", "8s 7d 8d 7s"),
        ("7s 9c 7d Ac 7h", "7s 7d 7h"),
        ("7s 8c 9d Th Js", "7s 8c 9d Th Js"),
        ("As 8c 9d Th 7s", "As 8c 9d Th 7s"),
        ("7s 8s 9s Js Qs", "7s 8s 9s Js Qs"),
        ("7s 8s 7d 8d 7h", "7s 8s 7d 8d 7h"),
        ("7s 7c Ad 7d 7h", "7s 7c 7d 7h"),
        ("7s 8s 9s Ts Js", "7s 8s 9s Ts Js"),
    ],
)
def test_from_two_pair_up_everything_opens(requirement: str, text: str, qualify: str) -> None:
    """Two pair of eights and sevens opens even at aces; side cards do not qualify."""
    assert shown(text, requirement) == qualify


def test_high_cards_do_not_open() -> None:
    """Not even ace, king, queen."""
    assert shown("Ah Kd Qh Jc 9h") == ""


def test_at_requirement_none_nobody_has_to_qualify() -> None:
    """Everybody may act; there is nothing to show."""
    cards = parse_cards("Ah Kd Qh Jc 9h")
    rules = RuleSet(open_requirement="none")
    assert can_open(cards, "none", rules, 7, raised=False)
    assert opening_cards(cards, "none", rules, 7, raised=False) == ()


OE, OE_FLUSH = RuleSet(open_draw="straight_oe"), RuleSet(open_draw="straightflush_oe")
ANY4, FLUSH4 = RuleSet(open_draw="straightflush_any4"), RuleSet(open_draw="flush4")


@pytest.mark.parametrize(
    ("rules", "text", "qualify"),
    [
        (OE, "8s 9d Tc Jh Ah", "8s 9d Tc Jh"),
        (OE, "7s 8s 9d Tc Kh", "7s 8s 9d Tc"),
        (OE, "Ts Jd Qc Kh 7h", "Ts Jd Qc Kh"),
        (OE, "Js Qd Kc Ah 8h", ""),
        (OE, "Ah 7s 8s 9d Kc", ""),
        (OE, "8s 9d Tc Qh Ah", ""),
        (OE, "8s 9d Tc Jh 9h", "8s Tc Jh 9h"),
        (OE, "8s 9h Tc Jh 9d", "8s 9h Tc Jh"),
        (OE_FLUSH, "8s 9s Ts Js Ah", "8s 9s Ts Js"),
        (OE_FLUSH, "8s 9s Ts Jh Ah", ""),
        (OE_FLUSH, "Js Qs Ks As 8h", ""),
        (OE_FLUSH, "8s 9s Ts Js 9h", "8s 9s Ts Js"),
        (ANY4, "Js Qs Ks As 8h", "Js Qs Ks As"),
        (ANY4, "7s 8s 9s As Kh", "7s 8s 9s As"),
        (ANY4, "8s 9s Ts Qs Ah", "8s 9s Ts Qs"),
        (ANY4, "7s 9s Ts Qs Ah", ""),
        (ANY4, "8s 9s Ts Jh Qs", "8s 9s Ts Jh Qs"),
        (FLUSH4, "7s 9s Ts Qs Ah", "7s 9s Ts Qs"),
        (FLUSH4, "7s 9s Ts Qh Ah", ""),
    ],
)
def test_draws_open_besides_the_requirement(rules: RuleSet, text: str, qualify: str) -> None:
    """open.draw: four to an open-ended straight, to one in a suit, to any straight flush, to a flush."""
    assert shown(text, rules=rules) == qualify
    if len(qualify.split()) == 4:
        assert shown(text) == ""


def test_a_made_holding_is_shown_before_a_draw() -> None:
    """A pair of jacks with four to a straight is shown as the pair."""
    assert shown("8s 9d Tc Jh Js", rules=OE) == "Jh Js"


@pytest.mark.parametrize(
    ("ace_low", "lowest", "opens"), [("never", 7, ""), ("a2345_only", 7, ""), ("never", 6, "yes")]
)
def test_a_four_at_the_bottom_needs_a_low_ace(ace_low: str, lowest: int, opens: str) -> None:
    """straight_oe completes at both ends under the ace_low in force: 7-8-9-10 has no lower end without it."""
    rules = RuleSet(open_draw="straight_oe", ace_low=ace_low)  # type: ignore[arg-type]  # from the table above
    assert bool(shown("7s 8s 9d Tc Kh", rules=rules, lowest=lowest)) is bool(opens)


def test_draws_may_count_at_the_first_level_only() -> None:
    """open.draw_in_raised_deals: the draw is withdrawn, the requirement stays."""
    kept = RuleSet(open_draw="flush4")
    withdrawn = RuleSet(open_draw="flush4", open_draw_in_raised_deals=False)
    four, queens = "7s 9s Ts Qs Ah", "7s 9s Qc Qs Ah"
    assert shown(four, "QQ", kept, raised=True) == "7s 9s Ts Qs"
    assert shown(four, "QQ", withdrawn, raised=True) == ""
    assert shown(four, "JJ", withdrawn, raised=False) == "7s 9s Ts Qs"
    assert shown(queens, "QQ", withdrawn, raised=True) == "Qc Qs"


@pytest.mark.parametrize(
    ("kept", "opens"),
    [
        ("Jh Js", True),
        ("Jh", False),
        ("Jh Js 8c", True),
        ("8c 8d 7s 7h", True),
        ("8c 8d 7s", False),
        ("7c 7s 7d", True),
    ],
)
def test_kept_cards_are_judged_alone(kept: str, opens: bool) -> None:
    """draw.opener_split asks whether what the opener keeps still opens."""
    assert bool(shown(kept)) is opens


def test_four_kept_to_a_draw_still_open() -> None:
    """An opener by a draw splits nothing when he throws the fifth card away."""
    assert shown("8s 9d Tc Jh", rules=OE) == "8s 9d Tc Jh"
    assert shown("8s 9d Tc", rules=OE) == ""


def test_what_opens_alone_opens_with_more_cards() -> None:
    """Keeping more never loses the opening: checked for every part of a few hands."""
    for rules in (ITALIANA, OE, OE_FLUSH, ANY4, FLUSH4):
        for text in (
            "8s 9s Ts Js 9h",
            "Jh Js 8c 8d 8h",
            "7s 8c 9d Th Js",
            "7s 9s Ts Qs Qh",
            "Js Qs Ks As 8h",
        ):
            cards = parse_cards(text)
            whole = can_open(cards, "JJ", rules, 7, raised=False)
            for size in range(1, 5):
                for kept in combinations(cards, size):
                    assert whole or not can_open(kept, "JJ", rules, 7, raised=False)


def test_the_runs_of_a_deck() -> None:
    """From the low ace, where there is one, to the run that ends with the ace."""
    low = frozenset({14, 7, 8, 9, 10})
    assert runs(ITALIANA, 7) == (low, *(frozenset(range(first, first + 5)) for first in (7, 8, 9, 10)))
    assert runs(RuleSet(ace_low="never"), 9) == (frozenset(range(9, 14)), frozenset(range(10, 15)))


@pytest.mark.parametrize("text", ["", "Ah Kd Qh Jc 9h 8h", "Ah Kd Qh Jc 6h", "Jh 6h"])
def test_what_cannot_be_held_is_refused(text: str) -> None:
    """One to five cards of the deck."""
    with pytest.raises(NotAHandError):
        shown(text)


def test_a_card_is_held_once() -> None:
    """A jack is not a pair with itself."""
    with pytest.raises(NotAHandError, match="twice"):
        opening_cards(parse_cards("Jh") * 2, "JJ", ITALIANA, 7, raised=False)
