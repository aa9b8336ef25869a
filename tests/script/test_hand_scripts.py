"""The shared hand scripts, all of them, and what the runner says when the engine differs."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from servito_script.case_result import closing_count
from servito_script.handscript import run_text

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = sorted((Path(__file__).parents[1] / "cases" / "hands").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_script_holds(path: Path) -> None:
    """Every step, range, pot, refusal and result of the script."""
    result = run_text(path.read_text(), path.name)
    assert result.passed, result.line


def test_all_scripts_are_there() -> None:
    """34 shared cases."""
    assert len(CASES) == 34


def _case(name: str) -> dict[str, Any]:
    case: dict[str, Any] = json.loads((CASES[0].parent / f"{name}.json").read_text())
    return case


def _set(*path: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    """Replace what lies at `path` of a script."""

    def change(case: Any) -> None:
        for key in path[:-1]:
            case = case[key]
        case[path[-1]] = to

    return change


FIRST = ("deals", 0, "steps")
RESULT = ("deals", 0, "result")


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("s01", _set("deals", 0, "button", to="P3"), "deal 1, button: played P3, script says P3"),
        ("s01", _set("deals", 0, "opening", to="QQ"), "opening level: played JJ, script says QQ"),
        (
            "s01",
            _set(*FIRST, 0, "expect", "to_call", to=1),
            "step 1 (P1 open 4): to call: played 0, script says 1",
        ),
        ("s01", _set(*FIRST, 0, "expect", "legal", "open", to=[1, 5]), "legal: played"),
        ("s01", _set(*FIRST, 0, "pot_after", to=9), "pot: played 8, script says 9"),
        ("s01", _set(*FIRST, 0, "to", to=5), "refused (above_maximum)"),
        ("s01", _set(*FIRST, 1, "refused", to="malformed"), "refused: played it, script says malformed"),
        ("s01", _set(*FIRST, 6, "drawn", to="Jc Ah 9s"), "drawn: played Jc Ah 8s, script says Jc Ah 9s"),
        ("s01", _set(*RESULT, "outcome", to="void"), "outcome: played showdown, script says void"),
        ("s01", _set(*RESULT, "show_order", to=["P4", "P1"]), "show order: played ['P1', 'P4']"),
        ("s01", _set(*RESULT, "pots", 0, "amount", to=47), "pot 0 amount: played 48, script says 47"),
        ("s15", _set(*RESULT, "pots", 0, "winners", to=["P1"]), "pot 0 winners: played P1 and P2 and P3"),
        ("s15", _set(*RESULT, "pots", 0, "shares", "P1", to=20), "pot 0 shares"),
        ("s15", _set(*RESULT, "stacks", "P3", to=130), "stack of P3: played 131, script says 130"),
        ("s02", _set(*RESULT, "carried_pot", to=5), "carried pot: played 4, script says 5"),
        ("s02", _set("deals", 1, "opening", to="KK"), "deal 2, opening level: played QQ"),
        ("s02", _set("deals", 2, "steps", 4, "amount", to=11), "event: played"),
        ("s05", _set(*FIRST, 8, "cards", to="Ks"), "event: played"),
        (
            "d01",
            _set(*FIRST, 0, "refused", to="malformed"),
            "refused: played openers_required, script says malformed",
        ),
        (
            "d18",
            _set("deals", 0, "reshuffles", 0, "pool_size", to=7),
            "size of the reshuffled pool: played 6",
        ),
    ],
)
def test_the_first_difference_is_told(name: str, change: Callable[[dict[str, Any]], None], told: str) -> None:
    """A script with one wrong assertion fails, and its line says where and what."""
    case = copy.deepcopy(_case(name))
    change(case)
    if told.startswith("deal 1, button"):  # the first button is given, not checked: it moves everything else
        told = "step 1"
    result = run_text(json.dumps(case), name)
    assert not result.passed
    assert told in result.difference, result.line


def test_an_event_that_is_not_listed_is_told() -> None:
    """Every deferred draw and uncalled bet has to be listed, at its place and at the end."""
    case = _case("s05")
    del case["deals"][0]["steps"][8]
    assert "does not list {'event': 'deferred_draw'" in run_text(json.dumps(case), "").difference
    case = _case("s12")
    case["deals"][0]["steps"].pop()
    assert "does not list {'event': 'uncalled_bet_returned'" in run_text(json.dumps(case), "").difference
    case = _case("s12")
    case["deals"][0]["steps"] *= 2
    assert not run_text(json.dumps(case), "").passed


def test_a_script_that_stops_early_is_told() -> None:
    """The hand has to be over after the last step."""
    case = _case("s01")
    case["deals"][0]["steps"].pop()
    assert "the hand is not over (second_round)" in run_text(json.dumps(case), "").difference


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_set("format", to="hand-script/2"), "format"),
        (_set("rules", "bet.limit", to="sky"), "rules"),
        (_set("seats", 0, "stack", to=-1), "stack"),
        (_set("seats", 1, "name", to="P1"), "different names"),
        (_set("deals", 0, "hands", "P1", to="Js Jd 9c 8h Zz"), "deal 1: "),
        (_set("deals", 0, "hands", "P9", to="Js Jd 9c 8h 7s"), "no field 'P9'"),
        (_set("deals", 0, "hands", "P1", to="Js Jd 9c 8h"), "five cards each"),
        (_set("deals", 0, "hands", "P1", to="Kd Jd 9c 8h 7s"), "five cards each"),
        (_set("deals", 0, "steps", 0, "seat", to="P7"), "step 1: seat"),
        (_set("deals", 0, "steps", 0, "when", to="now"), "no field 'when'"),
        (_set("deals", 0, "steps", 0, to={"seat": "P1"}), '"do" or "event"'),
        (_set("deals", to={}), "deals: must be a list"),
        (_set("deals", to=[]), "deals: at least one"),
        (_set("deals", 0, "reshuffles", to=7), "deal 1: reshuffles: must be a list"),
        (_set(*FIRST, 0, "seat", to={}), "deal 1: step 1: seat: must be a text"),
        (_set(*FIRST, 0, "do", to=["open"]), "step 1: do: must be a text"),
        (_set(*FIRST, 0, "pot_after", to="8"), "step 1: pot_after: must be a whole number"),
        (_set(*FIRST, 0, "expect", to=None), "step 1: expect: must be an object"),
        (_set(*FIRST, 0, "expect", "to_cal", to=4), "expect: there is no field 'to_cal'"),
        (_set(*FIRST, 0, "expect", "legal", "rise", to=[2, 4]), "legal: there is no field 'rise'"),
        (_set(*RESULT, "stacks", to={"P9": 4}), "result: stacks: there is no field 'P9'"),
        (_set(*RESULT, "show_order", to=[["P1"]]), "result: show_order: must be names of P1"),
        (_set(*RESULT, "pots", to={}), "result: pots: must be a list"),
        (_set(*RESULT, "pots", 0, "winners", to=5), "result: winners: must be a list"),
        (_set(*RESULT, "pots", 0, "shares", to=["P1"]), "result: shares: must be an object"),
    ],
)
def test_an_unreadable_script_says_where(change: Callable[[dict[str, Any]], None], told: str) -> None:
    """It fails by its own line, like a script that differs."""
    case = _case("s01")
    change(case)
    result = run_text(json.dumps(case), "S01")
    assert told in result.difference


def test_a_text_that_is_no_script() -> None:
    """Not JSON, or another thing in JSON."""
    assert "not JSON" in run_text("{", "x.json").line
    assert "must be an object" in run_text("[]", "x.json").line
    assert "not JSON" in run_text("[" * 100_000, "x.json").line
    assert "not JSON" in run_text("9" * 5_000, "x.json").line


def test_a_line_stays_a_line() -> None:
    """A file without a name of its own goes by the file's, and no text of a file ends or breaks its line."""
    assert run_text("{}", "x.json").line.startswith("x.json  FAILED  format")
    case = _case("s01") | {"title": "two\nlines \ud800"}
    assert run_text(json.dumps(case), "").line == r"S01  ok      two\nlines \ud800"


def test_lines_and_count() -> None:
    """A line per case and a closing count, as the command prints them."""
    good = run_text(CASES[0].read_text(), "")
    bad = run_text("{", "x.json")
    assert good.line == "D01  ok      A refused step for each reason, and nothing changes"
    assert bad.line.startswith("x.json  FAILED  not JSON")
    assert closing_count([good, bad], "hand scripts") == "2 hand scripts: 1 passed, 1 failed"
