"""The doctor looks at a whole system: well while hands run, and each thing that goes wrong is found."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import redis

from servito.table.v1 import store_pb2, table_pb2
from servito_client.client import Servito
from servito_client.messages import TableConfig
from servito_client.updates import Snapshot, Update
from servito_local.doctor.findings import Check, Finding, Kind, Result, Severity
from servito_local.doctor.tables import Seen
from servito_local.doctor.where import Whereabouts
from servito_local.system import LocalSystem
from servito_platform.keys import Keys
from servito_platform.seals import Seals
from servito_witness.stored import Partition, StoredHash
from tests.doctor.found import findings, kinds, looked, looked_in_time, stuck_tables
from tests.modes.until import until
from tests.system.tables import QUICK, silent_table

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("doctor")]

KEYS = Keys(64)
SLOW = TableConfig(
    name="Lenta", preset="italiana", seats=4, min_buy_in=40, max_buy_in=200, turn_ms=60_000, pause_ms=0
)


@pytest.fixture
async def slow(system: LocalSystem) -> str:
    """A table whose first hand waits for a player for a minute."""
    async with Servito(system.target("table")) as servito:
        table_id = await silent_table(servito, config=SLOW)
        async with asyncio.timeout(20):
            async for told in servito.acting_as("spectator").watch(table_id):
                if isinstance(told, Update) and told.to_act is not None:
                    break
                if isinstance(told, Snapshot) and told.table.hand.HasField("to_act"):
                    break
    return table_id


async def test_a_running_system_is_well(system: LocalSystem, where: Whereabouts, slow: str) -> None:
    """While hands run and turns end by the clock nothing is found, and everything was looked at."""
    async with Servito(system.target("table")) as servito:
        await silent_table(servito, config=QUICK)
    until(lambda: looked(where)[Check.HANDS].looked_at == 2)
    results = looked_in_time(where)
    assert findings(results) == []
    assert list(results) == list(Check)[1:]
    assert results[Check.SWEEPS].looked_at == 64
    assert results[Check.SERVICES].looked_at == 4
    assert (results[Check.CHIPS].looked_at or 0) >= 2
    assert results[Check.OPENING].looked_at == results[Check.CHIPS].looked_at


async def test_a_forged_entry_of_the_journal_is_found(where: Whereabouts, state: Any, slow: str) -> None:
    """Chips that nobody has: the table, both sums and the difference."""
    forged = store_pb2.JournalEntry(table_id=slow, player="thief", amount=7)
    journal = KEYS.journal(KEYS.partition(slow))
    state.xadd(journal, {"j": forged.SerializeToString()})
    [found] = findings(looked_in_time(where))
    forged.amount = -7  # the archive may have taken the entry by now, so deleting it would not undo it
    state.xadd(journal, {"j": forged.SerializeToString()})
    assert (found.kind, found.severity) == (Kind.CHIPS_WRONG, Severity.ERROR)
    assert found.facts == {"table": slow, "in_play": 400, "bought_in": 407, "difference": -7}
    assert findings(looked_in_time(where)) == []


async def test_a_deadline_that_was_deleted_is_found(where: Whereabouts, state: Any, slow: str) -> None:
    """The table believes in it, and no timer will ever know: found long before it is due."""
    deadlines = KEYS.deadlines(KEYS.partition(slow))
    member = state.hget(KEYS.table(slow), "member")
    due = state.zscore(deadlines, member)
    state.zrem(deadlines, member)
    [found] = findings(looked_in_time(where))
    state.zadd(deadlines, {member: due})
    assert (found.kind, found.facts["table"]) == (Kind.DEADLINE_LOST, slow)
    assert findings(looked_in_time(where)) == []


async def test_a_state_that_cannot_be_read_is_found(where: Whereabouts, state: Any, slow: str) -> None:
    """It is told by its id; its chips are not called missing besides."""
    key = KEYS.table(slow)
    good = state.hget(key, "s")
    state.hset(key, "s", b"\xff\xff\xff")
    [found] = findings(looked_in_time(where))
    state.hset(key, "s", good)
    assert (found.kind, found.facts) == (Kind.TABLE_UNREADABLE, {"table": slow})


async def test_a_member_that_is_no_deadline_is_found(where: Whereabouts, state: Any) -> None:
    """Whatever wrote it there."""
    state.zadd(KEYS.deadlines(5), {"what is this": 1e15})
    [found] = findings(looked_in_time(where))
    state.zrem(KEYS.deadlines(5), "what is this")
    assert (found.kind, found.facts["partition"]) == (Kind.DEADLINE_UNREADABLE, 5)


async def test_keys_put_back_from_different_moments_are_found(
    where: Whereabouts, state: Any, slow: str
) -> None:
    """Events ahead of their table refuse every act: an error. Events that are missing let it go on: a
    warning; so does a stream that is gone.
    """
    key, stream = KEYS.table(slow), KEYS.events(slow)
    version, events = int(state.hget(key, "v")), state.dump(stream)
    extra = state.xadd(stream, {"c": b""}, id=f"{version + 2}-0")
    [ahead] = findings(looked_in_time(where))
    state.restore(stream, 0, events, replace=True)
    state.xdel(stream, f"{version}-0")
    [behind] = findings(looked_in_time(where))
    state.delete(stream)
    [gone] = findings(looked_in_time(where))
    state.restore(stream, 0, events)
    assert extra == f"{version + 2}-0".encode()
    assert (ahead.kind, ahead.severity) == (Kind.EVENTS_AHEAD, Severity.ERROR)
    assert ahead.facts == {"table": slow, "version": version, "newest": version + 2}
    assert (behind.kind, behind.severity) == (Kind.EVENTS_BEHIND, Severity.WARNING)
    assert behind.facts["newest"] == version - 1
    assert (gone.kind, gone.facts["newest"]) == (Kind.EVENTS_BEHIND, 0)
    assert findings(looked_in_time(where)) == []


async def test_another_number_of_partitions_is_found(where: Whereabouts, state: Any) -> None:
    """The services wrote theirs when they started."""
    assert state.get(KEYS.laid_out()) == b"64"
    other = replace(where, environment={**where.environment, "SERVITO_PARTITIONS": "32"})
    found = [each for each in findings(looked(other)) if each.kind is Kind.PARTITIONS_OTHER]
    assert [each.facts for each in found] == [{"given": 32, "found": 64}]


async def test_a_user_without_the_wake_ups_is_found(where: Whereabouts, state: Any) -> None:
    """As a user is who was made for the services without a thought of channels."""
    state.execute_command("ACL", "SETUSER", "walled", "on", ">w", "~*", "+@all", "resetchannels")
    url = where.environment["SERVITO_STATE_URL"].replace("redis://", "redis://walled:w@")
    walled = replace(where, environment={**where.environment, "SERVITO_STATE_URL": url})
    found = findings(looked_in_time(walled))
    state.execute_command("ACL", "DELUSER", "walled")
    assert [each.facts["risk"] for each in found] == ["wake-closed"]


@contextmanager
def frozen(system: LocalSystem, part: str) -> Iterator[None]:
    """SIGSTOP of a part."""
    pid = system.pids()[part]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_sweepers_that_stand_still_are_found(system: LocalSystem, where: Whereabouts) -> None:
    """The timers are frozen: old sweeps, overdue deadlines, a table that is stuck, a process that does not
    answer. Thawed, all is well again, and the outage is a note.
    """
    async with Servito(system.target("table")) as servito:
        table_id = await silent_table(servito, config=QUICK)
    stored = replace(where, grpc={"table": where.grpc["table"]}, pages={})
    with frozen(system, "timers"):
        until(lambda: table_id in stuck_tables(findings(looked(stored, patience=3))))
        until(lambda: Kind.SWEEP_OLD in kinds(findings(looked(stored, patience=3))))
        found = findings(looked(where, patience=3))
    assert {Kind.OVERDUE, Kind.SWEEP_OLD, Kind.SERVICE_UNREACHABLE} <= set(kinds(found))
    assert table_id in stuck_tables(found)
    old = next(each for each in found if each.kind is Kind.SWEEP_OLD)
    assert old.facts["all"] == 64
    assert int(old.facts["seconds"]) >= 5
    until(lambda: findings(looked(where)) == [])
    outage = [each for each in looked(where)[Check.SWEEPS].findings if each.kind is Kind.OUTAGE]
    assert [each.severity for each in outage] == [Severity.NOTE]


async def test_a_hand_that_waits_for_its_cards_is_found(system: LocalSystem, where: Whereabouts) -> None:
    """The dealer is frozen when a hand begins: the hand is told as waiting for cards, and no card is."""
    async with Servito(system.target("table")) as servito:
        table_id = await servito.acting_as("host").create_table(SLOW)
        await servito.acting_as("silent0").sit(table_id, buy_in=40)
        with frozen(system, "dealer"):
            await servito.acting_as("silent1").sit(table_id, buy_in=40)
            stored = replace(where, grpc={"table": where.grpc["table"]}, pages={})
            until(lambda: Kind.WAITS_FOR_CARDS in kinds(_of_table(looked(stored, patience=2), table_id)))
            found = findings(looked(where, patience=2))
    waiting = [each for each in found if each.kind is Kind.WAITS_FOR_CARDS]
    assert f"{table_id}-1" in [each.facts["hand"] for each in waiting]
    assert "dealer" in [each.facts["service"] for each in found if each.kind is Kind.SERVICE_UNREACHABLE]
    until(lambda: findings(looked(where)) == [])


def _of_table(results: dict[Check, Result], table_id: str) -> list[Finding]:
    return [each for each in results[Check.HANDS].findings if each.facts.get("table") == table_id]


def test_a_long_queue_is_found(system: LocalSystem, where: Whereabouts) -> None:
    """Claims that nobody takes; put where no worker listens, since these do."""
    with redis.Redis.from_url(f"{system.broker_url[:-2]}/3") as broker:
        broker.rpush("timeouts", *[b"x"] * 60)
        elsewhere = replace(
            where,
            environment={**where.environment, "SERVITO_BROKER_URL": f"{system.broker_url[:-2]}/3"},
        )
        [found] = looked(elsewhere)[Check.BROKER].findings
        broker.delete("timeouts")
    assert (found.kind, found.facts["length"]) == (Kind.QUEUE_LONG, 60)


def test_processes_that_are_away_or_not_known_are_told(where: Whereabouts) -> None:
    """An address where nobody listens, and a service without one; a page that is none."""
    sick = replace(
        where,
        grpc={"table": ("127.0.0.1:1",), "dealer": where.grpc["dealer"]},
        pages={"table": ("127.0.0.1:1",)},
    )
    found = looked(sick)[Check.SERVICES].findings
    assert [(each.kind, each.facts["service"]) for each in found] == [
        (Kind.SERVICE_UNKNOWN, "evaluator"),
        (Kind.SERVICE_UNKNOWN, "timers"),
        (Kind.SERVICE_UNREACHABLE, "table"),
        (Kind.PAGE_UNREADABLE, "table"),
    ]


def test_targets_are_asked_address_by_address(system: LocalSystem, where: Whereabouts) -> None:
    """Without addresses of processes the services' targets are used, each behind it by itself."""
    dealer = system.addresses()["dealer"]["grpc"]
    environment = {**where.environment, "SERVITO_DEALER_TARGET": f"ipv4:{dealer},127.0.0.1:1"}
    found = looked(replace(where, environment=environment, grpc={}, pages={}))[Check.SERVICES]
    assert [(each.kind, each.facts["service"]) for each in found.findings] == [
        (Kind.SERVICE_UNKNOWN, "timers"),
        (Kind.SERVICE_UNREACHABLE, "dealer"),
    ]
    assert found.looked_at == 4


