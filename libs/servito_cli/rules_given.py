"""The rules of a table as they are typed: a preset, and options that differ from it.

Only their form is checked here; whether an option may have that value, and how options bind one another, is
for the table service to say, which names every defect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from servito_core.rules import PRESETS


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
