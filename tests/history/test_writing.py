"""What is appended is there, once, in its chain, and nobody changes it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import create_engine, text

from servito_history.address import read_history_url
from servito_history.errors import HistoryAway, HistoryUnusable
from servito_history.reading import open_history
from servito_history.writing import Appended, Archive
from tests.history.checked import findings
from tests.history.entries import commit, commits, payment


def test_what_is_appended_is_read(archive: Archive, history_url: str) -> None:
    """Every field of every row, in the order of the chain; the chains of two tables are two."""
    told = commits("t1", 30)
    assert archive.append([*told, *commits("t2", 3)], [payment("t1", 2)]) == Appended(33, 1)
    with open_history(history_url) as history:
        rows = list(history.rows("t1"))
        assert [row.seq for row in rows] == list(range(1, 31))
        assert [row.follows for row in rows] == list(range(30))
        assert [(row.version, row.lineage, row.parent, row.at, row.nth, row.hand) for row in rows] == [
            (each.version, each.lineage, each.parent, each.at, each.nth, each.hand) for each in told
        ]
        assert rows[6].fields["s"] == b"sealed 7"
        assert not any(row.lost for row in rows)
        assert [(head.table_id, head.rows) for head in history.tables()] == [("t1", 30), ("t2", 3)]
        assert history.tables()[0].hash == rows[-1].hash
        assert history.hands("t1") == [1, 2, 3, 4]
        assert [row.version for row in history.hand("t1", 2)] == list(range(10, 20))
        assert history.hand("t1", 9) == history.hand("t9", 1) == []
        assert [(paid.player, paid.amount, paid.version) for paid in history.money("t1")] == [
            ("anna", 100, 2)
        ]
    assert findings(history_url) == []


def test_what_comes_again_changes_nothing(archive: Archive, history_url: str) -> None:
    """Any part of it, in another batch or the same one, beside what is new."""
    assert archive.append(commits("t1", 5), [payment("t1", 2)]) == Appended(5, 1)
    again = [*commits("t1", 7, first=3), *commits("t1", 7)]
    assert archive.append(again, [payment("t1", 2), payment("t1", 2), payment("t1", 6)]) == Appended(2, 1)
    assert archive.append(again, [payment("t1", 6)]) == Appended(0, 0)
    assert findings(history_url) == []


def test_a_lost_branch_stays_and_is_marked(archive: Archive, history_url: str) -> None:
    """Commits 4 to 6 were archived and then lost by the state server; it made others of these versions."""
    archive.append(commits("t1", 6), [payment("t1", 2, amount=70), payment("t1", 5, amount=-70)])
    others = [commit("t1", 4, lineage=7, parent=1003), commit("t1", 5, lineage=8, parent=7)]
    archive.append(others, [])
    with open_history(history_url) as history:
        rows = list(history.rows("t1"))
        assert [(row.version, row.lost) for row in rows] == [
            *[(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)],
            *[(4, False), (5, False)],
        ]
        assert rows[6].follows == 3
        assert [(paid.amount, paid.lost) for paid in history.money("t1")] == [(70, False), (-70, True)]
    assert findings(history_url) == ["rewound 4..6"]


def test_a_branch_may_come_back(archive: Archive, history_url: str) -> None:
    """The old primary takes over again: its commits are the table's, and those of between are not."""
    archive.append(commits("t1", 6), [])
    archive.append([commit("t1", 4, lineage=7, parent=1003)], [])
    archive.append([commit("t1", 7)], [])
    with open_history(history_url) as history:
        lost = [row.seq for row in history.rows("t1") if row.lost]
        assert lost == [7]
    assert findings(history_url) == ["rewound 7..7"]


def test_a_missing_commit_is_a_gap(archive: Archive, history_url: str) -> None:
    """What was made on a commit that never came is taken, and told."""
    archive.append([*commits("t1", 3), *commits("t1", 6, first=5)], [])
    assert findings(history_url) == ["gap 4..4"]


def test_a_table_that_is_older_than_its_archive(archive: Archive, history_url: str) -> None:
    """Its first row says so."""
    archive.append(commits("t1", 12, first=10), [])
    assert findings(history_url) == ["begins-late 1..1"]


def test_two_drain_the_same_at_once(history_url: str) -> None:
    """Eight archives append the same commits of many tables in portions: each is there once, in order."""
    everything = [each for number in range(6) for each in commits(f"t{number}", 40)]
    paid = [payment(f"t{number}", version) for number in range(6) for version in (2, 30)]

    def drain(way: int) -> int:
        archive = Archive(read_history_url(history_url), seconds=60)
        archive.prepare()
        told = 0
        portion = 30 + way * 7
        for first in range(0, len(everything), portion):
            told += archive.append(everything[first : first + portion], paid).commits
        archive.close()
        return told

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(drain, range(8))) == len(everything)
    with open_history(history_url) as history:
        for number in range(6):
            assert [row.version for row in history.rows(f"t{number}")] == list(range(1, 41))
    assert findings(history_url) == []


@pytest.mark.parametrize("table", ["history_commits", "history_payments"])
@pytest.mark.parametrize("change", ["UPDATE {} SET hash = hash", "DELETE FROM {}"])
def test_rows_cannot_be_changed(archive: Archive, history_url: str, table: str, change: str) -> None:
    """The database itself refuses it."""
    archive.append(commits("t1", 2), [payment("t1", 2)])
    engine = create_engine(read_history_url(history_url).url)
    with pytest.raises(Exception, match=r"append-only|permission denied"), engine.begin() as sql:
        sql.execute(text(change.format(table)))
    engine.dispose()
    assert findings(history_url) == []


def test_an_archive_that_is_not_there(tmp_path: object) -> None:
    """A reader says so, and makes none; a writer that reaches nobody says that it is away."""
    with pytest.raises(HistoryUnusable, match="no file"), open_history(f"sqlite:///{tmp_path}/none"):
        pass
    with pytest.raises(HistoryUnusable, match="must be sqlite"), open_history("mysql://h/x"):
        pass
    away = Archive(read_history_url("postgresql://127.0.0.1:1/none"), seconds=2)
    with pytest.raises(HistoryAway):
        away.prepare()


def test_an_empty_database_is_no_archive(history_url: str) -> None:
    """Nobody reads from what was never prepared."""
    if history_url.startswith("sqlite"):
        engine = create_engine(read_history_url(history_url).url)
        with engine.begin() as sql:
            sql.execute(text("CREATE TABLE other (a INTEGER)"))
        engine.dispose()
    with pytest.raises(HistoryUnusable, match="no archive"), open_history(history_url):
        pass


def test_an_archive_of_a_later_release(archive: Archive, history_url: str) -> None:
    """Workers of two releases run side by side, so it is still written; who reads is told to use that
    release's command, and not that all is whole.
    """
    archive.append(commits("t1", 2), [])
    engine = create_engine(read_history_url(history_url).url)
    with engine.begin() as sql:
        sql.execute(text("UPDATE history_version SET version_num = '9999'"))
    engine.dispose()
    archive.prepare()
    assert archive.append(commits("t1", 3), []) == Appended(1, 0)
    told = r"form is 9999, made by a later release, .* up to 0001"
    with pytest.raises(HistoryUnusable, match=told), open_history(history_url):
        pass