def test_a_service_whose_address_nobody_gave_is_not_said_to_be_away(where: Whereabouts) -> None:
    """An operator names the servers and the table, as the guide says; the dealer's default is no address."""
    given = ("SERVITO_STATE_URL", "SERVITO_BROKER_URL", "SERVITO_TABLE_TARGET")
    environment = {name: where.environment[name] for name in given}
    found = looked(replace(where, environment=environment, grpc={}, pages={}))[Check.SERVICES]
    assert [(each.kind, each.facts["service"]) for each in found.findings] == [
        (Kind.SERVICE_UNKNOWN, name) for name in ("dealer", "evaluator", "timers")
    ]
    assert found.looked_at == 1


def test_a_state_server_that_is_away_leaves_the_rest_to_be_looked_at(where: Whereabouts) -> None:
    """What hangs on it is said not to be looked at; broker and services are."""
    environment = {**where.environment, "SERVITO_STATE_URL": "redis://127.0.0.1:1/0"}
    results = looked(replace(where, environment=environment))
    assert kinds(findings(results)) == [Kind.UNREACHABLE]
    unseen = {check for check, result in results.items() if result.looked_at is None}
    assert unseen == {
        Check.STATE,
        Check.REPLICAS,
        Check.SWEEPS,
        Check.DEADLINES,
        Check.CHIPS,
        Check.HANDS,
        Check.HISTORY,
        Check.OPENING,
    }


