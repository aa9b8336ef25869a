"""Rules as a table's configuration writes them: a preset, and options whose values are texts.

A text is read as what its option accepts. Where it accepts nothing that the text may mean, the text itself
is handed on, so that the defect names it. For the table, and for whoever folds a hand that it stored.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from servito_core.rules.ruleset import RuleSet
from servito_core.rules.validation import BY_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS: Final = {"true": True, "false": False, "null": None}


def rules_of_texts(preset: str, options: Mapping[str, str]) -> RuleSet:
    """The rules that a configuration names; the same ones for the same texts. Raises `InvalidRules` with
    every defect.
    """
    return _rules(preset, tuple(sorted(options.items())))


@lru_cache(maxsize=512)
def _rules(preset: str, options: tuple[tuple[str, str], ...]) -> RuleSet:
    return RuleSet.from_options({"preset": preset, **{key: _value(key, text) for key, text in options}})


def _value(key: str, text: str) -> object:
    option = BY_KEY.get(key)
    candidates: tuple[object, ...] = (text, *([_WORDS[text]] if text in _WORDS else []), *_number(text))
    return next((value for value in candidates if option is not None and option.accepts(value)), text)


def _number(text: str) -> tuple[int, ...]:
    digits = text.removeprefix("-")
    return (int(text),) if digits.isascii() and digits.isdecimal() and len(digits) <= 18 else ()
