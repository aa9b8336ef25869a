"""What was typed wrongly is said in a sentence, before anything is started or asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from grpc import StatusCode
from typer.testing import CliRunner, Result

from servito_cli.commands import app
from servito_cli.rules_given import rules_for
from servito_cli.table.reaching import TOKEN_FILE, VARIABLE, who
from servito_cli.table.running import finished
from servito_cli.texts import Language
from servito_client.errors import Unanswered
from servito_core.rules import PRESETS

NOBODY = {VARIABLE: "127.0.0.1:1", "SERVITO_HISTORY_URL": "sqlite:////nowhere/at.all"}


def servito(*words: str) -> Result:
    """Runs the command in this process, with nothing to speak to."""
    return CliRunner().invoke(app, words, env=NOBODY)


@pytest.mark.parametrize("word", ["zz", "t1-", "t1-x", "t1-007", "t 1-3", ""])
@pytest.mark.parametrize("command", ["hand show", "hand export", "hand replay", "audit record"])
def test_what_is_no_hand_is_said_alike_everywhere(command: str, word: str) -> None:
    """With what an id is, and without asking anybody; in Italian too."""
    done = servito(*command.split(), word)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{word} is no hand: an id is the table's, a hyphen, and the number of the hand.\n"
    if word == "zz":
        assert "zz non è una mano" in servito(*command.split(), word, "--lang", "it").stderr


@pytest.mark.parametrize(
    "command",
    [
        "tables",
        "watch t",
        "play t",
        "load",
        "hand list t",
        "table pause t",
        "maintenance status",
        "odds AhKhQhJhTh",
    ],
)
def test_an_address_without_a_port_is_said_at_once(command: str) -> None:
    """A channel to it would be waited for, and say nothing."""
    option = "--evaluator" if command.startswith("odds") else "--target"
    done = servito(*command.split(), option, "table.example")
    assert done.exit_code == 2
    assert "must be HOST:PORT" in done.stderr


def test_a_preset_that_there_is_not_is_said_with_those_that_there_are() -> None:
    """Where tables are listed as where one is created."""
    for command in ("tables", "table create T"):
        done = servito(*command.split(), "--preset", "poker")
        assert done.exit_code == 2
        assert "there is no preset 'poker'; there are italiana" in done.stderr


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"table": {}}', '{"state": 1}'])
@pytest.mark.parametrize("command", ["tables", "doctor", "audit verify"])
def test_a_file_of_addresses_that_is_none(
    command: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a full disk, or another program's: it is named, with what to do."""
    (tmp_path / ".servito").mkdir()
    (tmp_path / ".servito" / "addresses.json").write_text(content)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, command.split(), env=dict.fromkeys((VARIABLE, "SERVITO_STATE_URL"), ""))
    assert done.exit_code in {2, 3}
    assert ".servito/addresses.json is not what `servito up` writes: start it anew" in done.stderr


@pytest.mark.parametrize("content", [None, "", "one two"])
def test_a_token_that_is_none_is_said_with_its_variable(content: str | None, tmp_path: Path) -> None:
    """Whoever has not set it himself finds where it is set."""
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
    for command in ("tables", "maintenance status"):
        done = CliRunner().invoke(app, command.split(), env={**NOBODY, TOKEN_FILE: str(file)})
        assert done.exit_code == 2
        assert done.stderr.startswith(f"{TOKEN_FILE}: ")


@pytest.mark.parametrize("language", Language)
def test_who_does_not_answer_is_named(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has several systems, or a misspelt address, sees which one was asked."""

    async def unanswered() -> int:
        raise Unanswered(StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded")

    assert finished(unanswered(), language, "table.example:1") == 1
    assert capsys.readouterr().err.endswith("(table.example:1)\n")


@pytest.mark.parametrize("command", ["up", "doctor"])
@pytest.mark.parametrize("data", ["", "  "])
def test_a_directory_without_a_name_is_refused(command: str, data: str) -> None:
    """It would be the one where the command runs."""
    done = servito(command, "--data", data)
    assert done.exit_code == 2
    assert "must name a directory, such as .servito" in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--option", "blind.depth=3", "--option", "players.max=3", "--players", "3"], "blind.depth"),
        (["--option", "ante.live=true"], "ante.live"),
        (["--option", "ante=many"], "ante"),
        (["--option", "colour=red"], "colour"),
        (["--players", "5", "--option", "players.max=4"], "5 players are more than players.max, which is 4"),
        (["--option", "ante=500", "--option", "ante.short=sit_out"], "ante: 500 is more than 200"),
    ],
)
def test_rules_that_cannot_be_played_start_no_system(words: list[str], says: str) -> None:
    """The demo, and a table of one's own, name each defect at once."""
    demo = servito("demo", *words)
    assert (demo.exit_code, demo.stdout) == (2, "")
    assert says in " ".join(demo.stderr.replace("│", " ").split())


@pytest.mark.parametrize("preset", PRESETS)
def test_ten_may_sit_down_in_every_preset(preset: str) -> None:
    """The table is made as large as they are many; where the preset is enough, as large as it says."""
    assert rules_for(preset, [], 10, 200).options == {"players.max": "10"}
    assert rules_for(preset, [], 9, 200).options == {}


def test_load_takes_as_many_players_as_a_table_has_seats() -> None:
    """Ten, and not eleven."""
    assert "less than or equal to 10" in " ".join(servito("load", "--players", "11").stderr.split())


def shown(payload: str) -> str:
    """A token that says this; nobody signed it."""
    return f"e30.{urlsafe_b64encode(payload.encode()).decode().rstrip('=')}.c2ln"


@pytest.mark.parametrize(
    ("token", "player"),
    [
        (shown('{"sub": "anna"}'), "anna"),
        (shown('{"sub": "anna", "role": "operator"}') + "\n", "anna"),
        (shown('{"sub": 7}'), "me"),
        (shown('{"sub": "a b"}'), "me"),
        (shown("[]"), "me"),
        (shown("{}"), "me"),
        ("dev:anna", "me"),
        ("a.é.c", "me"),
        ("", "me"),
    ],
)
def test_a_token_says_who_one_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, token: str, player: str
) -> None:
    """Where nobody else was named; what cannot be read says nothing."""
    file = tmp_path / "token"
    file.write_text(token)
    monkeypatch.setenv(TOKEN_FILE, str(file))
    assert who(None, "me") == player
    assert who("bruno", "me") == "bruno"
    file.unlink()
    assert who(None, "me") == "me"
    monkeypatch.delenv(TOKEN_FILE)
    assert who(None, "me") == "me"


def test_ctrl_c_while_it_still_imports_leaves_no_traceback(tmp_path: Path) -> None:
    """However early: the first library that the command needs is where it comes here."""
    (tmp_path / "typer.py").write_text(
        f"import os, time\nos.kill(os.getpid(), {int(signal.SIGINT)})\ntime.sleep(20)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", "from servito_cli.main import main; main()", "--help"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
