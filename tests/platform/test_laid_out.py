"""The number of partitions belongs to the state: whoever comes with another one does not run."""

from __future__ import annotations

import base64
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from pydantic import SecretStr

from servito_local.ports import HOST, Reservations
from servito_platform.keys import Keys
from servito_platform.laid_out import OtherPartitions, lay_out, read_mark
from servito_platform.safety.settings import Uses
from servito_platform.safety.start import UnsafeStart, check_safety
from servito_platform.settings import ServiceSettings
from tests.modes.servers import Cluster, Server
from tests.modes.until import until


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """An empty state server."""
    with Reservations() as ports, closing(Server(ports.reserve(), tmp_path / "s")) as server:
        yield server


def settings(server: Server, partitions: int) -> ServiceSettings:
    """Of a service in development."""
    return ServiceSettings(state_url=SecretStr(server.connection_url), partitions=partitions)


def test_the_first_service_lays_the_state_out(server: Server) -> None:
    """What it has is written; the next one with the same starts, one with another does not, in any mode."""
    check_safety(settings(server, 32), Uses())
    assert read_mark(server.client) == 32
    check_safety(settings(server, 32), Uses())
    with pytest.raises(UnsafeStart, match="SERVITO_PARTITIONS: it is 64, and the state was laid out with 32"):
        check_safety(settings(server, 64), Uses())
    assert read_mark(server.client) == 32


def test_who_keeps_nothing_there_looks_at_nothing(server: Server) -> None:
    """The evaluator has no part in it."""
    check_safety(settings(server, 32), Uses(stores=False))
    assert read_mark(server.client) is None


def test_of_many_who_come_at_once_one_number_wins(server: Server) -> None:
    """Whatever comes first is the number of all."""

    def come(number: int) -> int | None:
        with redis.Redis(HOST, server.port) as client:
            try:
                lay_out(client, number)
            except OtherPartitions as other:
                return other.found
            return number

    numbers = list(range(1, 33))
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(come, numbers))
    assert found == {read_mark(server.client)}


@pytest.mark.parametrize("index", [Keys.tables, Keys.closed])
def test_a_state_of_before_is_known_by_its_tables(server: Server, index: Any) -> None:
    """A release that wrote no mark left tables: a number that does not find them is refused, and no mark is
    written; one that does is taken.
    """
    keys = Keys(64)
    for name in ("t1", "t2", "t3"):
        server.client.zadd(index(keys, keys.partition(name)), {name: 0})
    for wrong in (32, 65, 1000):
        with pytest.raises(OtherPartitions, match="laid out with another:"):
            lay_out(server.client, wrong)
    assert read_mark(server.client) is None
    lay_out(server.client, 64)
    assert read_mark(server.client) == 64


def test_a_cluster_has_one_mark(tmp_path: Path) -> None:
    """Wherever its slot is."""
    with Reservations() as ports, closing(Cluster(tmp_path, ports)) as cluster:
        for partitions in (16, 16):
            check_safety(_of(cluster, partitions), Uses())
        with pytest.raises(UnsafeStart, match="laid out with 16"):
            check_safety(_of(cluster, 64), Uses())


def _of(cluster: Cluster, partitions: int) -> ServiceSettings:
    return ServiceSettings(state_url=SecretStr(cluster.url), partitions=partitions)


@pytest.mark.system
@pytest.mark.parametrize("service", ["dealer", "table", "timers"])
def test_a_service_with_another_number_ends_with_two(server: Server, service: str) -> None:
    """At its start; and where the state server was away then, as soon as that is back."""
    lay_out(server.client, 16)
    refused = subprocess.run(
        program(service), env=environment(server), capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode == 2
    assert "the state was laid out with 16" in refused.stderr
    server.kill()
    with subprocess.Popen(
        program(service), env=environment(server), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = process.stderr
            assert said is not None
            until(lambda: "partitions_unchecked" in said.readline())
            server.start()
            assert process.wait(20) == 2
            assert "the state was laid out with 16" in said.read()
        finally:
            process.kill()


def program(service: str) -> list[str]:
    """A service."""
    return [sys.executable, "-m", f"servito_{service}"]


def environment(server: Server) -> dict[str, str]:
    """Of one that comes with 64."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("SERVITO_")},
        "SERVITO_STATE_URL": server.connection_url,
        "SERVITO_BROKER_URL": server.connection_url,
        "SERVITO_DEALER_SEAL_KEYS": f"k1:{base64.b64encode(secrets.token_bytes(32)).decode()}",
    }
