"""Configurations that contradict themselves are refused with every defect (RULES.md B9)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servito_core.rules import OPTIONS, InvalidRules, RuleSet, defects_of


def blamed(options: dict[str, Any]) -> list[str]:
    """The keys of the defects of a configuration."""
    try:
        RuleSet.from_options(options)
    except InvalidRules as invalid:
        return [defect.key for defect in invalid.defects]
    return []


CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"ante.live": True}, "ante.live"),
    ({"ante.live": True, "open.requirement": "none", "blind.depth": 1}, "ante.live"),
    ({"deck.lowest": "7"}, "deck.lowest"),
    ({"deck": "full52", "deck.lowest": "7"}, "deck.lowest"),
    ({"deck": "fixed"}, "deck"),
    ({"deck": "fixed", "deck.lowest": "7"}, "deck.lowest"),
    ({"bet.fixed": 4}, "bet.fixed"),
    ({"bet.limit": "fixed"}, "bet.limit"),
    ({"bet.limit": "fixed", "bet.fixed": 3, "bet.min": 4}, "bet.fixed"),
    ({"bet.limit": "fixed", "bet.fixed": 3, "ante": 4}, "bet.fixed"),
    ({"blind.depth": 3, "players.max": 3}, "blind.depth"),
    ({"parola.reentry": "pay_difference"}, "parola.reentry"),
    ({"parola.reentry": "only_survivors", "parola.mode": "showdown"}, "parola.reentry"),
    ({"open.draw": "flush4", "open.requirement": "none"}, "open.draw"),
    ({"flush_tiebreak": "suit_first", "suit_tiebreak": "none"}, "flush_tiebreak"),
    ({"sf_media_tie": "suit_only", "suit_tiebreak": "none"}, "sf_media_tie"),
    ({"sf_media_tie": "suit_only", "sf_cycle": False}, "sf_media_tie"),
    ({"ante.scheme": "dealer_only", "players.max": 10}, "ante.scheme"),
    ({"parola.next_requirement": "KK", "open.requirement": "none"}, "parola.next_requirement"),
    ({"parola.next_requirement": "KK", "open.requirement": "AA"}, "parola.next_requirement"),
]


@pytest.mark.parametrize(("options", "key"), CONTRADICTIONS)
def test_a_contradiction_is_refused_under_its_key(options: dict[str, Any], key: str) -> None:
    """Each contradiction of RULES.md B9 is one defect, with the option at fault."""
    assert blamed(options) == [key]


NEAR_MISSES: list[dict[str, Any]] = [
    {"ante.live": True, "open.requirement": "none"},
    {"deck": "fixed", "deck.lowest": "7", "players.max": 6},
    {"deck": "fixed", "deck.lowest": "4", "players.max": 8},
    {"deck": "fixed", "deck.lowest": "3", "players.max": 10},
    {"bet.limit": "fixed", "bet.fixed": 4, "bet.min": 4},
    {"bet.limit": "fixed", "bet.fixed": 4, "ante": 4},
    {"blind.depth": 3, "players.max": 4},
    {"parola.reentry": "pay_difference", "parola.mode": "carry_over"},
    {"open.draw": "flush4", "open.requirement": "AA"},
    {"flush_tiebreak": "suit_first", "suit_tiebreak": "kicker"},
    {"ante.scheme": "dealer_only", "players.max": 9},
    {"ante.scheme": "dealer_only", "players.max": 10, "players.ten": "all_play"},
    {"parola.next_requirement": "KK", "open.requirement": "KK"},
    {"open.requirement": "none", "open.draw": "none"},
]


@pytest.mark.parametrize("options", NEAR_MISSES)
def test_what_only_looks_like_a_contradiction_is_allowed(options: dict[str, Any]) -> None:
    """A binding holds only for values other than the default, and limits are exact."""
    assert blamed(options) == []


@pytest.mark.parametrize("lowest", range(2, 10))
def test_a_fixed_deck_must_hold_five_cards_for_every_seat(lowest: int) -> None:
    """RULES.md B9: the deck for players.max hands; with ten seats and the dealer out that is nine hands."""
    for seats in range(2, 11):
        hands = {10: 9}.get(seats, seats)
        too_small = 5 * hands > 4 * (15 - lowest)
        options = {"deck": "fixed", "deck.lowest": str(lowest), "players.max": seats}
        assert blamed(options) == (["deck.lowest"] if too_small else [])
        all_play = blamed(options | {"players.ten": "all_play"})
        assert all_play == (["deck.lowest"] if 5 * seats > 4 * (15 - lowest) else [])


def test_every_defect_is_named_at_once() -> None:
    """Unknown names, wrong values and contradictions come together, each with what is allowed."""
    with pytest.raises(InvalidRules) as caught:
        RuleSet.from_options({"pot.limit": 3, "draw.max": 6, "ante": 0, "deck.lowest": "8", "bet.fixed": 2})
    messages = {defect.key: defect.message for defect in caught.value.defects}
    assert messages == {
        "pot.limit": "there is no option of this name",
        "draw.max": "6 is not allowed: one of 4, 5",
        "ante": "0 is not allowed: a whole number of chips, at least 1",
        "deck.lowest": "8: deck must be fixed, not eleven_minus_n",
        "bet.fixed": "2: bet.limit must be fixed, not pot",
    }
    assert all(key in str(caught.value) for key in messages)


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("sf_cycle", 1, "one of true, false"),
        ("sf_cycle", "true", "one of true, false"),
        ("ante", True, "a whole number of chips, at least 1"),
        ("ante", 1.0, "a whole number of chips, at least 1"),
        ("ante", "1", "a whole number of chips, at least 1"),
        ("players.max", 1, "a whole number, 2..10"),
        ("players.max", 11, "a whole number, 2..10"),
        ("draw.max", 4.0, "one of 4, 5"),
        ("blind.depth", False, "one of 0, 1, 2, 3"),
        ("deck.lowest", "10", "one of 2, 3, 4, 5, 6, 7, 8, 9"),
        ("deck.lowest", 7, "one of 2, 3, 4, 5, 6, 7, 8, 9"),
        ("bet.min", "chip", "a whole number of chips, at least 1, or ante"),
        ("raise.max_count", 0, "a whole number, at least 1, or null"),
        ("open.requirement", None, "one of JJ, QQ, KK, AA, none"),
        ("open.requirement", "TT", "one of JJ, QQ, KK, AA, none"),
    ],
)
def test_a_wrong_value_is_refused_with_those_allowed(key: str, value: object, allowed: str) -> None:
    """A value of another type is as wrong as one out of range."""
    with pytest.raises(InvalidRules) as caught:
        RuleSet.from_options({key: value})
    assert [defect.key for defect in caught.value.defects] == [key]
    assert caught.value.defects[0].message.endswith(f"is not allowed: {allowed}")


def test_a_wrong_value_is_not_blamed_twice() -> None:
    """A contradiction is only looked for among values that could be read."""
    assert blamed({"blind.depth": 3, "players.max": 99}) == ["players.max"]
    assert blamed({"deck": "fixed", "deck.lowest": "ten"}) == ["deck.lowest"]


def test_defects_of_a_rule_set_made_by_hand() -> None:
    """The constructor checks nothing; `defects_of` does."""
    assert defects_of(RuleSet()) == ()
    assert [defect.key for defect in defects_of(RuleSet(bet_fixed=1, deck="fixed"))] == ["bet.fixed", "deck"]


@st.composite
def configurations(draw: st.DrawFn) -> dict[str, Any]:
    """A few options with values that each is allowed alone."""
    chosen = draw(st.lists(st.sampled_from(OPTIONS), unique_by=lambda option: option.key, max_size=8))
    numbers = {"ante": 9, "bet.min": 9, "bet.fixed": 9, "raise.max_count": 9, "players.max": 10}
    return {
        option.key: draw(
            st.sampled_from(option.values)
            if option.values
            else st.integers(option.minimum, numbers[option.key])
        )
        for option in chosen
    }


@given(configurations())
def test_any_mix_of_allowed_values_is_read_or_refused_by_name(options: dict[str, Any]) -> None:
    """Nothing else is raised; what is accepted is kept, what is refused blames an option that was written."""
    if keys := blamed(options):
        assert set(keys) <= options.keys()
        return
    rules = RuleSet.from_options(options)
    assert all(rules.to_options()[key] == value for key, value in options.items())
    assert defects_of(rules) == ()
