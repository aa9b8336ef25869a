"""A sentence in both languages, and how one is kept for each value of an option. No sentence is here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from servito_core.rules.option import Value

Language = Literal["it", "en"]


class Sentence(NamedTuple):
    """What a rule says, in Italian and in English; `{n}` stands for the option's number."""

    it: str
    en: str

    def in_(self, language: Language) -> str:
        """The sentence in one language."""
        return self.it if language == "it" else self.en


ANY_NUMBER = "{n}"
"""In place of the values of an option that takes any whole number."""

Sentences = Mapping[str, Mapping[Value, Sentence]]
"""By the option's key, then by its value."""
