"""The rules in words, for people: a text for a rule set and what differs between two (`RULES.md B`).

Generated from the values alone: each value of each option has one sentence in each language, in the data
modules of this package, which change with the options. Not here: printing, and what the options do in play.
"""

from __future__ import annotations

from servito_core.rulebook.presets import PRESET_SENTENCES
from servito_core.rulebook.sentence import ANY_NUMBER, Language, Sentence
from servito_core.rulebook.text import SECTIONS, Line, Section, difference, line_of, text_of

__all__ = [
    "ANY_NUMBER",
    "PRESET_SENTENCES",
    "SECTIONS",
    "Language",
    "Line",
    "Section",
    "Sentence",
    "difference",
    "line_of",
    "text_of",
]
