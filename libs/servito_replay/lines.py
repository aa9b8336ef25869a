"""Commits as JSON lines, one event a line, and read again. What each field means: docs/operations/events.md.

Three forms. `public`: what everybody may know, as it is stored. `auditor`: everything, as it is stored.
`player`: what one player was told, which passes the gate (`told.py`), as clients are told it. The first and
the second are read again, and can be folded; the third is for people and for their own programs.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from servito.table.v1.store_pb2 import StoredCommit
from servito_replay.as_json import NotThat, from_json, to_json
from servito_replay.entries import Commit, Entry
from servito_wire.secrets import parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from google.protobuf.message import Message

SCHEMA: Final = "servito-events/1"
PUBLIC: Final = "public"
AUDITOR: Final = "auditor"
PLAYER: Final = "player"
NOTHING: Final = "nothing"
"""The kind of the one line of a commit without events."""
_COMMIT: Final = ("turn", "to_act", "players", "config")
"""Fields of a StoredCommit that its first line has."""


def lines_of(commit: Commit, form: str) -> Iterator[dict[str, Any]]:
    """The lines of a commit, `public` or `auditor`. ValueError: the whole is not known."""
    if form == AUDITOR and commit.whole is None:
        raise ValueError("the auditor's form takes the auditor's key")
    told = commit.whole if form == AUDITOR and commit.whole is not None else commit.public
    return lines_with(commit, form, [_kind_and_data(event, "event") for event in told.events])


def lines_with(
    commit: Commit, form: str, events: Sequence[tuple[str, dict[str, Any]] | None], **more: Any
) -> Iterator[dict[str, Any]]:
    """Lines of these events, each its kind and what it says; None: one that the reader does not learn of."""
    entry = commit.entry
    head = {"schema": SCHEMA, "form": form, **more, "table": entry.table_id, "hand": commit.public.hand}
    head |= {"version": entry.version, "lineage": entry.lineage, "at_ms": entry.at, "lost": entry.lost}
    for place, event in enumerate(events or [(NOTHING, {})]):
        kind, data = event or ("hidden", {})
        line = {**head, "event": place, "of": len(events), "kind": kind, "data": data}
        yield line | {"commit": _commit(commit, form)} if place == 0 else line


def _commit(commit: Commit, form: str) -> dict[str, Any]:
    """What the first line says of the whole commit."""
    told = to_json(commit.public)
    found = {"parent": commit.entry.parent} | {name: told[name] for name in _COMMIT if name in told}
    if commit.public.public_digest:
        found["state"] = commit.public.public_digest.hex()
    if form == AUDITOR and commit.whole_digest:
        found["whole_state"] = commit.whole_digest.hex()
    return found


def _kind_and_data(event: Message, oneof: str) -> tuple[str, dict[str, Any]]:
    kind = event.WhichOneof(oneof) or NOTHING
    return kind, to_json(getattr(event, kind)) if kind != NOTHING else {}


def commits_of(lines: Iterable[Any]) -> Iterator[Commit]:
    """The commits of lines that were written by `lines_of`, one after the other. Raises NotThat."""
    numbered = enumerate(lines, 1)
    for _, group in groupby(numbered, lambda each: _name(*each)):
        yield _read([line for _, line in group])


def _name(number: int, line: Any) -> tuple[Any, ...]:
    """By which lines belong to one commit."""
    if not isinstance(line, dict) or line.get("schema") != SCHEMA:
        raise NotThat(f"line {number} is none of {SCHEMA}")
    if line.get("form") not in (PUBLIC, AUDITOR):
        raise NotThat(f"line {number}: only the forms {PUBLIC} and {AUDITOR} are read")
    return tuple(line.get(name) for name in ("form", "table", "version", "lineage"))


def _read(lines: list[dict[str, Any]]) -> Commit:
    first, version = lines[0], lines[0].get("version")
    where = f"version {version}"
    if [line.get("event") for line in lines] != list(range(max(1, first.get("of") or 0))):
        raise NotThat(f"{where}: its lines are not all there, in their order")
    about = first.get("commit")
    if not isinstance(about, dict):
        raise NotThat(f"{where}: its first line says nothing of the commit")
    kept = {name: about[name] for name in _COMMIT if name in about}
    events = [{line["kind"]: line["data"]} for line in lines if line.get("kind") != NOTHING]
    said = {"version": version, "hand": first.get("hand"), **kept, "events": events}
    told = from_json(said, StoredCommit(), where)
    if first["form"] == PUBLIC:
        public, whole = told, None
    else:
        public, whole = StoredCommit(), told
        public.CopyFrom(parted(told)[0])
    public.public_digest = _bytes(about, "state", where)
    if whole is not None:
        whole.public_digest = public.public_digest
    return Commit(_entry(first, about, where), public, whole, _bytes(about, "whole_state", where))


def _bytes(about: dict[str, Any], name: str, where: str) -> bytes:
    try:
        return bytes.fromhex(about.get(name, ""))
    except (TypeError, ValueError):
        raise NotThat(f"{where}: {name} is not hexadecimal") from None


def _entry(first: dict[str, Any], about: dict[str, Any], where: str) -> Entry:
    numbers = [first.get("version"), first.get("lineage"), about.get("parent"), first.get("at_ms")]
    if not isinstance(first.get("table"), str) or not all(type(number) is int for number in numbers):
        raise NotThat(f"{where}: table, version, lineage, parent and at_ms are needed")
    version, lineage, parent, at = (number or 0 for number in numbers)
    return Entry(str(first["table"]), version, lineage, parent, at, b"", lost=first.get("lost") is True)
