"""`servito hand replay` and `servito audit export` over a real archive: what they say, and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from servito_cli.history.export import Wanted, run_export
from servito_cli.history.replay import Asked
from servito_cli.texts import TEXTS, Language
from servito_core.cards import format_card
from servito_replay.differences import Kind
from tests.history.tampering import unguarded
from tests.replay.archived import archive, auditor_key
from tests.replay.stored import dealt
from tests.replay.transcripts import HANDS, asked, changed, golden, path_of, said
from tests.wire.play import RULES

SERVITO = Path(sys.executable).with_name("servito")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", HANDS)
def test_a_hand_is_told_and_found_right(name: str, language: Language) -> None:
    """For everybody, for a player and for the auditor, word for word; `python -m tests.replay.transcripts`
    writes them anew.
    """
    assert golden(name, language) == path_of(name, language).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", Language)
def test_a_difference_is_told_where_it_is(tmp_path: Path, language: Language) -> None:
    """Up to it the hand is told; then its version, its event, its kind in words, and what the rules say."""
    hand = changed("side_pots")
    url = archive(tmp_path / "changed.sqlite", hand.entries)
    text = said(Asked(f"t.1-{hand.number}", history=url), language)
    before, _, line = text.removesuffix("exit 1\n").rstrip().rpartition("\n")
    pairs = zip(hand.entries, HANDS["side_pots"].entries, strict=True)
    version = next(own.version for own, old in pairs if own != old)
    assert f" {version}, event" in line.replace("versione", "version").replace("evento", "event")
    assert line.startswith(("DIFFERENCE", "DIFFERENZA"))
    assert "by the rules" in line
    assert "p0" in before


def test_every_kind_of_difference_has_words() -> None:
    """In both languages; no two of them the same."""
    for language in Language:
        words = TEXTS[language].replay.kinds
        assert words.keys() == set(Kind)
        assert len(set(words.values())) == len(Kind)


def wrong_key(directory: Path) -> Path:
    """A file that holds no key."""
    file = directory / "nothing"
    file.write_text("a1:c2hvcnQ=\n")
    return file


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hand_id": "t.1-99"}, "no hand t.1-99"),
        ({"hand_id": "t.1"}, "is no hand"),
        ({"player": "p0"}, "takes the auditor's key"),
        ({"history": None}, "No archive is named"),
        ({"history": "mysql://x"}, "The archive cannot be read"),
        ({"history": "sqlite:////nowhere/at/all"}, "The archive cannot be read"),
    ],
)
def test_what_cannot_be_compared_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], says: str
) -> None:
    """In a sentence, with exit code 2, and nothing else."""
    monkeypatch.delenv("SERVITO_HISTORY_URL", raising=False)
    monkeypatch.chdir(tmp_path)  # a `servito up` may run in the folder of the tests
    text = said(replace(asked("void", tmp_path), **change), Language.EN)
    assert says in text
    assert text.endswith("exit 2\n")
    assert "Traceback" not in text


def test_keys_and_strangers(tmp_path: Path) -> None:
    """A file that holds no key, a key of somebody else, and a player who was not dealt in."""
    hand = asked("void", tmp_path)
    assert "holds no key" in said(replace(hand, key=wrong_key(tmp_path)), Language.EN)
    other = tmp_path / "other"
    other.write_text("a2:" + "A" * 43 + "=\n")
    assert "which was not given" in said(replace(hand, key=other), Language.EN)
    own = auditor_key(tmp_path)
    assert "was not dealt into" in said(replace(hand, key=own, player="nobody"), Language.EN)


def test_what_a_failover_lost_is_said(tmp_path: Path) -> None:
    """A branch that was archived before it was lost is counted; a hand of which nothing else is left is told
    to be lost.
    """
    hand = HANDS["side_pots"]
    gone = [replace(own, lineage=own.lineage + 1, parent=own.parent + 1) for own in hand.entries[6:9]]
    gone[0] = replace(gone[0], parent=hand.entries[5].lineage)
    url = archive(tmp_path / "lost.sqlite", [*hand.entries[:6], *gone, *hand.entries[6:]])
    text = said(Asked(f"t.1-{hand.number}", history=url), Language.EN)
    assert "3 commits of a branch that a failover lost" in text
    assert text.endswith("exit 0\n")


def exported(wanted: Wanted, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[Any], str]:
    """Exit code, lines, and what was said."""
    code = run_export(wanted, Language.EN)
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


@pytest.fixture
def played(tmp_path: Path) -> tuple[str, list[Any]]:
    """An archive with some hands of a table, and these."""
    hands = list(dealt(RULES["every phase"], 4, 21, 5))
    return archive(tmp_path / "some.sqlite", [own for hand in hands for own in hand.entries]), hands


def test_lines_of_a_table(
    played: tuple[str, list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All commits in their order; of one hand those of the hand; of a span of time those made in it."""
    url, hands = played
    entries = [own for hand in hands for own in hand.entries]
    code, lines, said_to = exported(Wanted(history=url), capsys)
    assert code == 0
    assert list(dict.fromkeys(line["version"] for line in lines)) == [own.version for own in entries]
    assert f"{len(lines)} lines of {len(entries)} commits" in said_to
    _, lines, _ = exported(Wanted(history=url, hand_id=f"t.1-{hands[1].number}"), capsys)
    assert {line["hand"] for line in lines} == {hands[1].number}
    span = Wanted(history=url, tables=["t.1"], since=entries[3].at, until=entries[9].at)
    _, lines, _ = exported(span, capsys)
    assert {line["version"] for line in lines} == {own.version for own in entries[3:9]}
    code, lines, said_to = exported(Wanted(history=url, tables=["t.2"]), capsys)
    assert (code, lines) == (2, [])
    assert "Nothing in the archive" in said_to


