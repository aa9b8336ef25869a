"""Production mode from the images, as the overlay `prod` says it: signed tokens, TLS everywhere, a replica
that money waits for, every secret a file or a variable of one service. It plays, and lets nobody else in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace

import docker
import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.network import Network
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

from servito_client.client import Servito
from servito_client.errors import Refusal, Unanswered
from servito_client.retries import RetryPolicy
from servito_history.reading import History, open_history
from servito_local.chips import read_chips
from tests.containers.engine import ARCHIVE_IMAGE, IMAGES, TLS_IMAGE, obtain
from tests.containers.production import PASSWORD, Site
from tests.deploy.manifests import SERVICES
from tests.local.parts import until
from tests.system.playing import more_hands, playing
from tests.system.tables import QUICK, next_expiries

pytestmark = pytest.mark.timeout(240)

TABLES = 2
QUICKLY = RetryPolicy(give_up_after=1.5, call_timeout=1.0)


@dataclass(frozen=True)
class Started:
    """Where this machine finds it, and what opens it."""

    site: Site
    table: str
    state_url: str
    archive_url: str


@pytest.fixture(scope="module")
def started(images: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """Everything once, in a network of its own: the state and its replica, broker, archive, each service."""
    obtain(images, TLS_IMAGE)
    obtain(images, ARCHIVE_IMAGE)
    site = Site(tmp_path_factory.mktemp("site"))
    with ExitStack() as stack:
        network = stack.enter_context(Network())

        def start(name: str, container: DockerContainer, message: str, port: int) -> int:
            container.with_network(network).with_network_aliases(name).with_exposed_ports(port)
            container.waiting_for(LogMessageWaitStrategy(message).with_startup_timeout(60))
            stack.enter_context(container)
            return int(container.get_exposed_port(port))

        port = start("state", _server(site, "state", "--appendonly", "yes"), READY, 6379)
        behind = ("--appendonly", "yes", "--replicaof", "state", "6379", "--masterauth", PASSWORD)
        start(
            "state-replica",
            _server(site, "state-replica", *behind),
            "MASTER <-> REPLICA sync: Finished",
            6379,
        )
        start("broker", _server(site, "broker", "--appendonly", "no"), READY, 6379)
        archive = start("history", _archive(), "database system is ready to accept connections", 5432)
        tables = [
            start(f"servito-{name}", _service(site, name), '"event": "ready"', 50051)
            for name in SERVICES
            if name != "timers"
        ]
        start("servito-timers", _service(site, "timers"), '"event": "ready"', 50060)
        yield Started(site, f"127.0.0.1:{tables[-1]}", site.state_url(port), site.archive_url(archive))


READY = "Ready to accept connections"


def _server(site: Site, name: str, *options: str) -> DockerContainer:
    where = "/etc/servers"
    tls = {
        "port": "0",
        "tls-port": "6379",
        "tls-cert-file": f"{where}/tls.crt",
        "tls-key-file": f"{where}/tls.key",
        "tls-ca-cert-file": f"{where}/ca.crt",
        "tls-auth-clients": "no",
        "tls-replication": "yes",
        "requirepass": PASSWORD,
        "maxmemory-policy": "noeviction",
    }
    said = [part for option, value in tls.items() for part in (f"--{option}", value)]
    container = DockerContainer(TLS_IMAGE).with_command(["redis-server", *said, *options])
    return container.with_volume_mapping(str(site.of_server(name)), where, "ro")


def _archive() -> DockerContainer:
    container = DockerContainer(ARCHIVE_IMAGE)
    for name, value in {"USER": "servito", "DB": "servito", "PASSWORD": PASSWORD}.items():
        container.with_env(f"POSTGRES_{name}", value)
    return container


def _service(site: Site, name: str) -> DockerContainer:
    container = DockerContainer(IMAGES[name]).with_kwargs(read_only=True, cap_drop=["ALL"])
    for variable, value in site.environment(name).items():
        container.with_env(variable, value)
    for folder, where in site.mounts(name).items():
        container.with_volume_mapping(str(folder), where, "ro")
    return container


async def test_bots_play_in_production_mode(started: Started) -> None:
    """By signed tokens over TLS: hands are dealt, judged and paid out, no turn runs out, the chips agree."""
    async with playing(started.table, TABLES, started.site.shown) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        await more_hands(played, 3)
    assert played.expired == played.late == 0
    chips = await asyncio.to_thread(read_chips, started.state_url)
    assert chips.wrong == ()
    assert chips.in_play == 0
    with open_history(started.archive_url) as history:
        await until(
            lambda: all(_is_archived(history, table, hands) for table, hands in played.hands.items()), 60
        )


def _is_archived(history: History, table_id: str, hands: int) -> bool:
    """Every hand, and that the table has paid out everything."""
    money = sum(each.amount for each in history.money(table_id))
    return len(history.hands(table_id)) >= hands and money == 0


async def test_turns_end_by_the_clock(started: Started) -> None:
    """The timers, too, come with a token and a certificate that are believed."""
    site = started.site
    async with Servito(started.table, "casa", **site.shown("casa")) as casa:
        table_id = await casa.create_table(QUICK)
        for name in ("anna", "bo"):
            await casa.acting_as(name, token=site.login.token(name)).sit(table_id, buy_in=200)
        spectator = casa.acting_as("spectator", token=site.login.token("spectator"))
        await next_expiries(casa, table_id, turns=2, hands=1, spectator=spectator)


async def test_strangers_stay_outside(started: Started) -> None:
    """Who speaks without TLS reaches nobody; a development token and one of another login are refused."""
    shown = started.site.shown("anna")
    async with Servito(started.table, "anna", policy=QUICKLY, token=shown["token"]) as plain:
        with pytest.raises(Unanswered):
            await plain.create_table(QUICK)
    async with Servito(started.table, "anna", credentials=shown["credentials"]) as anna:
        with pytest.raises(Refusal, match="development tokens are not accepted"):
            await anna.create_table(QUICK)
        forged = replace(started.site.login, key=type(started.site.login)().key)
        with pytest.raises(Refusal):
            await anna.acting_as("casa", token=forged.token("casa", role="operator")).create_table(QUICK)
        with pytest.raises(Refusal, match="only operators create tables"):
            await anna.acting_as("anna", token=shown["token"]).create_table(QUICK)
