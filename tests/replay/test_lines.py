"""JSON lines: what is written is read again, all of it, and folds as what it was written from."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import StoredCommit, StoredEvent
from servito_core.cards import Card, format_card
from servito_replay.as_json import CARDS, NUMBERS, NotThat, from_json, to_json
from servito_replay.entries import Commit, read_all
from servito_replay.folding import folded
from servito_replay.lines import AUDITOR, PUBLIC, SCHEMA, commits_of, lines_of
from servito_replay.told import PlayerLines
from tests.replay.stored import OPENER, dealt
from tests.table.shown import cards_in
from tests.wire.play import RULES

HANDS = list(dealt(RULES["every phase"], 4, 5, 5))
HEXADECIMAL = {"entropy_digest", "root", "seed_hash", "entropy", "public_digest", "sealed"}
"""Fields of bytes that are neither cards nor numbers."""


def commits(auditor: bool) -> list[Commit]:
    """All of them."""
    entries = [entry for hand in HANDS for entry in hand.entries]
    return list(read_all(entries, OPENER if auditor else None))


def written(found: list[Commit], form: str) -> list[str]:
    """As they stand in a file."""
    return [json.dumps(line) for commit in found for line in lines_of(commit, form)]


@pytest.mark.parametrize("form", [PUBLIC, AUDITOR])
def test_what_is_written_is_read_again(form: str) -> None:
    """The commits, their order and all that is in them; written again it is the same text."""
    original = commits(form == AUDITOR)
    text = written(original, form)
    again = list(commits_of(map(json.loads, text)))
    assert written(again, form) == text
    for one, other in zip(original, again, strict=True):
        assert other.public == one.public
        assert other.whole == one.whole
        assert other.whole_digest == one.whole_digest
        assert (other.entry.lineage, other.entry.parent) == (one.entry.lineage, one.entry.parent)


@pytest.mark.parametrize("form", [PUBLIC, AUDITOR])
def test_a_hand_folds_from_its_lines(form: str) -> None:
    """With every state compared, as from the archive."""
    for hand in HANDS:
        found = list(read_all(hand.entries, OPENER if form == AUDITOR else None))
        lines = map(json.loads, written(found, form))
        steps = list(folded(commits_of(lines), hand.number))
        assert len(steps) == len(hand.entries)
        if form == AUDITOR:
            assert [step.hand for step in steps] == hand.states


def test_everybodys_lines_hold_no_hidden_card() -> None:
    """Without the auditor's key, which the form does not take, there is none in them to be found; and the
    auditor's form is not written without it.
    """
    lines = [json.loads(text) for text in written(commits(auditor=True), PUBLIC)]
    for line in lines:
        if line["kind"] not in ("hand_shown", "hand_tabled", "opening_proved"):
            assert not cards_of(line["data"]), line
    assert written(commits(auditor=True), PUBLIC) == written(commits(auditor=False), PUBLIC)
    with pytest.raises(ValueError, match="takes the auditor's key"):
        written(commits(auditor=False), AUDITOR)


def cards_of(data: Any) -> list[str]:
    """Every card that is named in it."""
    if isinstance(data, dict):
        own = [card for name, value in data.items() if name in CARDS for card in value]
        return own + [card for value in data.values() for card in cards_of(value)]
    return [card for value in data for card in cards_of(value)] if isinstance(data, list) else []


def test_a_players_lines_are_what_he_was_told() -> None:
    """His own cards as texts, of others those that were shown; a wish of another is an event of which he
    learns nothing.
    """
    lines_for = PlayerLines("p1")
    lines = [
        json.loads(json.dumps(line)) for commit in commits(auditor=True) for line in lines_for.of(commit)
    ]
    assert {line["player"] for line in lines} == {"p1"}
    assert {line["form"] for line in lines} == {"player"}
    assert {"cards_dealt", "hidden", "seat_acted"} <= {line["kind"] for line in lines}
    for line in lines:
        if line["kind"] == "cards_dealt":
            assert len(line["data"]["cards"]) in (0, 5)
        if line["kind"] == "pre_action_set":
            assert line["data"]["seat"] == 1
        if line["kind"] not in ("hidden", "nothing"):
            event = from_json({line["kind"]: line["data"]}, pb.TableEvent(), "event")
            assert sorted(format_card(Card(card)) for card in cards_in(event)) == sorted(
                cards_of(line["data"])
            )


def test_every_commit_is_there() -> None:
    """One event a line, each numbered within its commit; one line for a commit without any; what concerns the
    whole commit stands on its first line.
    """
    empty = Commit(HANDS[0].entries[0], StoredCommit(version=9, hand=1), None, b"")
    (only,) = lines_of(empty, PUBLIC)
    assert (only["kind"], only["of"], only["event"]) == ("nothing", 0, 0)
    for commit in commits(auditor=True):
        lines = list(lines_of(commit, AUDITOR))
        assert [line["event"] for line in lines] == list(range(len(lines)))
        assert {line["of"] for line in lines} == {len(commit.public.events)}
        assert ["commit" in line for line in lines] == [True, *[False] * (len(lines) - 1)]
        assert {line["schema"] for line in lines} == {SCHEMA}


def put(path: str, value: Any) -> Callable[[list[Any]], None]:
    """A change of a field of the first line."""

    def change(lines: list[Any]) -> None:
        target = lines[0]
        *names, last = path.split(".")
        for name in names:
            target = target[name]
        target[last] = value

    return change


WRONG: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "no line of ours": (put("schema", "other/1"), "line 1 is none of servito-events/1"),
    "a player's line": (put("form", "player"), "only the forms public and auditor"),
    "a missing line": (lambda lines: lines.pop(0), "not all there|says nothing"),
    "a line twice": (lambda lines: lines.insert(0, lines[0]), "not all there"),
    "no commit": (put("commit", None), "says nothing of the commit"),
    "a kind that is none": (put("kind", "cheated"), r"cheated is no field"),
    "a field that is none": (put("data.luck", 1), "luck is no field of"),
    "a text for a number": (put("data.number", "one"), "number cannot be 'one'"),
    "a number for a text": (put("data.requirement", 1), "requirement cannot be 1"),
    "a number for an object": (put("data", 1), "must be an object"),
    "a version that is none": (put("version", "x"), "version"),
    "a state that is none": (put("commit.state", "xyz"), "state is not hexadecimal"),
    "rules that are none": (put("commit.config", []), "config must be an object"),
    "a number that is too great": (put("data.button", 2**40), "button cannot be"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_line_is_said_to_be_none(what: str) -> None:
    """With its place, and what is wrong; never a traceback."""
    change, said = WRONG[what]
    lines = [json.loads(text) for text in written(commits(auditor=True)[:3], AUDITOR)]
    change(lines)
    with pytest.raises(NotThat, match=said):
        list(commits_of(copy.deepcopy(lines)))


def test_every_field_of_bytes_is_written_on_purpose() -> None:
    """Cards as texts, numbers as numbers, the rest hexadecimal: a new field is put into one of the lists."""
    names, seen = set[str](), set[str]()

    def look(message: Any) -> None:
        if message.full_name in seen:
            return
        seen.add(message.full_name)
        for field in message.fields:
            if field.type == FieldDescriptor.TYPE_BYTES:
                names.add(field.name)
            if field.message_type is not None:
                look(field.message_type)
            if field.enum_type is not None:
                assert field.enum_type.values[0].name.endswith("UNSPECIFIED")

    look(StoredCommit.DESCRIPTOR)
    look(pb.TableEvent.DESCRIPTOR)
    assert names - CARDS - NUMBERS == HEXADECIMAL


def test_numbers_and_names() -> None:
    """64 bits stay numbers, a value of an enum that is not known its number, a field that is not set is not
    there.
    """
    stored = StoredEvent(seat_acted=pb.SeatActed(seat=1, kind=pb.ACTION_KIND_OPEN, to=2**53 + 1))
    assert to_json(stored.seat_acted)["to"] == 2**53 + 1
    assert to_json(stored.seat_acted)["kind"] == "open"
    assert to_json(pb.SeatActed.FromString(b"\x10\x63"))["kind"] == 99
    assert from_json({"kind": 99}, pb.SeatActed(), "x").kind == 99
    assert "to_act" not in to_json(StoredCommit())
