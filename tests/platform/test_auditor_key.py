"""The auditor's key is made by a command where he works, and nothing else writes it down."""

from __future__ import annotations

from pathlib import Path

import pytest

from servito_platform.audit_seal import AuditOpener, AuditSealer
from servito_platform.auditor_key import main, read_auditor_keys
from servito_platform.seal_keys import parse_seal_keys


def test_the_command_makes_a_pair_that_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it prints seals, what it writes opens; the file is its owner's alone, and never written over.
    Several keys may stand in one file, one a line.
    """
    file = tmp_path / "auditor.key"
    assert main([str(file), "a1"]) == 0
    variable, _, shown = capsys.readouterr().out.strip().partition("=")
    assert variable == "SERVITO_TABLE_AUDITOR_KEY"
    [(name, public)] = parse_seal_keys(shown).items()
    sealed = AuditSealer(name, public).seal(b"here", b"hidden")
    assert AuditOpener(read_auditor_keys(file)).open(b"here", sealed) == b"hidden"
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_text()
    assert main([str(file), "a2"]) == 1
    assert file.read_text() == before
    assert main([str(tmp_path / "next"), "a2"]) == 0
    file.write_text(before + (tmp_path / "next").read_text())
    assert list(read_auditor_keys(file)) == ["a1", "a2"]
    assert AuditOpener(read_auditor_keys(file)).open(b"here", sealed) == b"hidden"
    assert before.strip().partition(":")[2] not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"), [([], "usage"), (["f"], "usage"), (["f", "not an id"], "id:base64")]
)
def test_a_wrong_call_writes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    """Exit code 2, and what is allowed."""
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
