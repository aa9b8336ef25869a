"""The rules of a table as they are typed: a preset, and options that differ from it.

For a table of a running system only their form is checked here: what may be played there is for the table
service to say, which names every defect. For a system of one's own it is found out before that is started.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from servito_core.deals import is_short
from servito_core.rules import PRESETS, InvalidRules
from servito_core.rules.texts import rules_of_texts

_MOST_PLAYERS: Final = "players.max"


@dataclass(frozen=True, slots=True)
class Rules:
    """What is played; options by their names in `RULES.md` part B, values as a configuration writes them."""

    preset: str = "italiana"
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.preset + "".join(f", {key}={value}" for key, value in self.options.items())


def rules_given(preset: str, words: Iterable[str]) -> Rules:
    """The rules that were typed, `words` being KEY=VALUE each; ValueError saying what cannot be read."""
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    options = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise ValueError(f"{word!r} must be KEY=VALUE, such as ante=5")
        options[key] = value
    return Rules(preset, options)


def rules_for(preset: str, words: Iterable[str], players: int, stake: int) -> Rules:
    """The rules that were typed, for tables of so many players with so many chips at most; where the preset
    has fewer seats, with as many as that takes. ValueError as in `rules_given`, or naming every defect.
    """
    typed = rules_given(preset, words)
    most = {} if _MOST_PLAYERS in typed.options else {_MOST_PLAYERS: str(players)}
    try:
        rules = rules_of_texts(typed.preset, typed.options)
        if players > rules.players_max and most:
            typed = Rules(typed.preset, {**typed.options, **most})
            rules = rules_of_texts(typed.preset, typed.options)
    except InvalidRules as invalid:
        defects = [f"{defect.key}: {defect.message}" for defect in invalid.defects]
        raise ValueError("; ".join(defects)) from None
    if players > rules.players_max:
        raise ValueError(f"{players} players are more than {_MOST_PLAYERS}, which is {rules.players_max}")
    if rules.ante_short != "all_in" and is_short(rules, stake):
        raise ValueError(f"ante: {rules.ante} is more than {stake}, with which one sits down at most")
    return typed
