"""Hands of the core in a real archive, a file of SQLite, written as the drain writes it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from servito.table.v1.store_pb2 import StoredCommit
from servito_history.address import file_url, read_history_url
from servito_history.rows import Commit, pack
from servito_history.writing import Archive
from servito_replay.entries import Entry
from tests.replay.stored import PRIVATE


def archive(file: Path, entries: Iterable[Entry]) -> str:
    """Write them; the address of the archive."""
    url = file_url(file)
    written = Archive(read_history_url(url), seconds=20)
    try:
        written.prepare()
        written.append([_commit(entry) for entry in entries], [])
    finally:
        written.close()
    return url


def auditor_key(directory: Path) -> Path:
    """The file of the auditor's private key."""
    file = directory / "auditor"
    file.write_text(f"a1:{b64encode(PRIVATE).decode()}\n")
    return file


def _commit(entry: Entry) -> Commit:
    """As it is taken off the stream."""
    fields = [("e", entry.public), *([("s", entry.sealed)] if entry.sealed else [])]
    hand = StoredCommit.FromString(entry.public).hand
    numbers = (entry.version, entry.lineage, entry.parent, entry.at, 0)
    return Commit(entry.table_id, *numbers, hand, pack(fields))
