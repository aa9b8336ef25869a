"""A chain that was touched is found, whatever was done to it, and the place is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text

from servito_history.address import read_history_url
from servito_history.audit import Audit
from servito_history.findings import Chain
from servito_history.reading import open_history
from servito_history.writing import Archive
from tests.history.checked import compared, findings
from tests.history.entries import commit, commits, payment
from tests.history.feeding import KEYS, Feeder, drain
from tests.history.tampering import swap, unguarded

OF_T1 = "WHERE table_id = 't1' AND seq"


CUT_WITH_ITS_HEAD = (
    f"DELETE FROM history_commits {OF_T1} > 15; "
    "UPDATE history_heads SET seq = 15 WHERE table_id = 't1' AND chain = 'commits'"
)


def do(sql: Connection, statements: str) -> None:
    """Several, with semicolons between."""
    for each in statements.split(";"):
        sql.execute(text(each))


@pytest.fixture
def chains(archive: Archive, history_url: str) -> str:
    """An archive with three tables of twenty commits and five payments each."""
    for table in ("t0", "t1", "t2"):
        archive.append(commits(table, 20), [payment(table, version) for version in range(2, 7)])
    return history_url


@pytest.mark.parametrize(
    ("done", "found"),
    [
        (f"UPDATE history_commits SET lineage = lineage + 1 {OF_T1} = 7", ["changed 7..7"]),
        (f"UPDATE history_commits SET hand = NULL {OF_T1} = 1", ["changed 1..1"]),
        (f"UPDATE history_commits SET at = at + 1 {OF_T1} = 20", ["changed 20..20"]),
        (f"UPDATE history_payments SET amount = 101 {OF_T1} = 2", ["changed 2..2"]),
        (f"UPDATE history_payments SET player = 'eva' {OF_T1} = 5", ["changed 5..5"]),
        (f"DELETE FROM history_commits {OF_T1} = 7", ["missing 7..7"]),
        (f"DELETE FROM history_commits {OF_T1} BETWEEN 1 AND 3", ["missing 1..3"]),
        (f"DELETE FROM history_payments {OF_T1} IN (2, 4)", ["missing 2..2", "missing 4..4"]),
        (f"DELETE FROM history_commits {OF_T1} > 15", ["cut 16..20"]),
        ("DELETE FROM history_commits WHERE table_id = 't1'", ["cut 1..20"]),
        (CUT_WITH_ITS_HEAD, ["head-differs 15..15"]),
        ("DELETE FROM history_heads WHERE table_id = 't1' AND chain = 'commits'", ["head-differs 20..20"]),
        (
            f"UPDATE history_commits SET parent = 5 {OF_T1} = 4; DELETE FROM history_commits {OF_T1} = 9",
            ["changed 4..4", "missing 9..9"],
        ),
    ],
)
def test_what_was_done_is_found(chains: str, done: str, found: list[str]) -> None:
    """Changed fields, missing rows, an end cut off, several at once; in either chain, and nothing else."""
    with unguarded(chains) as sql:
        do(sql, done)
    assert findings(chains) == found


@pytest.mark.parametrize("seq", [1, 7, 20])
@pytest.mark.parametrize("column", ["content", "hash", "record"])
def test_one_byte_is_found(chains: str, column: str, seq: int) -> None:
    """Of the events, of the dealer's record, of the hash itself, which is told apart."""
    where = {"seq": seq}
    with unguarded(chains) as sql:
        read = text(f"SELECT {column} FROM history_commits {OF_T1} = :seq")
        told = bytearray(sql.execute(read, where).scalar() or b"?")
        told[len(told) // 2] ^= 1
        write = text(f"UPDATE history_commits SET {column} = :told {OF_T1} = :seq")
        sql.execute(write, {"told": bytes(told), **where})
    kind = "hash-changed" if column == "hash" else "changed"
    assert f"{kind} {seq}..{seq}" in findings(chains)
    assert {each.partition(" ")[2] for each in findings(chains)} == {f"{seq}..{seq}"}


@pytest.mark.parametrize("places", [(7, 8), (1, 2), (3, 17), (19, 20)])
def test_rows_that_changed_places_are_found(chains: str, places: tuple[int, int]) -> None:
    """Neighbours and others: both places are named, and nothing between."""
    with unguarded(chains) as sql:
        swap(sql, "history_commits", *places)
    found = findings(chains)
    assert found[0] == f"moved {places[0]}..{places[1]}"
    assert set(found[1:]) <= {f"head-differs {places[1]}..{places[1]}"}


def test_a_chain_that_was_computed_anew(archive: Archive, history_url: str) -> None:
    """Whoever may write can make a whole chain of his own, with heads that fit: what was noted of it before,
    elsewhere, tells, and so does the state server.
    """
    archive.append(commits("t1", 20), [])
    with open_history(history_url) as history:
        [head] = history.tables()
    noted = {(Chain.COMMITS, "t1"): (head.rows, head.hash)}
    with unguarded(history_url) as sql:
        sql.execute(text("DELETE FROM history_commits"))
        sql.execute(text("DELETE FROM history_heads"))
    archive.append([commit("t1", version, at=version) for version in range(1, 26)], [])
    assert findings(history_url) == []
    engine = create_engine(read_history_url(history_url).url)
    with engine.connect() as sql:
        found = [f"{each.kind} {each.first}" for each in Audit(sql, noted).findings()]
    engine.dispose()
    assert found == ["head-differs 20"]


def differences(url: str, feeder: Feeder) -> list[str]:
    """What the comparison with the state server finds."""
    return [f"{each.kind} {each.table_id} {dict(each.facts)}" for each in compared(url, feeder)]


def test_the_archive_is_compared_with_the_state_server(
    archive: Archive, history_url: str, feeder: Feeder, tmp_path: Path
) -> None:
    """What waits in the stream is on its way; what is neither there nor in the archive is missing, as after
    rows were cut off together with their heads. A table that was never archived is only told.
    """
    feeder.play(3, 10)
    assert differences(history_url, feeder) == []
    drain(feeder, archive)
    feeder.commit("t1")
    assert differences(history_url, feeder) == []
    drain(feeder, archive)
    with unguarded(history_url) as sql:
        do(sql, f"DELETE FROM history_commits {OF_T1} > 8; DELETE FROM history_heads WHERE table_id = 't1'")
    assert differences(history_url, feeder) == ["behind-state t1 {'version': 11, 'archived': 8}"]
    feeder.client.hset(KEYS.table("old"), mapping={"v": 5, "l": 7})
    feeder.client.zadd(KEYS.tables(KEYS.partition("old")), {"old": 0})
    assert "not-here old {'version': 5}" in differences(history_url, feeder)


def test_a_version_that_is_no_number_is_told(archive: Archive, history_url: str, feeder: Feeder) -> None:
    """Somebody else wrote it: the table is named, and the others are compared."""
    feeder.play(3, 2)
    drain(feeder, archive)
    feeder.client.hset(KEYS.table("t1"), "v", "abc")
    assert differences(history_url, feeder) == ["behind-state t1 {'version': -1, 'archived': 2}"]


def test_a_text_in_place_of_bytes_is_found(chains: str) -> None:
    """SQLite keeps what it is given: the row is named like another that was changed."""
    if not chains.startswith("sqlite"):
        pytest.skip("PostgreSQL takes no text there")
    with unguarded(chains) as sql:
        do(sql, f"UPDATE history_commits SET content = 'x' {OF_T1} = 7")
    assert "changed 7..7" in findings(chains)
    assert "unreadable 7..7" in findings(chains)