def test_a_file_of_lines_is_replayed(
    played: tuple[str, list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the auditor exported is told, and found right, without the archive; a line that was changed is a
    difference, one that is none is said.
    """
    url, hands = played
    file, key = tmp_path / "lines.jsonl", auditor_key(tmp_path)
    assert run_export(Wanted(history=url, key=key, file=file), Language.EN) == 0
    capsys.readouterr()
    assert [own.name for own in tmp_path.glob(".*")] == []
    hand = Asked(f"t.1-{hands[0].number}", lines=file)
    from_archive = said(replace(hand, lines=None, history=url, key=key), Language.EN)
    assert said(hand, Language.EN) == from_archive
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    bet = next(line for line in lines if line["kind"] == "ante_posted")
    bet["data"]["amount"] += 1
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "DIFFERENCE" in said(hand, Language.EN)
    file.write_text("{\n")
    assert "holds no events" in said(hand, Language.EN)


def test_a_player_gets_what_he_was_told(
    played: tuple[str, list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the auditor's key, which somebody has to have: no other seat's hidden card is in it."""
    url, hands = played
    code, _, said_to = exported(Wanted(history=url, player="p1"), capsys)
    assert code == 2
    assert "takes the auditor's key" in said_to
    own = Wanted(history=url, player="p1", key=auditor_key(tmp_path), hand_id=f"t.1-{hands[0].number}")
    code, lines, _ = exported(own, capsys)
    assert code == 0
    own_seats = (seat for state in hands[0].states for seat in state.players if seat.seat == 1)
    dealt_to = next(seat.cards for seat in own_seats if seat.cards)
    assert {"cards_dealt", "seat_acted"} <= {line["kind"] for line in lines}
    for line in lines:
        if line["kind"] == "cards_dealt":
            assert line["data"]["cards"] == [format_card(card) for card in dealt_to]
        if line["kind"] == "seat_acted" and line["data"]["seat"] != 1:
            assert line["data"]["discards"] == []


def test_what_cannot_be_read_ends_its_table(
    played: tuple[str, list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a broken seal the auditor gets what came before it, and is told where it ended: exit code 1."""
    _, hands = played
    entries = [own for hand in hands for own in hand.entries]
    index = [place for place, own in enumerate(entries) if own.sealed][1]
    entries[index] = replace(entries[index], sealed=entries[index].sealed[:-1] + b"\0")
    url = archive(tmp_path / "broken.sqlite", entries)
    code, lines, said_to = exported(Wanted(history=url, key=auditor_key(tmp_path)), capsys)
    assert code == 1
    assert {line["version"] for line in lines} == {own.version for own in entries[:index]}
    assert f"version {entries[index].version}" in said_to
    assert exported(Wanted(history=url), capsys)[0] == 0


@pytest.mark.parametrize("content", [b"\0\xff", "text"])
def test_a_row_that_cannot_be_taken_apart(
    played: tuple[str, list[Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | str
) -> None:
    """Its version is named, by the export and by a replay, and there is no traceback."""
    hand = played[1][0]
    url = archive(tmp_path / "torn.sqlite", hand.entries)
    torn = hand.entries[2].version
    with unguarded(url) as sql:
        change = text("UPDATE history_commits SET content = :content WHERE version = :version")
        sql.execute(change, {"content": content, "version": torn})
    code, lines, said_to = exported(Wanted(history=url), capsys)
    assert code == 1
    assert {line["version"] for line in lines} == {own.version for own in hand.entries[:2]}
    assert f"version {torn}" in said_to
    assert f"DIFFERENCE at version {torn}" in said(Asked(f"t.1-{hand.number}", history=url), Language.EN)


def test_as_it_is_typed(tmp_path: Path) -> None:
    """The installed command finds the archive in the environment and takes times and a file."""
    hand = asked("void", tmp_path)
    file = tmp_path / "out.jsonl"
    environment = {"SERVITO_HISTORY_URL": str(hand.history), "PATH": "/usr/bin:/bin"}
    words = [
        "audit",
        "export",
        "--since",
        "1970-01-01",
        "--until",
        "1970-01-02T00:00:00",
        "--file",
        str(file),
    ]
    done = subprocess.run(
        [SERVITO, *words], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert len(file.read_text().splitlines()) > 8
    words[-1] = "."
    done = subprocess.run(
        [SERVITO, *words], capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert (done.returncode, "is a directory" in done.stderr) == (2, True)
    done = subprocess.run(
        [SERVITO, "hand", "replay", hand.hand_id, "--lang", "it"],
        capture_output=True, text=True, check=False, timeout=60, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "come fu annotata" in done.stdout


@pytest.mark.parametrize("words", [["audit", "export"], ["audit", "heads"]])
def test_a_reader_that_goes(tmp_path: Path, words: list[str]) -> None:
    """As `| head` does: the command ends quietly, with the code of a program that SIGPIPE ended."""
    hand = asked("void", tmp_path)
    done = subprocess.Popen(
        [SERVITO, *words, "--history", str(hand.history)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert done.stdout is not None
    done.stdout.close()
    assert done.stderr is not None
    with done.stderr:
        assert done.stderr.read() == b""
    assert done.wait(60) == 141
