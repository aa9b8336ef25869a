"""The rules in words: every value is told once, and what is said to do nothing does nothing."""

from __future__ import annotations

import random
from itertools import combinations, islice
from typing import TYPE_CHECKING

import pytest

from servito_core.rulebook import ANY_NUMBER, PRESET_SENTENCES, SECTIONS, difference, line_of, text_of
from servito_core.rulebook.text import _HAS_EFFECT, has_effect, sentence_of
from servito_core.rules import OPTIONS, PRESETS, InvalidRules, RuleSet, preset
from tests.core.hand.random_play import play_session
from tests.core.hand.rule_sets import random_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_core.rules.option import Option, Value

SENTENCES = {key: values for _, sentences in SECTIONS for key, values in sentences.items()}
NUMBERS: dict[str, tuple[int, ...]] = {
    "players.max": (2, 9, 10),
    "ante": (1, 25),
    "bet.fixed": (1, 40),
    "bet.min": (1, 3),
    "raise.max_count": (1, 4),
}
"""Some of the numbers of every option that takes any."""


def _values(option: Option) -> list[Value]:
    """Every value of an option, and its default; some of any numbers."""
    values = [*option.values, *NUMBERS.get(option.key, ())]
    return values if option.default in values else [*values, option.default]


def test_every_option_has_its_place() -> None:
    """Each option stands in one article of the rulebook, and nothing else does."""
    told = [key for _, sentences in SECTIONS for key in sentences]
    assert sorted(told) == sorted(option.key for option in OPTIONS)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_every_value_has_a_sentence_of_its_own(option: Option) -> None:
    """In both languages, no two values of an option alike, numbers where they belong, none too many."""
    values = _values(option)
    sentences = [sentence_of(option, value) for value in values]
    for texts in zip(*sentences, strict=True):
        assert len(set(texts)) == len(values)
        assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in texts)
    for value, sentence in zip(values, sentences, strict=True):
        if value in NUMBERS.get(option.key, ()):
            assert all(str(value) in text for text in sentence)
    expected = {value for value in values if value not in NUMBERS.get(option.key, ())}
    templates = {ANY_NUMBER} if option.key in NUMBERS else set()
    assert set(SENTENCES[option.key]) == expected | templates


def test_options_of_any_number_are_known() -> None:
    """NUMBERS above names every option that takes any number."""
    assert {option.key for option in OPTIONS if option.minimum is not None} == set(NUMBERS)


def test_every_preset_has_a_sentence() -> None:
    """In both languages, none like another."""
    assert list(PRESET_SENTENCES) == list(PRESETS)
    assert len({text for sentence in PRESET_SENTENCES.values() for text in sentence}) == 2 * len(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_text_tells_every_rule_once(name: str) -> None:
    """With the value in force, and a mark where it is not the default."""
    rules = preset(name)
    lines = [line for section in text_of(rules) for line in section.lines]
    assert {line.key: line.value for line in lines} == rules.to_options()
    assert len(lines) == len(OPTIONS)
    assert {line.key: line.value for line in lines if not line.is_default} == rules.differences()


@pytest.mark.parametrize(("one", "other"), list(combinations(PRESETS, 2)))
def test_a_difference_tells_what_differs_and_nothing_else(one: str, other: str) -> None:
    """Each differing option as both have it; the way back is the same the other way round."""
    mine, theirs = preset(one), preset(other)
    pairs = difference(mine, theirs)
    assert {a.key for a, _ in pairs} == {
        key for key, value in mine.to_options().items() if theirs.to_options()[key] != value
    }
    assert all((a, b) == (line_of(mine, a.key), line_of(theirs, a.key)) for a, b in pairs)
    assert difference(theirs, mine) == tuple((b, a) for a, b in pairs)
    assert difference(mine, mine) == ()


def _other_values(rules: RuleSet, option: Option) -> list[RuleSet]:
    """The valid rule sets in which only this option is different."""
    others = []
    for value in _values(option):
        try:
            others.append(RuleSet.from_options(rules.to_options() | {option.key: value}))
        except InvalidRules:
            continue
    return [other for other in others if other != rules]


NO_OTHER_VALUE = {
    "deck.lowest",
    "open.draw",
    "bet.fixed",
    "parola.reentry",
    "over_blind.amount",
    "sf_media_tie",
    "flush_tiebreak",
}
"""Where these have no effect, another value contradicts the rules, or there is none at all."""


@pytest.mark.parametrize("key", _HAS_EFFECT)
def test_what_is_without_effect_changes_nothing(key: str) -> None:
    """Under rules for which it says so, the same hands are played event by event with any other value."""
    option = next(option for option in OPTIONS if option.key == key)
    idle = (rules for rules in _rule_sets() if not has_effect(rules, key))
    tried = 0
    for rules in islice(idle, 6):
        sets = (rules, *_other_values(rules, option))
        played = [[events for _, events in play_session(each, 7, 4, 3)] for each in sets]
        assert played[0]
        assert all(events == played[0] for events in played)
        tried += len(played) - 1
    assert bool(tried) is (key not in NO_OTHER_VALUE)


def _rule_sets() -> Iterator[RuleSet]:
    return (random_rules(random.Random(seed), 4) for seed in range(200))
