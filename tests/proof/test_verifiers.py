"""Both verifiers find what is right right, and name whatever was changed by the same word."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.proof.__main__ import FOLDER, written
from tests.proof.hands import examples
from tests.proof.tampering import Change, changed, scalars
from tests.proof.verifiers import ALONE, alone, by_the_sdk

FILES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text()) for path in FOLDER.glob("*.json") if path.stem != "changes"
}
CHANGES: list[Change] = json.loads((FOLDER / "changes.json").read_text())
NAMED = {"card", "order", "salt", "root", "seed", "count"}
"""What the players are promised that a change of it is named."""


def test_the_vectors_are_what_the_dealer_deals() -> None:
    """They are made by `python -m tests.proof`; a difference means that proofs of dealt hands changed."""
    assert {path.name: path.read_text() for path in FOLDER.iterdir()} == written()


@pytest.mark.parametrize("name", examples())
def test_what_is_right_is_found_right(name: str, tmp_path: Path) -> None:
    """By both, of hands with and without refills, of players and of a spectator."""
    assert by_the_sdk(FILES[name]) == alone(FILES[name], tmp_path) == "OK"


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["what"].replace(" ", "-"))
def test_what_was_changed_is_named(change: Change, tmp_path: Path) -> None:
    """By both verifiers, by the word of the vectors."""
    file = changed(FILES[change["of"]], change)
    assert file != FILES[change["of"]]
    assert (by_the_sdk(file), alone(file, tmp_path)) == (change["word"], change["word"])


def test_the_vectors_have_every_kind_of_change() -> None:
    """Each of the promised words several times."""
    words = [change["word"] for change in CHANGES]
    assert all(words.count(word) >= 2 for word in NAMED)
    assert {*NAMED, "path", "entropy", "hand", "format"} == set(words)


@pytest.mark.parametrize("name", examples())
def test_no_number_and_no_text_can_be_changed(name: str) -> None:
    """Whichever value of a file is replaced by another of its kind, neither verifier accepts it. Who of the
    others drew how many cards is left out: where nobody showed them nothing is known of them.
    """
    said, file = said_by_the_script(), FILES[name]
    for pointer, value in scalars(file):
        step = re.fullmatch(r"record/steps/(\d+)/(seat|count)", pointer)
        if step and file["record"]["steps"][int(step[1])]["seat"] != file["record"]["own_seat"]:
            continue
        wrong = changed(file, {"set": {pointer: another(value)}})
        assert by_the_sdk(wrong) != "OK", pointer
        assert said(wrong) != "OK", pointer


def another(value: Any) -> Any:
    """Another value of that kind."""
    if value is None:
        return 0
    if isinstance(value, int):
        return value + 1
    if len(value) == 64:
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    return {"Ah": "Kh"}.get(value, "Ah") if len(value) == 2 else value + "x"


def said_by_the_script() -> Any:
    """Its functions, called here, because a process for each of a thousand files takes too long."""
    spec = importlib.util.spec_from_file_location("verify_hand", ALONE)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    def said(file: Any) -> str:
        try:
            script.check(file["format"] == "servito-hand-proof/1", "format", "")
            script.check_proofs(file["record"], file["proofs"], *script.read_steps(file["record"]))
        except SystemExit as wrong:
            return str(wrong).split()[1].rstrip(":")
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            return "format"
        return "OK"

    return said


def test_the_script_is_short_and_needs_nothing() -> None:
    """Less than a hundred lines, and the standard library only."""
    lines = ALONE.read_text().splitlines()
    assert len(lines) < 100
    assert [line for line in lines if line.startswith(("import", "from"))] == ["import hashlib, json, sys"]


@pytest.mark.parametrize("content", ["", "[]", "{}", "null", '{"format": "servito-hand-proof/1"}'])
def test_what_is_no_proof_file_is_said_to_be_none(content: str, tmp_path: Path) -> None:
    """In a word, not in a traceback."""
    if content:
        assert by_the_sdk(json.loads(content)) == "format"
    path = tmp_path / "hand.json"
    path.write_text(content)
    for words in ([str(path)], [str(tmp_path / "nothing")], []):
        command = [sys.executable, "-I", "-S", str(ALONE), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr.partition(":")[0]) == (1, "WRONG format")
