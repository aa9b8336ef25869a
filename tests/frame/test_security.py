"""SECURITY.md promises nothing without a test: each row, bullet and titled paragraph names one."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor

from servito.dealer.v1 import dealer_pb2
from tests.source import tree_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text()
NAMED = re.compile(r"`(tests/[\w/.]+(?:::\w+)?|make [a-z-]+)`")
SHORT = re.compile(r"`(test_\w+(?:\.py)?[^`]*)`")
"""What looks like a test, but is not said where."""


def claims(page: str) -> list[str]:
    """Each row of a table, bullet, and paragraph that has a title of its own, as it is written."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", page):
        lines = [line for line in block.strip().splitlines() if not line.startswith("#")]
        text = "\n".join(lines)
        if text.startswith("|"):
            found += lines[2:]
        elif text.startswith("- "):
            found += re.split(r"\n(?=- )", text)
        elif text.startswith("**"):
            found.append(text)
    return found


@cache
def functions(path: str) -> frozenset[str]:
    """The tests of a file, or of every file of a folder."""
    place = ROOT / path
    files = [place] if place.is_file() else sorted(place.rglob("test_*.py"))
    return frozenset(
        node.name
        for file in files
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )


def exists(name: str) -> bool:
    """Whether the page names a test, a file that has some, or a target of the Makefile."""
    if name.startswith("make "):
        return re.search(rf"^{name[5:]}:", (ROOT / "Makefile").read_text(), re.MULTILINE) is not None
    path, _, function = name.partition("::")
    if not (ROOT / path).exists():
        return False
    return function in functions(path) if function else bool(functions(path))


@pytest.mark.parametrize("claim", claims(PAGE), ids=lambda claim: claim[:60])
def test_each_claim_names_a_test(claim: str) -> None:
    """By its path from the root of the repository, and a test is what is there."""
    named = [name for name in NAMED.findall(claim) if name.startswith("tests/")]
    assert named, "no test is named"
    assert [name for name in named if not exists(name)] == []
    assert not SHORT.findall(claim), "a test is named without its path"


def test_every_test_that_is_named_anywhere_exists() -> None:
    """Also in sentences that are no claim; targets of the Makefile as well."""
    named = NAMED.findall(PAGE)
    assert len(named) > 30
    assert [name for name in named if not exists(name)] == []


def test_the_page_is_read_as_it_is_written() -> None:
    """Rows, bullets and titled paragraphs are claims, headings and the rest are not."""
    table = "## S\n| a | b |\n|--|--|\n| x | `tests/x.py` |\n"
    page = f"# T\n\nWords.\n\n{table}\n- one\n  more\n- two\n\n**P.** it\n"
    assert claims(page) == ["| x | `tests/x.py` |", "- one\n  more", "- two", "**P.** it"]
    assert not exists("tests/frame/test_nothing.py")
    assert not exists("tests/frame/test_security.py::test_nothing")
    assert not exists("tests/frame/gate.py")
    assert not exists("make nothing")


def test_the_dealer_is_told_of_no_player() -> None:
    """The only text in what it is asked is the hand's id; of bytes there are a digest of who holds the slots,
    and what the table made of the players' entropy.
    """
    text, raw = FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES
    asked = {
        field.full_name.removeprefix("servito.dealer.v1.")
        for method in dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].methods
        for field in method.input_type.fields
        if field.type in (text, raw)
    }
    ids = {name for name in asked if name.endswith(".hand_id")}
    assert asked - ids == {"OpenHandRequest.holders", "DealRequest.contributions"}
    assert len(ids) == len(dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].methods)
