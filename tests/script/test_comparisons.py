"""Comparisons files: the shared cases pass, and a case that fails says where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from servito_core.rules import OPTIONS
from servito_script.case_result import closing_count
from servito_script.comparisons import UnreadableError, run_comparisons

SHARED = (Path(__file__).parents[1] / "cases" / "comparisons.json").read_text()
CASES: list[dict[str, Any]] = json.loads(SHARED)
C41 = next(case for case in CASES if case["id"] == "C41")


def lines(*cases: object) -> list[str]:
    """The lines of a file that holds these cases."""
    return [result.line for result in run_comparisons(json.dumps(cases))]


def test_all_shared_comparisons_pass() -> None:
    """All 29, among them the 22 whose rules are the defaults."""
    results = run_comparisons(SHARED)
    assert [result.line for result in results if not result.passed] == []
    assert closing_count(results, "comparisons") == "29 comparisons: 29 passed, 0 failed"
    defaults = {option.key: option.default for option in OPTIONS}
    assert sum(all(defaults[key] == value for key, value in case["ruleset"].items()) for case in CASES) == 22


def test_a_passing_case_is_a_line_with_what_it_shows() -> None:
    """Name, verdict, reason."""
    assert lines(C41) == [f"C41  ok      {C41['why']}"]


def test_every_shared_case_can_fail() -> None:
    """With any one hand named as the only winner instead, each case fails unless that hand does win alone."""
    for case in CASES:
        for name in case["hands"]:
            result = run_comparisons(json.dumps([case | {"winners": [name]}]))[0]
            assert result.passed is (case["winners"] == [name])


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"winners": ["A"]}, "C41  FAILED  B won, expected A"),
        ({"winners": ["A", "B"]}, "C41  FAILED  B won, expected A and B"),
        ({"winners": []}, "C41  FAILED  winners must be names of hands, at least one"),
        ({"winners": ["X"]}, "C41  FAILED  winners must be names of hands, at least one"),
        ({"deck_low_rank": 8}, "C41  FAILED  a card is not of this deck, which holds 8s to Ah"),
        ({"deck_low_rank": 10}, "C41  FAILED  no deck begins at rank 10: the lowest rank is 2..9"),
        ({"deck_low_rank": "7"}, "C41  FAILED  deck_low_rank: must be of JSON type int"),
        ({"ruleset": {"suits": 1}}, "C41  FAILED  suits: there is no option of this name"),
        ({"hands": {"B": "Qd Qc Ah Td"}}, "C41  FAILED  a hand is five cards, not 4"),
        ({"hands": {"B": "Qd Qc Ah Td 7x"}}, "C41  FAILED  '7x' is not a card: write a rank of "),
        ({"hands": {"B": 5}}, "C41  FAILED  hands must be texts of cards by name, winners names"),
        ({"note": ""}, "C41  FAILED  note: there is no such field; known are id, deck_low_rank, "),
    ],
)
def test_a_failing_case_says_its_first_difference(change: dict[str, Any], line: str) -> None:
    """Another winner, or what cannot be read, in one line under the name of the case."""
    assert lines(C41 | change)[0].startswith(line)


def test_one_bad_case_hides_no_other() -> None:
    """Each case has its line, and the count says how many failed."""
    missing = {key: value for key, value in C41.items() if key != "hands"}
    results = run_comparisons(json.dumps([missing, 7, C41]))
    assert [result.line for result in results] == [
        "C41  FAILED  hands: is missing",
        "case 2  FAILED  a case is an object",
        f"C41  ok      {C41['why']}",
    ]
    assert closing_count(results, "comparisons") == "3 comparisons: 1 passed, 2 failed"


@pytest.mark.parametrize(
    ("text", "message"), [("{", "not JSON"), ("[" * 100_000, "not JSON"), ("{}", "a list of cases")]
)
def test_a_file_that_is_no_list_of_cases_is_refused(text: str, message: str) -> None:
    """There is nothing to run."""
    with pytest.raises(UnreadableError, match=message):
        run_comparisons(text)
