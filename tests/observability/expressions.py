"""Rules and dashboards as they are committed, and the names of metrics in their expressions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "deploy/observability"
RULES: Final = sorted((FOLDER / "rules").glob("*.yml"))
RULE_TESTS: Final = sorted((FOLDER / "rules_tests").glob("*.yml"))
DASHBOARDS: Final = sorted((FOLDER / "dashboards").glob("*.json"))
RUNBOOKS: Final = FOLDER / "runbooks"

_WORDS: Final = {"and", "or", "unless", "bool", "offset", "inf", "nan"}
_TEXTS: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_LABELS: Final = re.compile(r"\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|without|group_left|group_right)\s*\([^)]*\)")
_NAME: Final = re.compile(r"(?<![\w.])[A-Za-z_:][\w:]*(?!\w*\s*\()")


@cache
def groups() -> tuple[dict[str, Any], ...]:
    """All groups of rules."""
    read = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in RULES)
    return tuple(group for content in read for group in content["groups"])


def rules(kind: str) -> list[dict[str, Any]]:
    """All rules that are an `alert`, or a `record`."""
    return [rule for group in groups() for rule in group["rules"] if kind in rule]


def boards() -> Iterator[tuple[str, dict[str, Any]]]:
    """The dashboards, by the names of their files."""
    for path in DASHBOARDS:
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def queries() -> list[tuple[str, str]]:
    """Every query of every panel, and where it stands."""
    return [
        (f"{name}: {panel['title']}", target["expr"])
        for name, board in boards()
        for panel in board["panels"]
        for target in panel.get("targets", [])
    ]


def names(expr: str) -> set[str]:
    """The metrics that an expression reads."""
    bare = _LABELS.sub(" ", _TEXTS.sub(" ", expr.replace("$__rate_interval", "")))
    return {name for name in _NAME.findall(bare) if name.lower() not in _WORDS and not name.isdigit()}
