"""The doctor looks at servers: each real one is made sick in one way, found, and well again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from servito_local.doctor.findings import Finding, Kind, Severity
from servito_local.doctor.replicas import replicas
from servito_local.doctor.servers import BROKER, STATE, clocks, keeping, memory, reached
from servito_local.ports import HOST, Reservations
from servito_platform.place import read_place
from servito_platform.safety.facts import Facts, Replica, read_facts
from tests.doctor.found import kinds
from tests.modes.servers import Server
from tests.modes.until import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A state server as it should be; every test leaves it so."""
    with (
        Reservations() as ports,
        closing(Server(ports.reserve(), tmp_path_factory.mktemp("s") / "s")) as server,
    ):
        yield server


def url(server: Server, user: str = "") -> str:
    """Its address."""
    return f"redis://{user}{HOST}:{server.port}/0"


def state(server: Server) -> list[Finding]:
    """What is found of it as the state server."""
    found = reached(read_place(url(server)), STATE)
    return [
        *found.findings,
        *(each for own in found.servers for each in keeping(own, STATE, keeps=True)),
        *(each for own in found.servers for each in memory(own, STATE)),
        *clocks([(STATE, own) for own in found.servers]),
    ]


def test_a_server_as_it_should_be_is_well(server: Server) -> None:
    """Nothing is found, and it says what it is."""
    assert state(server) == []
    [facts] = reached(read_place(url(server)), STATE).servers
    assert (facts.role, facts.policy, facts.appends, facts.fsync) == (
        "master",
        "noeviction",
        True,
        "everysec",
    )
    assert facts.program.startswith("Valkey ")


SICK: list[tuple[str, str, str, Severity]] = [
    ("maxmemory-policy", "allkeys-lru", "eviction", Severity.ERROR),
    ("appendonly", "no", "not-kept", Severity.ERROR),
    ("appendfsync", "no", "not-synced", Severity.WARNING),
]


@pytest.mark.parametrize(("option", "value", "risk", "severity"), SICK)
def test_what_would_lose_something_is_found(
    server: Server, option: str, value: str, risk: str, severity: Severity
) -> None:
    """Eviction, no append-only file, no syncing: told with the server's address."""
    before = server.client.config_get(option)[option]
    server.client.config_set(option, value)
    try:
        [found] = state(server)
    finally:
        server.client.config_set(option, before)
    assert (found.kind, found.severity) == (Kind.UNSAFE, severity)
    assert found.facts == {"risk": risk, "what": f"{STATE} {HOST}:{server.port}"}
    assert state(server) == []


def test_a_broker_may_lose_messages(server: Server) -> None:
    """Its file does not matter; that it evicts is worth a look."""
    server.client.config_set("appendonly", "no")
    server.client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        [found] = keeping(read_facts(server.client, "b"), BROKER, keeps=False)
    finally:
        server.client.config_set("appendonly", "yes")
        server.client.config_set("maxmemory-policy", "noeviction")
    assert (found.severity, found.facts["risk"]) == (Severity.WARNING, "eviction")


@pytest.mark.parametrize(
    ("of_used", "severity", "percent"), [(1.25, Severity.WARNING, 80), (1.05, Severity.ERROR, 95)]
)
def test_memory_that_runs_out_is_found(
    server: Server, of_used: float, severity: Severity, percent: int
) -> None:
    """From 70 percent on, and as an error from 90 on."""
    used = server.client.info("memory")["used_memory"]
    server.client.config_set("maxmemory", round(used * of_used))
    try:
        [found] = state(server)
    finally:
        server.client.config_set("maxmemory", 0)
    assert (found.kind, found.severity) == (Kind.MEMORY_SHORT, severity)
    assert found.facts["percent"] == pytest.approx(percent, abs=4)


def test_a_wrong_password_is_no_silence(server: Server) -> None:
    """The server answers, and says no: with a wrong password, without one, and for a user without rights.
    The password is in no finding.
    """
    server.client.config_set("requirepass", "right")
    server.client.execute_command("ACL", "SETUSER", "blind", "on", ">secret", "~*", "+ping")
    try:
        found = [
            reached(read_place(url(server, user)), STATE)
            for user in (":wrong-password@", "", "blind:secret@")
        ]
        well = reached(read_place(url(server, ":right@")), STATE)
    finally:
        server.client.config_set("requirepass", "")
        server.client.execute_command("ACL", "DELUSER", "blind")
    assert [kinds(each.findings) for each in found] == [[Kind.LOCKED_OUT]] * 3
    assert not any(word in repr(each) for each in found for word in ("wrong-password", "secret", "right@"))
    assert (len(well.servers), well.findings) == (1, ())


def test_a_server_that_is_away_is_told(server: Server) -> None:
    """Killed, and frozen: it does not answer; both end in seconds."""
    server.kill()
    killed = reached(read_place(url(server)), STATE)
    server.start()
    server.freeze()
    frozen = reached(read_place(url(server)), STATE)
    server.thaw()
    assert kinds(killed.findings) == kinds(frozen.findings) == [Kind.UNREACHABLE]
    assert (killed.servers, frozen.servers) == ((), ())
    until(server.answers)
    assert state(server) == []