def _running(**hand: int) -> store_pb2.StoredTable:
    table = store_pb2.StoredTable(schema=1, table_id="t")
    table.hand.number = 3
    table.hand.phase = table_pb2.PHASE_DRAW
    for name, value in hand.items():
        setattr(table.hand, name, value)
    return table


def judged(
    state: store_pb2.StoredTable,
    swept: bytes = b"100000",
    *,
    due: int = 0,
    waits: tuple[tuple[str, int], ...] = (),
) -> list[Finding]:
    """What is found of one stored table, a hundred seconds after the server's time began; its turn is due at
    `due`, 0 for no deadline.
    """
    stored = StoredHash("t", state.SerializeToString(), 1_000, due, "t:7" if due else "", waits)
    seen = Seen(10.0)
    members = {member.encode(): 200_000 for member in [stored.member, *dict(stored.waits)] if member}
    seen.take(Partition(0, 100_000, (stored,), members, (), swept))
    return [*seen.sweeps(), *seen.late(), *seen.chips(), *seen.of_hands]


def test_a_hand_without_a_deadline_is_found() -> None:
    """A running hand always has one; between hands a table may wait without."""
    assert kinds(judged(_running(to_act=1))) == [Kind.NO_DEADLINE]
    over = _running()
    over.hand.phase = table_pb2.PHASE_OVER
    assert judged(over) == []


