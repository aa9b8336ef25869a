"""Rules that were written as texts are the rules that were meant, and a text that means none is a defect."""

from __future__ import annotations

import random

import pytest

from servito_core.rules import PRESETS, InvalidRules, RuleSet
from servito_core.rules.option import written
from servito_core.rules.texts import rules_of_texts
from tests.core.hand.rule_sets import random_rules


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_by_its_name(preset: str) -> None:
    """Alone it is itself, and the same one each time."""
    assert rules_of_texts(preset, {}) == RuleSet.from_options({"preset": preset})
    assert rules_of_texts(preset, {}) is rules_of_texts(preset, {})


@pytest.mark.parametrize("seed", range(40))
def test_any_rules_by_the_texts_of_their_options(seed: int) -> None:
    """Whatever the kind of an option: numbers, words, truth values, and nothing."""
    rules = random_rules(random.Random(seed), 5)
    texts = {key: written(value) for key, value in rules.to_options().items()}
    assert rules_of_texts("italiana", texts) == rules


@pytest.mark.parametrize(
    ("key", "text"), [("ante", "ten"), ("ante", "1.5"), ("draw.max", "True"), ("nothing", "1"), ("ante", "²")]
)
def test_what_means_nothing_is_named(key: str, text: str) -> None:
    """By its option."""
    with pytest.raises(InvalidRules) as refused:
        rules_of_texts("italiana", {key: text})
    assert [defect.key for defect in refused.value.defects] == [key]
