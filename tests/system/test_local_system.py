"""The local system with its real parts: it starts, says where everything is, stands side by side, stops."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
import redis
from grpc_health.v1 import health_pb2, health_pb2_grpc

from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_local.data_dir import DataDirInUse
from servito_local.part import PartFailed
from servito_local.ports import HOST, PortTaken
from servito_local.system import LocalSystem
from tests.system.processes import of_system
from tests.system.tables import next_expiries, silent_table

pytestmark = pytest.mark.system

SERVICES = ("dealer", "evaluator", "table", "timers")
READINESS = {
    "dealer": "servito.dealer.v1.DealerService",
    "evaluator": "servito.evaluator.v1.EvaluatorService",
    "table": "servito.table.v1.TableService",
    "timers": "",
}


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_serves_at_its_addresses(system: LocalSystem, name: str) -> None:
    """The gRPC address answers the standard health check, the metrics address shows Prometheus metrics."""
    addresses = system.addresses()[name]
    with grpc.insecure_channel(addresses["grpc"]) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)  # its type says nothing of its methods
        answer = health.Check(health_pb2.HealthCheckRequest(service=READINESS[name]), timeout=5)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with urlopen(f"http://{addresses['metrics']}/metrics", timeout=5) as page:
        assert re.search(rb"^(servito|grpc_server)_\w+", page.read(), re.MULTILINE)


@pytest.mark.parametrize("name", ["state", "broker"])
def test_servers_lose_nothing_and_evict_nothing(system: LocalSystem, name: str) -> None:
    """State server and broker keep an append-only file, evict nothing, and listen on the loopback only."""
    with redis.Redis.from_url(f"redis://{system.addresses()[name]['redis']}") as client:
        options = {
            option: client.config_get(option)[option]
            for option in ("appendonly", "appendfsync", "maxmemory-policy", "bind", "save")
        }
    assert options == {
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "bind": HOST,
        "save": "",
    }


def test_cost_of_each_process_is_told(system: LocalSystem) -> None:
    """CPU time and memory are known for every part, and nothing was restarted."""
    usage = system.usage()
    assert set(usage) == {*SERVICES, "state", "broker"}
    assert all(usage[name].cpu_seconds > 0.05 for name in SERVICES)
    assert all(cost.resident_bytes > 1_000_000 for cost in usage.values())
    assert set(system.restarts.values()) == {0}


def test_stages_of_the_start_are_timed(system: LocalSystem) -> None:
    """The start tells its two stages with their times."""
    names = [stage.name for stage in system.stages.finished]
    assert names == ["state server and broker", "dealer, evaluator, table and timers"]
    assert all(0 < stage.seconds < 60 for stage in system.stages.finished)


async def test_tables_outlive_the_system(system: LocalSystem, tmp_path: Path) -> None:
    """Two systems share neither addresses nor tables. The next one on the same data directory is where it is
    wished to be, and finds its tables, its chips, and the key of its sealed hands.
    """
    async with LocalSystem(tmp_path) as other, Servito(other.target("table")) as servito:
        assert not addresses(system) & addresses(other)
        table_id = await silent_table(servito)
        assert table_id in [table.table_id for table in read_chips(other.state_url).tables]
        assert table_id not in [table.table_id for table in read_chips(system.state_url).tables]
        await next_expiries(servito, table_id)
        wanted = port_of(other)
    assert set(other.exit_codes.values()) == {0}
    key = (tmp_path / "seal.key").read_text()
    again = LocalSystem(tmp_path, ports={"table": wanted})
    async with again, Servito(f"{HOST}:{wanted}") as servito:
        assert again.addresses()["table"]["grpc"] == f"{HOST}:{wanted}"
        await next_expiries(servito, table_id, turns=2, hands=1)
        assert [table.table_id async for table in servito.acting_as("host").list_tables()] == [table_id]
        chips = read_chips(again.state_url)
    assert (chips.in_play, chips.bought_in, chips.wrong) == (400, 400, ())
    assert (tmp_path / "seal.key").read_text() == key
    assert stat.S_IMODE((tmp_path / "seal.key").stat().st_mode) == 0o600


async def test_data_directory_belongs_to_one_system(system: LocalSystem) -> None:
    """A second system on the same data directory is refused and disturbs nothing."""
    pids = system.pids()
    with pytest.raises(DataDirInUse, match=re.escape(str(system._data_dir))):
        await LocalSystem(system._data_dir).__aenter__()
    assert system.pids() == pids


async def test_ports_that_are_taken_are_refused(system: LocalSystem, tmp_path: Path) -> None:
    """A port that was asked for and is in use is named."""
    taken = port_of(system)
    with pytest.raises(PortTaken, match=str(taken)):
        await LocalSystem(tmp_path, ports={"table": taken}).__aenter__()


async def test_part_that_cannot_start_is_told(tmp_path: Path) -> None:
    """A setting that cannot be ends the start with the words of the service, and nothing is left running."""
    system = LocalSystem(tmp_path, overrides={"table": {"SERVITO_PARTITIONS": "none"}})
    with pytest.raises(PartFailed, match=r"(?s)table ended with code 2 .*SERVITO_PARTITIONS"):
        await system.__aenter__()
    assert not system.pids()
    assert of_system(tmp_path) == []


def test_unknown_service_is_refused(tmp_path: Path) -> None:
    """Settings for a service that there is not are refused with those that there are."""
    with pytest.raises(
        ValueError, match="no such service: tabel; there are dealer, evaluator, table, timers"
    ):
        LocalSystem(tmp_path, overrides={"tabel": {}})


def port_of(system: LocalSystem) -> int:
    """Where its table service is."""
    return int(system.addresses()["table"]["grpc"].rpartition(":")[2])


def addresses(system: LocalSystem) -> set[str]:
    """All addresses of a system."""
    return {address for part in system.addresses().values() for address in part.values()}
