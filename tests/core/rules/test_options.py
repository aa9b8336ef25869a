"""The options: the published list, presets, and what a rule set says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from servito_core.rules import OPTIONS, PRESETS, InvalidRules, Option, RankingRules, RuleSet, preset

PUBLISHED = Path(__file__).parents[2] / "rules"


def _published(option: Option) -> dict[str, Any]:
    """An option as options.json writes it."""
    entry: dict[str, Any] = {"key": option.key, "type": option.kind, "default": option.default}
    limits = {"minimum": option.minimum, "maximum": option.maximum, "values": list(option.values)}
    entry |= {name: limit for name, limit in limits.items() if limit not in (None, [])}
    bindings = {"only_with": option.only_with, "needs": option.needs, "excludes": option.excludes}
    return entry | {
        name: {key: list(values) for key, values in binding.items()}
        for name, binding in bindings.items()
        if binding
    }


def test_the_options_are_the_published_ones() -> None:
    """Keys, types, defaults, values, limits and bindings equal options.json; true is not 1."""
    published = json.loads((PUBLISHED / "options.json").read_text())
    ours = {option.key: json.dumps(_published(option), sort_keys=True) for option in OPTIONS}
    assert ours == {entry["key"]: json.dumps(entry, sort_keys=True) for entry in published}


def test_the_presets_are_the_published_ones() -> None:
    """Names and differences equal presets.json, and each preset is playable and differs in just these."""
    published = json.loads((PUBLISHED / "presets.json").read_text())
    assert published == {name: dict(differences) for name, differences in PRESETS.items()}
    for name, differences in published.items():
        assert preset(name).differences() == differences


def test_the_default_is_italiana() -> None:
    """RULES.md B9: italiana is all defaults."""
    assert RuleSet() == preset("italiana") == RuleSet.from_options({})


def test_fields_are_keys_with_underscores() -> None:
    """An option is found in code by its published key."""
    assert all(option.field == option.key.replace(".", "_") for option in OPTIONS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_rule_set_is_read_back_from_its_options(name: str) -> None:
    """to_options writes every option, and reading it gives the same rules."""
    rules = preset(name)
    assert RuleSet.from_options(rules.to_options()) == rules
    assert rules.to_options().keys() == {option.key for option in OPTIONS}


def test_options_lie_on_top_of_the_preset_that_they_name() -> None:
    """What is left out is as in the preset, what is written wins."""
    rules = RuleSet.from_options({"preset": "classico", "blind.depth": 1, "ante": 5})
    assert rules.differences() == dict(PRESETS["classico"]) | {"blind.depth": 1, "ante": 5}


def test_an_unknown_preset_is_refused_with_the_names_of_those_that_exist() -> None:
    """The message lists the presets."""
    with pytest.raises(InvalidRules, match="texas is no preset: one of italiana, accomodo"):
        preset("texas")


def test_the_lowest_rank_follows_the_deck_option() -> None:
    """RULES.md B1: eleven minus the players, all 52, or fixed whatever the players."""
    assert RuleSet().lowest_rank(4) == 7
    assert RuleSet(deck="full52").lowest_rank(4) == 2
    assert RuleSet(deck="fixed", deck_lowest="6").lowest_rank(4) == 6


def test_the_minimum_bet_is_the_ante_unless_set() -> None:
    """RULES.md B3, bet.min."""
    assert RuleSet(ante=3).minimum_bet == 3
    assert RuleSet(ante=3, bet_min=7).minimum_bet == 7


def test_the_ranking_part_holds_what_ranks_hands() -> None:
    """Rules that differ only elsewhere share their ranking part, so they share an evaluator's tables."""
    assert preset("sala").ranking == preset("italiana").ranking == RankingRules()
    assert preset("accomodo").ranking == RankingRules(flush_vs_full="flush", suit_tiebreak="kicker")
    assert type(preset("sala").ranking) is RankingRules
