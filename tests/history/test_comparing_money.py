"""The money of an archive held against that of the state server: what somebody added, removed or changed in
either is named, whatever is on its way.
"""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine, select, text

from servito.table.v1 import store_pb2
from servito_history import tables
from servito_history.address import read_history_url
from servito_history.comparing import compare
from servito_history.writing import Archive
from tests.history.checked import compared
from tests.history.feeding import KEYS, Feeder, drain
from tests.history.tampering import unguarded

INVENTED = (
    "INSERT INTO history_payments SELECT table_id, 9, 9, lineage, at, 7, player, 50, hash "
    "FROM history_payments WHERE table_id = 't1' AND seq = 1"
)
"""A movement that nobody made, of a commit that there is not."""


def differences(url: str, feeder: Feeder, table: str | None = None) -> list[str]:
    """What the comparison finds."""
    found = compared(url, feeder, table)
    return [f"{each.kind} {each.table_id} {each.first} {dict(each.facts)}" for each in found]


def differs(table: str, archived: int, carried: int) -> list[str]:
    """What is told of a table."""
    facts = {"archived": archived, "carried": carried, "difference": archived - carried}
    return [f"money-differs {table} 0 {facts}"]


def lose(feeder: Feeder, table: str, commits: int) -> None:
    """As a failover does that loses a table's latest commits, and what was drained of them."""
    number = KEYS.partition(table)
    version, _ = feeder.at[table]
    for name, told in feeder.client.xrange(KEYS.audit(number)):
        if told[b"t"] == table.encode() and int(told[b"v"]) > version - commits:
            feeder.client.xdel(KEYS.audit(number), name)
        if told[b"t"] == table.encode() and int(told[b"v"]) == version - commits:
            feeder.at[table] = (version - commits, int(told[b"l"]))
    for name, told in feeder.client.xrange(KEYS.journal(number)):
        entry = store_pb2.JournalEntry.FromString(told[b"j"])
        if entry.table_id == table and entry.version > version - commits:
            feeder.client.xdel(KEYS.journal(number), name)
    feeder.client.hset(
        KEYS.table(table), mapping=dict(zip(("v", "l"), map(str, feeder.at[table]), strict=True))
    )


def test_money_agrees_at_each_step_of_its_way(archive: Archive, history_url: str, feeder: Feeder) -> None:
    """Before it is drained, archived and not forgotten yet, carried, and half of what came since drained."""
    feeder.play(3, 16)
    assert differences(history_url, feeder) == []
    drain(feeder, archive, trims=False)
    assert differences(history_url, feeder) == []
    drain(feeder, archive)
    assert feeder.carried() == {f"t{number}": 100 + 93 + 86 for number in range(3)}
    assert differences(history_url, feeder) == []
    feeder.play(3, 16)
    drain(feeder, archive, most=2)
    assert feeder.waiting()
    assert differences(history_url, feeder) == []


@pytest.mark.parametrize(
    ("done", "archived"),
    [
        ("UPDATE history_payments SET amount = amount + 5 WHERE table_id = 't1' AND seq = 1", 198),
        ("DELETE FROM history_payments WHERE table_id = 't1' AND seq = 2", 100),
        ("DELETE FROM history_payments WHERE table_id = 't1'", 0),
        (INVENTED, 243),
    ],
)
def test_an_archive_that_was_changed(
    archive: Archive, history_url: str, feeder: Feeder, done: str, archived: int
) -> None:
    """Chips that were added, taken away, cut off or removed whole with a chain computed anew: the table is
    named with both sums, and no other, also when it is asked for alone.
    """
    feeder.play(3, 9)
    drain(feeder, archive)
    with unguarded(history_url) as sql:
        sql.execute(text(done))
        sql.execute(text("DELETE FROM history_heads WHERE chain = 'payments'"))
    assert differences(history_url, feeder) == differs("t1", archived, 193)
    assert differences(history_url, feeder, "t1") == differs("t1", archived, 193)
    assert differences(history_url, feeder, "t2") == []


def test_a_state_server_that_was_changed(archive: Archive, history_url: str, feeder: Feeder) -> None:
    """Carried chips that are others, of a table that nobody plays at, or gone."""
    feeder.play(2, 2)
    drain(feeder, archive)
    feeder.client.hincrby(KEYS.carried(KEYS.partition("t0")), "t0", -1)
    feeder.client.hset(KEYS.carried(KEYS.partition("ghost")), "ghost", 7)
    feeder.client.delete(KEYS.carried(KEYS.partition("t1")))
    expected = [*differs("t0", 100, 99), *differs("t1", 100, 0), *differs("ghost", 0, 7)]
    assert sorted(differences(history_url, feeder)) == sorted(expected)


def test_who_moved_the_chips_is_compared_while_both_have_it(
    archive: Archive, history_url: str, feeder: Feeder
) -> None:
    """A movement that is archived and not forgotten yet must name the same player and amount."""
    feeder.play(1, 2)
    drain(feeder, archive, trims=False)
    with unguarded(history_url) as sql:
        sql.execute(text("UPDATE history_payments SET player = 'eva', amount = 1"))
    facts = {"player": "eva", "amount": 1, "state_player": "p", "state_amount": 100}
    assert differences(history_url, feeder) == [f"payment-differs t0 1 {facts}"]


@pytest.mark.parametrize("goes_on", [0, 1, 4])
def test_what_a_failover_lost_is_no_difference(
    archive: Archive, history_url: str, feeder: Feeder, goes_on: int
) -> None:
    """Archived money of lost commits counts in neither, whether the table has gone on, and however much of
    that is archived.
    """
    for pays in (100, 0, 50, -20):
        feeder.commit("t1", pays=pays)
    drain(feeder, archive, trims=False)
    lose(feeder, "t1", 2)
    assert feeder.at["t1"][0] == 2
    assert differences(history_url, feeder) == []
    for _ in range(goes_on):
        feeder.commit("t1", pays=7)
        assert differences(history_url, feeder) == []
    drain(feeder, archive, most=3)
    assert differences(history_url, feeder) == []
    drain(feeder, archive)
    assert feeder.carried() == {"t1": 100 + 7 * goes_on}
    assert differences(history_url, feeder) == []


def test_a_closed_table_that_expired_has_no_money_left(
    archive: Archive, history_url: str, feeder: Feeder
) -> None:
    """Everybody was paid: nothing is carried of it, and its archive comes to nothing; else it is named."""
    for pays in (60, 0, -60):
        feeder.commit("t1", pays=pays)
    drain(feeder, archive)
    feeder.client.delete(KEYS.table("t1"), KEYS.tables(KEYS.partition("t1")))
    assert differences(history_url, feeder) == []
    with unguarded(history_url) as sql:
        sql.execute(text("UPDATE history_payments SET amount = -50 WHERE amount = -60"))
    assert differences(history_url, feeder) == differs("t1", 10, 0)


def test_the_archive_is_read_after_the_state_server(
    archive: Archive, history_url: str, feeder: Feeder
) -> None:
    """A transaction of SQLite that began before goes on showing what was there then, while the timers drain:
    what is compared is what is there now.
    """
    feeder.play(2, 2)
    drain(feeder, archive)
    engine = create_engine(read_history_url(history_url).url)
    with engine.connect() as sql:
        sql.exec_driver_sql("BEGIN") if history_url.startswith("sqlite") else None
        assert sql.execute(select(tables.commits.c.seq)).all()
        feeder.play(2, 3)
        drain(feeder, archive)
        assert list(compare(sql, feeder.client, KEYS, None)) == []
    engine.dispose()