def test_who_is_waited_for_is_told_apart() -> None:
    """For a player, for cards; before the patience is over neither is stuck."""
    assert kinds(judged(_running(to_act=1), due=80_000)) == [Kind.TABLE_STUCK]
    assert kinds(judged(_running(), due=80_000)) == [Kind.WAITS_FOR_CARDS]
    assert judged(_running(), due=95_000) == []


def test_every_wait_has_its_deadline() -> None:
    """Those beside the turn as well."""
    assert judged(_running(to_act=1), due=150_000, waits=(("t:r3", 150_000),)) == []


def test_partitions_that_nobody_ever_swept_are_found() -> None:
    """Where something waits."""
    assert kinds(judged(_running(to_act=1), b"", due=150_000)) == [Kind.NEVER_SWEPT]
    assert kinds(judged(_running(to_act=1), b"90000", due=150_000)) == [Kind.SWEEP_OLD]
    assert kinds(judged(_running(to_act=1), b"99500 50000 80000", due=150_000)) == [Kind.OUTAGE]


def test_forms_that_no_release_reads_together_are_found() -> None:
    """Forms 1 to 3 are those of an upgrade, counted; beside the next one the first is too many. Tables under
    different keys are counted too.
    """
    seen, said = Seen(10.0), []
    for schema in (1, 2, 3, 4):
        table = store_pb2.StoredTable(schema=schema, table_id=f"t{schema}")
        if schema >= 3:
            table.sealed = Seals({f"k{schema}": bytes(32)}, "test").seal("t", b"", b"")
        stored = StoredHash(table.table_id, table.SerializeToString(), 0, 0, "", ())
        seen.take(Partition(schema, 0, (stored,), {}, (), b"0"))
        said.append([(each.kind, *each.facts.values()) for each in seen.chips()])
    assert said == [
        [],
        [(Kind.FORMS, "1: 1, 2: 1")],
        [(Kind.FORMS, "1: 1, 2: 1, 3: 1")],
        [
            (Kind.SCHEMAS_APART, "1, 2, 3, 4"),
            (Kind.SEAL_KEYS, "k3: 1, k4: 1"),
        ],
    ]


def test_a_journal_that_cannot_be_read_is_found() -> None:
    """By partition and entry."""
    seen = Seen(10.0)
    seen.take(Partition(4, 0, (), {}, (b"\xff\xff",), b"0"))
    [found] = seen.chips()
    assert (found.kind, found.facts) == (Kind.JOURNAL_UNREADABLE, {"partition": 4, "entry": 1})


@pytest.mark.parametrize(("waited", "severity"), [(59, None), (61, Severity.WARNING), (601, Severity.ERROR)])
def test_an_archive_that_is_behind_is_found(waited: int, severity: Severity | None) -> None:
    """By the oldest entry that waits, of all partitions; where there is no archive that alone is told."""
    seen = Seen(10.0)
    for number, seconds in enumerate((waited, 5)):
        oldest = 1_000_000 - seconds * 1000
        seen.take(Partition(number, 1_000_000, (), {}, (), b"1000000", undrained=20, oldest=oldest))
    found = [(each.kind, each.severity, each.facts) for each in seen.history(kept=True)]
    facts = {"entries": 40, "seconds": waited}
    assert found == ([(Kind.HISTORY_BEHIND, severity, facts)] if severity is not None else [])
    assert kinds(seen.history(kept=False)) == [Kind.HISTORY_OFF]
