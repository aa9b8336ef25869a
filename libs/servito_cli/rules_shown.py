"""Rules on the terminal: a line for each option, below it what it means, in the words of the rulebook."""

from __future__ import annotations

from rich.console import Console

from servito_cli.console import UNUSABLE, complain, output
from servito_core.rulebook import (
    PRESET_SENTENCES,
    Language,
    Line,
    Sentence,
    difference,
    text_of,
)
from servito_core.rules import PRESETS, InvalidRules, preset
from servito_core.rules.option import written

LANGUAGES: tuple[Language, ...] = ("it", "en")


def show_list(language: Language | None) -> int:
    """Every preset with its sentence; the exit code."""
    console = output()
    wide = max(map(len, PRESETS))
    for name in PRESETS:
        for place, text in enumerate(_texts(PRESET_SENTENCES[name], language)):
            console.print(f"{'' if place else name:<{wide}}  {text}", markup=False)
    return 0


def show_rules(name: str, language: Language | None) -> int:
    """Every rule of a preset; the exit code."""
    try:
        sections = text_of(preset(name))
    except InvalidRules as unknown:
        complain(str(unknown))
        return UNUSABLE
    console = output()
    for text in _texts(PRESET_SENTENCES[name], language):
        console.print(text, markup=False)
    for section in sections:
        title = " / ".join(_texts(section.title, language))
        console.print(f"\n{title}", style="bold", markup=False)
        for line in section.lines:
            _show(console, line, "" if line.is_default else "*", language)
    return 0


def show_difference(one: str, other: str, language: Language | None) -> int:
    """The rules in which two presets differ; the exit code."""
    try:
        differing = difference(preset(one), preset(other))
    except InvalidRules as unknown:
        complain(str(unknown))
        return UNUSABLE
    console = output()
    for pair in differing:
        for name, line in zip((one, other), pair, strict=True):
            _show(console, line, f"{name:<10}", language)
    if not differing:
        console.print(f"{one} and {other} do not differ.", markup=False)
    return 0


def _show(console: Console, line: Line, mark: str, language: Language | None) -> None:
    console.print(f"{mark:<2}{line.key} = {written(line.value)}", style="cyan", markup=False)
    for text in _texts(line.sentence, language):
        console.print(f"    {text}", markup=False)


def _texts(sentence: Sentence, language: Language | None) -> list[str]:
    return [sentence.in_(one) for one in LANGUAGES if language in (None, one)]
