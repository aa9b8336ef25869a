"""The installed command: quick to start, clear about what it can and cannot do, honest in its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SERVITO = Path(sys.executable).with_name("servito")
CASES = Path("tests/cases")


def servito(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the command as a person does."""
    return subprocess.run([SERVITO, *words], capture_output=True, text=True, check=False, timeout=60)


def test_help_names_every_command_and_imports_none_of_them() -> None:
    """The command starts quickly because a command's libraries are imported when it is called."""
    heavy = "{'grpc', 'google.protobuf', 'psutil', 'redis', 'servito_client', 'servito_core'}"
    check = f"import sys, servito_cli.commands; print({heavy} & set(sys.modules))"
    imported = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert imported.stdout == "set()\n"
    shown = servito("--help").stdout
    for command in ("up", "demo", "hand", "compare", "eval", "odds", "rules", "table", "templates"):
        assert f" {command} " in shown


def test_eval_names_hands_in_both_languages_and_the_winner() -> None:
    """Equal flushes are decided by the suit; cards may be typed together or apart."""
    done = servito("eval", "--players", "4", "KcJc9c8c7c", "Kh Jh 9h 8h 7h")
    assert done.returncode == 0
    assert "32 cards, from the seven up" in done.stdout
    lines = [
        line for line in done.stdout.splitlines() if "colore al re" in line and "king-high flush" in line
    ]
    assert [line.endswith("wins") for line in lines] == [False, True]


def test_eval_takes_cards_one_by_one_and_chooses_the_deck_that_has_them() -> None:
    """Ten single cards are two hands; a three needs the deck of eight players."""
    done = servito("eval", *["Ah", "Ad", "9c", "9d", "3s", "Kh", "Qd", "Jc", "Td", "9s"])
    assert done.returncode == 0
    assert "48 cards, from the three up" in done.stdout
    assert "doppia coppia di assi e nove   two pair, aces and nines" in done.stdout
    assert "scala al re" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["eval", "Ah Kh Qh Jh"], "five cards"),
        (["eval", "Ah Kh Qh Jh Xx"], "'Xx' is not a card"),
        (["eval", "Ah Kh Qh Jh Ah"], "Ah occurs twice"),
        (["eval", "Ah Kh Qh Jh Th", "Ah Ks Qs Js Ts"], "held twice"),
        (["eval", "--players", "2", "7h Kh Qh Jh Th"], "not of this deck"),
        (["compare", "no-such-file.json"], "no-such-file.json"),
        (["compare", "Makefile"], "not JSON"),
        (["up", "--port", "table"], "NAME=NUMBER"),
        (["up", "--data", "/dev/null"], "/dev/null"),
        (["demo", "--json", "no-such-folder/figures.json"], "no-such-folder"),
        (["demo", "--players", "11"], "less than or equal to 10"),
        (["demo", "--preset", "scopa"], "there is no preset 'scopa'"),
        (["demo", "--option", "ante"], "'ante' must be KEY=VALUE"),
        (["demo", "--option", "draw.max=9"], "draw.max: 9 is not allowed: one of 4, 5"),
        (["demo", "--lang", "de"], "'de' is not one of"),
    ],
)
def test_input_that_cannot_be_used_is_named_and_exits_with_two(words: list[str], says: str) -> None:
    """The message says what was wrong, on standard error; nothing is half done."""
    done = servito(*words)
    assert says in done.stderr
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_compare_shows_a_line_for_each_case_and_a_count() -> None:
    """The shared comparisons pass, one line each."""
    done = servito("compare", CASES / "comparisons.json")
    cases = json.loads((CASES / "comparisons.json").read_text())
    lines = done.stdout.splitlines()
    assert len(lines) == len(cases) + 1
    assert lines[-1] == f"{len(cases)} comparisons: {len(cases)} passed, 0 failed"
    assert done.returncode == 0


def test_compare_exits_non_zero_when_a_case_fails(tmp_path: Path) -> None:
    """One wrong winner among right ones is found, told and counted."""
    right = json.loads((CASES / "comparisons.json").read_text())[0]
    wrong = right | {"id": "W1", "winners": sorted(set(right["hands"]) - set(right["winners"]))[:1]}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([right, wrong]))
    done = servito("compare", file)
    assert "W1  FAILED" in done.stdout
    assert "2 comparisons: 1 passed, 1 failed" in done.stdout
    assert done.returncode == 1


def test_a_file_without_cases_is_no_success(tmp_path: Path) -> None:
    """Nothing compared is nothing shown to be right."""
    file = tmp_path / "none.json"
    file.write_text("[]")
    assert servito("compare", file).returncode == 1
