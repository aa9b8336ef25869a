"""Servers under Sentinel and a Cluster for the whole module; every test leaves them as it found them."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from servito_local.ports import Reservations
from tests.modes.empty import empty
from tests.modes.servers import Cluster, Group, Server
from tests.modes.until import until
from tests.table.processes import HASTY, Running, cards_and_judgement, service

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Servers = Group | Cluster


@dataclass
class System:
    """The services that a test speaks to."""

    table: Running
    timers: Running
    settings: Mapping[str, str]
    """With which another table service joins them."""


@pytest.fixture(scope="module", params=[Group, Cluster], ids=["sentinel", "cluster"])
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Several servers that stand in for each other."""
    with (
        Reservations() as ports,
        closing(request.param(tmp_path_factory.mktemp("servers"), ports)) as servers,
    ):
        yield servers


@pytest.fixture
def url(servers: Servers) -> Iterator[str]:
    """Their address, with nothing stored. What the test leaves of them is put in order for the next one."""
    yield empty(servers.url)
    for server in servers.servers:
        server.restore()
    until(servers.ready_to_fail_over, 60)


@pytest.fixture
def system(servers: Servers, url: str, tmp_path: Path) -> Iterator[System]:
    """The table service, with a dealer and an evaluator, and timers. Under Sentinel the broker is the same
    group, in another database; beside a Cluster, which cannot be one, a single server.
    """
    with ExitStack() as stack:
        broker = f"{url.removesuffix('/0')}/1"
        if isinstance(servers, Cluster):
            ports = stack.enter_context(Reservations())
            single = stack.enter_context(closing(Server(ports.reserve(), tmp_path / "broker")))
            broker = f"redis://127.0.0.1:{single.port}/0"
        settings = stack.enter_context(cards_and_judgement(url, HASTY))
        table = stack.enter_context(service("table", settings))
        timers = {"SERVITO_BROKER_URL": broker, "SERVITO_TABLE_TARGET": table.grpc}
        yield System(table, stack.enter_context(service("timers", settings | timers)), settings)