def test_a_replica_cannot_be_the_state(server: Server, tmp_path: Path) -> None:
    """An address that leads to a replica is found: everything would be refused there. Its primary, of which
    money waits for two replicas, has one; where it wants two itself, it refuses every write.
    """
    with (
        Reservations() as ports,
        closing(Server(ports.reserve(), tmp_path / "r", replicaof=f"{HOST} {server.port}")) as replica,
    ):
        until(lambda: server.client.info("replication").get("slave0", {}).get("state") == "online")
        assert kinds(state(replica)) == [Kind.NOT_PRIMARY]
        facts = read_facts(server.client, "p")
        assert list(replicas(facts, 1)) == [
            Finding(Kind.REPLICAS_OPTIONAL, Severity.WARNING, {"server": "p"})
        ]
        assert kinds(replicas(facts, 2)) == [Kind.REPLICAS_FEW, Kind.REPLICAS_OPTIONAL]
        assert kinds(replicas(facts, 0)) == []
        server.client.config_set("min-replicas-to-write", 1)
        assert kinds(replicas(read_facts(server.client, "p"), 1)) == []
        server.client.config_set("min-replicas-to-write", 2)
        assert list(replicas(read_facts(server.client, "p"), 0)) == [
            Finding(Kind.WRITES_REFUSED, Severity.ERROR, {"server": "p", "wanted": 2, "found": 1})
        ]
        server.client.config_set("min-replicas-to-write", 0)
        replica.freeze()
        until(lambda: kinds(replicas(read_facts(server.client, "p"), 0)) == [Kind.REPLICA_BEHIND])
        replica.thaw()


def test_another_kind_of_server_is_found(server: Server, tmp_path: Path) -> None:
    """A Cluster's server behind the address of a single one, and the other way round."""
    with (
        Reservations() as ports,
        closing(
            Server(ports.reserve(), tmp_path / "c", cluster_enabled="yes", cluster_port=str(ports.reserve()))
        ) as cluster,
    ):
        [found] = reached(read_place(url(cluster)), STATE).findings
        assert (found.kind, found.facts["wanted"], found.facts["found"]) == (
            Kind.OTHER_KIND,
            "single",
            "cluster",
        )
    found_of_single = reached(read_place(f"redis+cluster://{HOST}:{server.port}"), STATE)
    assert kinds(found_of_single.findings) == [Kind.OTHER_KIND]


def test_files_that_cannot_be_written_are_found(server: Server) -> None:
    """A snapshot that fails; its directory is gone for it."""
    facts = read_facts(server.client, "s")
    for sick, kind in (
        (replace(facts, append_failing=True), Kind.APPEND_FAILING),
        (replace(facts, snapshot_failing=True), Kind.SNAPSHOT_FAILING),
    ):
        assert kinds(keeping(sick, STATE, keeps=True)) == [kind]


def test_a_snapshot_that_failed_is_read_as_such(server: Server) -> None:
    """The real thing: a file name that is a directory."""
    directory = Path(server.client.config_get("dir")["dir"])
    (directory / "dump.rdb").mkdir()
    try:
        server.client.bgsave()
        until(lambda: read_facts(server.client, "s").snapshot_failing)
    finally:
        (directory / "dump.rdb").rmdir()
    server.client.bgsave()
    until(lambda: not read_facts(server.client, "s").snapshot_failing)


def told(server: Server, **changed: Any) -> Facts:
    """What it says, with something changed that no server of a test can be made to say."""
    return replace(read_facts(server.client, "s"), **changed)


def test_clocks_that_differ_are_found(server: Server) -> None:
    """From ours by more than a second; of two state servers by more than a quarter; what the way there may
    hide does not count.
    """
    right = told(server, clock_ahead=0.1, clock_doubt=0.0)
    assert abs(read_facts(server.client, "s").clock_ahead) < 0.5
    ahead = replace(right, address="t", clock_ahead=5.0)
    assert kinds(clocks([(STATE, right), (BROKER, ahead)])) == [Kind.CLOCK_WRONG]
    assert kinds(clocks([(STATE, right), (STATE, replace(ahead, clock_ahead=0.6))])) == [Kind.CLOCKS_DIFFER]
    assert kinds(clocks([(STATE, right), (STATE, replace(ahead, clock_doubt=6.0))])) == []


def test_an_old_server_is_found(server: Server) -> None:
    """Version 6 lacks what scripts and channels need."""
    old = told(server, version="6.2.14")
    [found] = keeping(old, STATE, keeps=True)
    assert (found.severity, found.facts["risk"]) == (Severity.ERROR, "old-server")


def test_replicas_that_money_does_not_wait_for_are_found(server: Server) -> None:
    """One of them may be promoted all the same."""
    two = told(server, replicas=(Replica("r:1", True, 0, 0), Replica("r:2", True, 0, 0)), least_replicas=1)
    assert kinds(replicas(two, 1)) == [Kind.REPLICAS_MORE]
    assert kinds(replicas(two, 2)) == []


def test_a_replica_that_lacks_much_is_found(server: Server) -> None:
    """By bytes as well as by seconds."""
    behind = told(server, replicas=(Replica("r:1", True, 0, 5_000_000),))
    [found] = replicas(behind, 0)
    assert (found.kind, found.facts["kilobytes"]) == (Kind.REPLICA_BEHIND, 5_000)
