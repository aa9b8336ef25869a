"""The runbook pages: their parts, the commands in them, and the names that they mention."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.observability.expressions import ROOT, RUNBOOKS

PAGES: Final = sorted(RUNBOOKS.glob("Servito*.md"))
PARTS: Final = ("What it means", "What players notice", "What to do", "How to know that it is over")
"""Of each page, in this order."""
_CODE: Final = re.compile(r"^ {4,}(\S.*)$", re.MULTILINE)
_MENTIONED: Final = re.compile(r"`([^`\n]+)`")


def text(page: Path) -> str:
    """The whole of it."""
    return page.read_text(encoding="utf-8")


def parts(page: Path) -> dict[str, str]:
    """What stands under each heading."""
    _, *found = re.split(r"^## ", text(page), flags=re.MULTILINE)
    return {title.strip(): body.strip() for title, _, body in (part.partition("\n") for part in found)}


def commands(program: str) -> Iterator[tuple[str, list[str]]]:
    """Page and words of each command of a program that somebody is told to type, each once."""
    seen: set[tuple[str, ...]] = set()
    for page in (*PAGES, RUNBOOKS / "README.md"):
        for line in _CODE.findall(text(page)):
            words = tuple(shlex.split(line))
            if words[0] == program and words not in seen:
                seen.add(words)
                yield page.stem, list(words[1:])


def programs() -> set[str]:
    """What the commands begin with."""
    return {shlex.split(line)[0] for page in PAGES for line in _CODE.findall(text(page))}


def mentioned(page: Path) -> set[str]:
    """What stands between backquotes."""
    return set(_MENTIONED.findall(text(page)))


@cache
def source() -> str:
    """All that services and libraries say: where a log line or a reason has to stand that a page names."""
    files = [path for root in ("libs", "services") for path in (ROOT / root).rglob("servito_*/**/*.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)
