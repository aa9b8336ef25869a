"""The code blocks of the documents, and what is said above each of them.

The line above a fence says what becomes of the block:

    <!-- run -->                           executed, after those before it in its document, against a system
    <!-- run: tests/system/test_x.py -->   that test executes it
    <!-- not run: why -->                  it cannot be; what can be is still checked (`checks.py`)

A block without such a line fails, and so does an indented one, because nobody could say anything about it;
but a folder's README may say for all pages of the folder why its indented blocks are not run:

    <!-- indented: why -->
"""

from __future__ import annotations

import re
import subprocess
import textwrap
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

LEFT_OUT: Final = re.compile(r"(.*/)?(DECISIONS|RULES)\.md|tests/cases/README\.md")
"""Written for who changes the code, and the form of the case files; they hold no command that anybody types.
"""
_MARK: Final = re.compile(r"<!-- (run|not run)(?:: (.+))? -->")
_INDENTED: Final = re.compile(r"^<!-- indented: (.+) -->$", re.MULTILINE)
_FENCE: Final = re.compile(r"```(\S*)")
_IN_LIST: Final = 7
"""Blanks in front of a block that belongs to an item of a list."""
_ITEM: Final = re.compile(r"\s*([-*]|\d+\.)\s")


@dataclass(frozen=True)
class Block:
    """One block. `mark` is "run", "not run" or "" for none; `told` is what the mark says besides."""

    file: str
    line: int
    language: str
    code: str
    mark: str = ""
    told: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def shell(self) -> bool:
        """Whether a shell would read it."""
        return self.language in ("bash", "sh")


@cache
def documents() -> tuple[str, ...]:
    """All that are committed or about to be, by their path from the repository's root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    return tuple(sorted(name for name in listed if name and not LEFT_OUT.fullmatch(name)))


def blocks(file: str, text: str | None = None) -> list[Block]:
    """All blocks of a document, in their order; of its `text`, where that is given."""
    lines = (Path(file).read_text(encoding="utf-8") if text is None else text).split("\n")
    found: list[Block] = []
    number, in_list = 0, False
    while number < len(lines):
        line = lines[number]
        if fence := _FENCE.fullmatch(line.strip()):
            end = next(at for at in range(number + 1, len(lines)) if lines[at].strip() == "```")
            mark = _MARK.fullmatch(lines[number - 1].strip()) if number else None
            code = "\n".join(lines[number + 1 : end]) + "\n"
            said = (mark[1], mark[2] or "") if mark else ("", "")
            found.append(Block(file, number + 1, fence[1], code, *said))
            number, in_list = end + 1, in_list and line.startswith(" ")
            continue
        item = bool(_ITEM.match(line))
        in_list = item or (in_list and (not line or line.startswith(" ")))
        indent = " " * (_IN_LIST if in_list and not item else 4)
        if line.startswith(indent) and number and not lines[number - 1].strip():
            end = number
            while end < len(lines) and lines[end].startswith(indent):
                end += 1
            code = textwrap.dedent("\n".join(lines[number:end])) + "\n"
            why = indented(Path(file).parent)
            block = Block(file, number + 1, "indented", code)
            found.append(replace(block, language="bash", mark="not run", told=why) if why else block)
            number = end
            continue
        number += 1
    return found


@cache
def indented(folder: Path) -> str:
    """Why the indented blocks of a folder's pages are not run; "" where nobody says so."""
    readme = folder / "README.md"
    said = _INDENTED.search(readme.read_text(encoding="utf-8")) if readme.exists() else None
    return said[1] if said else ""


@cache
def all_blocks() -> tuple[Block, ...]:
    """Of all documents."""
    return tuple(block for file in documents() for block in blocks(file))
