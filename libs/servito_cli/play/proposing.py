"""Proposing other house rules by keys: KEY=VALUE is typed, and what may be written is shown beside it.

Pure: keys in, prompts and at last the changes out. The names and values are those of the core's catalogue;
how options bind one another is for the table to say, which names every defect."""

from __future__ import annotations

from typing import Final

from servito_cli.play.keys import BACKSPACE, ENTER
from servito_cli.texts.form.play import PlayTexts
from servito_client.messages import TableConfig
from servito_client.table_rules import rule_of
from servito_core.rules import OPTIONS
from servito_core.rules.option import Option, written

LENGTH: Final = 200
SHOWN: Final = 6
"""Names that are shown of those that begin as what is typed."""
_BY_KEY: Final = {option.key: option for option in OPTIONS}


class Proposing:
    """A proposal that is being typed. `config` is that of the table: what is played now."""

    def __init__(self, config: TableConfig, texts: PlayTexts) -> None:
        self._config, self._texts = config, texts
        self._typed = ""
        self.message = ""

    @property
    def prompts(self) -> list[str]:
        """The line, and what could be written next."""
        return [self._texts.propose_line.format(typed=self._typed), self._hint()]

    def key(self, key: str) -> dict[str, str] | None:
        """Takes in a key; the changes, once Enter is pressed on a line that can be read."""
        self.message = ""
        if key == BACKSPACE:
            self._typed = self._typed[:-1]
        elif key == ENTER:
            return self._read()
        elif len(key) == 1:
            self._typed = (self._typed + key)[:LENGTH]
        return None

    def _read(self) -> dict[str, str] | None:
        changes = {}
        for word in self._typed.split():
            name, _, typed = word.partition("=")
            option = _BY_KEY.get(name)
            value = None if option is None else _value(option, typed)
            if option is None or value is None:
                self.message = self._texts.propose_wrong.format(word=word)
                return None
            changes[name] = value
        return changes or None

    def _hint(self) -> str:
        word = self._typed.rpartition(" ")[2]
        name, equals, _ = word.partition("=")
        option = _BY_KEY.get(name)
        if equals and option is not None:
            return f"{name}: {_allowed(option)}   (= {rule_of(self._config, name)})"
        fitting = [key for key in _BY_KEY if key.startswith(name)]
        if not word or not fitting:
            return self._texts.propose_keys
        more = " ..." if len(fitting) > SHOWN else ""
        return "  ".join(fitting[:SHOWN]) + more


def _allowed(option: Option) -> str:
    """What the option may have, in signs that need no language."""
    if option.values:
        return " | ".join(map(written, option.values))
    return f"{option.minimum}.." if option.maximum is None else f"{option.minimum}..{option.maximum}"


def _value(option: Option, typed: str) -> str | None:
    """The value that was typed, in the letters that a configuration has; None if it may not have it."""
    for value in (*option.values, option.default):
        if written(value).casefold() == typed:
            return written(value)
    number = int(typed) if typed.isascii() and typed.isdecimal() else None
    return typed if number is not None and option.accepts(number) else None
