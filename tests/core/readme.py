"""The generated parts of libs/servito_core/README.md: the phases, and which module reads which option.

`python -m tests.core.readme` writes them anew; a test fails when they are stale. Not in the core, which reads
no file.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import servito_core
from servito_core.phases import diagram
from servito_core.rulebook import SECTIONS
from servito_core.rules import OPTIONS, RankingRules, RuleSet
from tests.source import tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CORE = Path(servito_core.__file__).parent
README = CORE / "README.md"
NOT_PLAY = ("rules", "rulebook")
"""Packages in which options are declared and told, not played."""

NOT_READ = {"players.max": "the table, which seats no more", "over_blind.amount": "nobody: it has one value"}
"""Who reads the options that no module of the core does; KeyError for one that is missing here."""


def readme(text: str) -> str:
    """The README with its generated parts as they should be."""
    text = re.sub(r"(?s)(?<=```mermaid\n).*?(?=\n```)", lambda _: diagram(), text)
    return re.sub(
        r"(?s)(?<=<!-- options -->\n).*?(?=\n<!-- end -->)", lambda _: "\n".join(option_table()), text
    )


def option_table() -> Iterator[str]:
    """A row for each option, in the order of the rules."""
    fields = {option.key: option.field for option in OPTIONS}
    readers = {module: set(_read_off_rules(tree_of(path))) for module, path in _modules()}
    yield "| option | read by |"
    yield "|--|--|"
    for _, sentences in SECTIONS:
        for key in sentences:
            names = {fields[key], *_through(fields[key])}
            modules = [f"`{module}`" for module, read in readers.items() if names & read]
            yield f"| `{key}` | {', '.join(modules) or NOT_READ[key]} |"


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(CORE.rglob("*.py")):
        inside = path.relative_to(CORE).with_suffix("")
        if inside.parts[0] not in NOT_PLAY:
            yield ".".join(inside.parts), path


def _read_off_rules(tree: ast.AST) -> Iterator[str]:
    """Attributes of anything that is called `rules`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            holder = node.value
            if getattr(holder, "id", None) == "rules" or getattr(holder, "attr", None) == "rules":
                yield node.attr


def _through(field: str) -> Iterator[str]:
    """Methods of a rule set, and what it derives when it is made, by which a module may read a field."""
    for cls in (RankingRules, RuleSet):
        path = CORE / "rules" / f"{cls.__module__.rpartition('.')[2]}.py"
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                read = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
                if field in read:
                    yield node.name
                    yield from _derived(node)


def _derived(function: ast.FunctionDef) -> Iterator[str]:
    """The fields that `__post_init__` sets with `object.__setattr__(self, name, value)`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "__setattr__":
            name = node.args[1]
            assert isinstance(name, ast.Constant)
            yield str(name.value)


if __name__ == "__main__":
    README.write_text(readme(README.read_text()))
