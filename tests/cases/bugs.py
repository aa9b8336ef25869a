"""The faults of `poker_bugs.json`, and which tests name them."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.source import tree_of

TESTS = Path(__file__).parents[1]
ENTRIES: list[dict[str, Any]] = [
    entry for entry in json.loads((TESTS / "cases" / "poker_bugs.json").read_text()) if "id" in entry
]


class Claim(NamedTuple):
    """A test that says in its docstring that it is about a fault."""

    fault: str
    test: str


def ids_of(layer: str) -> list[str]:
    """The faults of a layer: `engine`, `server`, `api` or `infra`."""
    return [entry["id"] for entry in ENTRIES if entry["layer"] == layer]


def options_of(fault: str) -> dict[str, object]:
    """The rules that the figures of a fault rest on, on top of `italiana`."""
    return dict(next(entry["options"] for entry in ENTRIES if entry["id"] == fault))


@cache
def claims() -> frozenset[Claim]:
    """Every fault that the docstring of some test function names."""
    known = {entry["id"] for entry in ENTRIES}
    return frozenset(
        Claim(fault, f"{path.relative_to(TESTS)}::{function.name}")
        for path in sorted(TESTS.rglob("test_*.py"))
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name.startswith("test_")
        for fault in known.intersection(re.findall(r"\b[A-Z]{2}-\d{2}\b", ast.get_docstring(function) or ""))
    )
