"""Comparisons: sets of hands with the winners they must have, read from JSON and judged by the rules core.

The format is described in `tests/cases/README.md`. A case that cannot be read fails like one with another
winner, by its own line, so that one bad case hides no other. Pure: whoever calls reads the file and prints
the lines.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from servito_core.cards import Card, CardError, parse_cards
from servito_core.ranking import NotAHandError, winners
from servito_core.rules import InvalidRules, RuleSet
from servito_script.case_result import CaseResult

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUIRED = {"id": str, "deck_low_rank": int, "hands": dict, "winners": list}
OPTIONAL = {"players": int, "ruleset": dict, "why": str}


class UnreadableError(ValueError):
    """A file or a case that is no comparison; the message says what is expected."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hands by name, the deck from rank `lowest` and the rules they are judged by, and who must win."""

    lowest: int
    rules: RuleSet
    hands: Mapping[str, tuple[Card, ...]]
    winners: frozenset[str]


def run_comparisons(text: str) -> list[CaseResult]:
    """Judge every case of a comparisons file; `UnreadableError` if the text is no list of cases."""
    try:
        cases = json.loads(text)
    except (ValueError, RecursionError) as error:  # no JSON, a number beyond all measure, or nested too deep
        raise UnreadableError(f"not JSON: {error}") from error
    if not isinstance(cases, list):
        raise UnreadableError("a comparisons file is a list of cases")
    return [_run(number, case) for number, case in enumerate(cases, 1)]


def _run(number: int, case: Any) -> CaseResult:
    fields = case if isinstance(case, dict) else {}
    name, why = str(fields.get("id", f"case {number}")), str(fields.get("why", ""))
    try:
        comparison = read_comparison(case)
        won = _winners(comparison)
    except (UnreadableError, CardError, NotAHandError, InvalidRules) as error:
        return CaseResult(name, str(error), why)
    if won == comparison.winners:
        return CaseResult(name, "", why)
    return CaseResult(name, f"{_named(won)} won, expected {_named(comparison.winners)}", why)


def read_comparison(case: Any) -> Comparison:
    """One case as values; raises `UnreadableError`, `CardError` or `InvalidRules`, which say what is
    expected.
    """
    if not isinstance(case, dict):
        raise UnreadableError("a case is an object")
    _check_fields(case)
    hands = {name: parse_cards(text) for name, text in case["hands"].items()}
    expected = frozenset(case["winners"])
    if not expected or not expected <= hands.keys():
        raise UnreadableError("winners must be names of hands, at least one")
    return Comparison(case["deck_low_rank"], RuleSet.from_options(case.get("ruleset", {})), hands, expected)


def _check_fields(case: dict[str, Any]) -> None:
    known = REQUIRED | OPTIONAL
    for key in case:
        if key not in known:
            raise UnreadableError(f"{key}: there is no such field; known are {', '.join(known)}")
    for key, kind in known.items():
        if key in REQUIRED and key not in case:
            raise UnreadableError(f"{key}: is missing")
        if key in case and type(case[key]) is not kind:
            raise UnreadableError(f"{key}: must be of JSON type {kind.__name__}")
    texts = [*case["hands"].values(), *case["winners"]]
    if not all(isinstance(text, str) for text in texts):
        raise UnreadableError("hands must be texts of cards by name, winners names")


def _winners(comparison: Comparison) -> frozenset[str]:
    names = list(comparison.hands)
    hands = dict(enumerate(comparison.hands.values()))
    return frozenset(names[seat] for seat in winners(hands, comparison.rules, comparison.lowest))


def _named(names: frozenset[str]) -> str:
    return " and ".join(sorted(names))
