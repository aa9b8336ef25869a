"""Who reads the time of day of its own machine: nobody whose decisions others share (PITFALLS R13).

Deadlines and everything that tables decide go by the state server's clock; waiting goes by monotonic clocks.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.source import tree_of

ROOT = Path(__file__).parents[2]
ALLOWED = {
    "libs/servito_platform/caller.py": "whether a token is good: issuers date them by the time of day",
    "libs/servito_platform/signed_tokens.py": "the same",
    "libs/servito_platform/token_signing.py": "from when until when a token is good",
    "libs/servito_platform/safety/facts.py": "how far this machine's clock is off, for people",
    "libs/servito_cli/demo/command.py": "how long its own process has been running, by the system's account",
    "libs/servito_platform/logs.py": "when a line was written",
}
"""The only ones, and what for."""
READS = {"time", "time_ns", "now", "utcnow", "today", "localtime", "gmtime", "TimeStamper"}
MODULES = {"time", "datetime", "date", "structlog.processors", "processors"}


def reads(tree: ast.AST) -> set[str]:
    """What in a module reads the time of day."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in {"time", "structlog.processors"}:
            found |= {alias.name for alias in node.names} & READS
        elif isinstance(node, ast.Attribute) and node.attr in READS:
            owner = ast.unparse(node.value).rpartition(".")[2]
            found |= {node.attr} if owner in MODULES else set()
    return found


def sources() -> dict[str, set[str]]:
    """Every module that reads the time of day."""
    paths = (path for root in ("libs", "services") for path in (ROOT / root).rglob("*.py"))
    ours = (path for path in paths if "servito_protos" not in path.parts)
    found = {str(path.relative_to(ROOT)): reads(tree_of(path)) for path in ours}
    return {path: names for path, names in found.items() if names}


def test_nobody_else_reads_the_time_of_day() -> None:
    """A new reader has to say here what it decides by it; one that is gone is taken out."""
    assert set(sources()) == set(ALLOWED)


@pytest.mark.parametrize(
    "text",
    [
        "from time import time",
        "import time\ntime.time()",
        "import datetime\ndatetime.datetime.now()",
        "from datetime import date\ndate.today()",
    ],
)
def test_a_reading_is_seen(text: str) -> None:
    """In each of its forms; a monotonic clock is none."""
    assert reads(tree_of(text))
    assert not reads(tree_of("from time import monotonic, perf_counter\nloop.time()"))
