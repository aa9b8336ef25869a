"""The look at all that is stored: what it counts, what it finds wrong, and that one worker does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from servito.table.v1 import store_pb2, table_pb2
from servito_platform.clients import server_of
from servito_timers.app.look import Looker, Round, Sight
from servito_timers.app.ports import StateAway
from tests.timers.world import KEYS, World, until

if TYPE_CHECKING:
    from tests.timers.world import Worker

QUICK = {"timers_look_seconds": 1.0}


class Witnessed:
    """A witness that says what it is told to say; it stops the looker after so many looks."""

    def __init__(self, sights: list[Sight | None]) -> None:
        self._sights = sights
        self.stop: Callable[[], None] = lambda: None

    def mine(self) -> bool:
        """Always."""
        return True

    def look(self, partition: int) -> Sight:  # noqa: ARG002 - they come in order
        """One after the other; None: the state server does not answer."""
        sight = self._sights.pop(0)
        if not self._sights:
            self.stop()
        if sight is None:
            raise StateAway
        return sight


class Told:
    """What a tally was told."""

    def __init__(self) -> None:
        self.rounds: list[tuple[Round, Sight]] = []

    def looked(self, outcome: Round, sight: Sight) -> None:
        """See LookTally."""
        self.rounds.append((outcome, sight))

    def looks_elsewhere(self) -> None:
        """See LookTally."""
        self.rounds.append((Round.RIGHT, Sight()))


@pytest.mark.parametrize(
    ("sights", "outcome", "seen"),
    [
        ([Sight(tables=1), Sight(tables=2, hands=1)], Round.RIGHT, Sight(tables=3, hands=1)),
        ([Sight(difference=1), Sight(unreadable=1)], Round.WRONG, Sight(difference=1, unreadable=1)),
        ([Sight(unreadable=1), Sight()], Round.UNREADABLE, Sight(unreadable=1)),
        ([Sight(tables=1), None], Round.UNANSWERED, Sight(tables=1)),
    ],
)
def test_a_round_is_what_all_partitions_come_to(
    sights: list[Sight | None], outcome: Round, seen: Sight
) -> None:
    """Chips that are wrong outweigh what cannot be read; what broke off counts as neither."""
    told = Told()
    looker = Looker(Witnessed(sights), told, partitions=2, seconds=0.01, clock=lambda: 0.0)
    looker.round()
    assert told.rounds == [(outcome, seen)]


def test_the_age_is_that_of_a_whole_round() -> None:
    """A round that broke off does not count."""
    now = [0.0]
    looker = Looker(Witnessed([None, Sight()]), Told(), partitions=1, seconds=0.01, clock=lambda: now[0])
    now[0] = 5.0
    looker.round()
    assert looker.age == 5.0
    looker.round()
    assert looker.age == 0.0


def stored(world: World, table_id: str, *, stack: int, bought_in: int, **fields: Any) -> None:
    """Store a table as the table service's commit does."""
    state = store_pb2.StoredTable(schema=1, table_id=table_id)
    state.seats.add(seat=0, stack=stack)
    if fields:
        state.hand.phase = table_pb2.PHASE_DRAW
        state.hand.players.add(seat=0, stack=stack)
    entry = store_pb2.JournalEntry(table_id=table_id, player="p", amount=bought_in)
    partition = KEYS.partition(table_id)
    server = server_of(world.state.client, KEYS.table(table_id))
    server.zadd(KEYS.tables(partition), {table_id: 0})
    hashed: dict[Any, Any] = {"s": state.SerializeToString(), **fields}
    server.hset(KEYS.table(table_id), mapping=hashed)
    server.xadd(KEYS.journal(partition), {"j": entry.SerializeToString()})


def rounds(worker: Worker, outcome: str) -> float:
    """How many rounds of a worker came to this."""
    return worker.metric("servito_looks_total", outcome=outcome)


def test_what_is_stored_is_counted(world: World) -> None:
    """Tables, hands, deadlines and chips; nothing is wrong."""
    for number in range(5):
        stored(world, f"t{number}", stack=100 + number, bought_in=100 + number)
    far = world.arm(range(3), ms=3_600_000)
    stored(world, "plays", stack=40, bought_in=40, deadline=str(2**50))
    worker = world.worker(**QUICK)
    until(lambda: rounds(worker, "right") >= 1)
    shown = {
        name: worker.metric(f"servito_stored_{name}")
        for name in ("tables", "hands", "deadlines", "chips", "chips_bought_in", "chips_difference")
    }
    assert shown == {
        "tables": 6,
        "hands": 1,
        "deadlines": len(far),
        "chips": 550,
        "chips_bought_in": 550,
        "chips_difference": 0,
    }
    assert worker.metric("servito_look_age_seconds") < 20


def test_a_chip_that_vanished_and_one_that_appeared_are_found(world: World) -> None:
    """They do not cancel out; and what is put right is right again."""
    stored(world, "a", stack=99, bought_in=100)
    stored(world, "b", stack=101, bought_in=100)
    worker = world.worker(**QUICK)
    until(lambda: rounds(worker, "wrong") >= 1)
    assert worker.metric("servito_stored_chips_difference") == 2
    assert rounds(worker, "right") == 0
    stored(world, "a", stack=100, bought_in=0)
    stored(world, "b", stack=100, bought_in=0)
    until(lambda: rounds(worker, "right") >= 1)
    assert worker.metric("servito_stored_chips_difference") == 0


def test_a_table_that_stands_still_and_one_that_cannot_be_read_are_found(world: World) -> None:
    """A hand without a deadline, a deadline that is long over, a state of garbage."""
    stored(world, "none", stack=10, bought_in=10, deadline="")
    stored(world, "late", stack=10, bought_in=10, deadline="1")
    partition = KEYS.partition("broken")
    server = server_of(world.state.client, KEYS.table("broken"))
    server.zadd(KEYS.tables(partition), {"broken": 0})
    server.hset(KEYS.table("broken"), "s", b"\xff\xff\xff")
    worker = world.worker(**QUICK)
    until(lambda: rounds(worker, "unreadable") >= 1)
    assert worker.metric("servito_stored_tables_stuck") == 2
    assert worker.metric("servito_stored_unreadable") >= 1
    assert worker.metric("servito_stored_chips_difference") == 0


def test_one_worker_looks_and_another_takes_over(world: World) -> None:
    """The greater of both is what is stored; when the one that looks is killed, the other one does."""
    stored(world, "t", stack=100, bought_in=100)
    first = world.worker(**QUICK)
    until(lambda: rounds(first, "right") >= 1)
    second = world.worker(**QUICK)
    until(lambda: rounds(first, "right") >= 2)
    assert rounds(second, "right") == 0
    assert second.metric("servito_stored_chips") == 0
    first.kill()
    until(lambda: rounds(second, "right") >= 1)
    assert second.metric("servito_stored_chips") == 100
