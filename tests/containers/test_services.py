"""State server, broker and services, each from its image: bots play through them and the chips agree."""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import docker
import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.network import Network
from testcontainers.core.wait_strategies import LogMessageWaitStrategy

from servito_local.chips import read_chips
from tests.containers.engine import IMAGES, STATE_IMAGE
from tests.local.parts import until
from tests.system.playing import more_hands, playing

pytestmark = [pytest.mark.timeout(180), pytest.mark.long]  # test_production.py plays in CI

STATE = {"SERVITO_STATE_URL": "redis://state:6379/0"}
TOLD = {
    "dealer": {
        **STATE,
        "SERVITO_DEALER_SEAL_KEYS": f"test:{base64.b64encode(secrets.token_bytes(32)).decode()}",
    },
    "evaluator": {},
    "table": {
        **STATE,
        "SERVITO_DEALER_TARGET": "dns:///dealer:50051",
        "SERVITO_EVALUATOR_TARGET": "dns:///evaluator:50051",
    },
    "timers": {
        **STATE,
        "SERVITO_BROKER_URL": "redis://broker:6379/0",
        "SERVITO_TABLE_TARGET": "dns:///table:50051",
    },
}
TABLES = 2


@dataclass(frozen=True)
class Started:
    """Where this machine finds them."""

    table: str
    state_url: str


@pytest.fixture(scope="module")
def started(images: docker.DockerClient) -> Iterator[Started]:
    """Everything once, in a network of its own."""
    with ExitStack() as stack:
        network = stack.enter_context(Network())

        def start(name: str, container: DockerContainer, message: str, port: int) -> str:
            container.with_network(network).with_network_aliases(name).with_exposed_ports(port)
            container.waiting_for(LogMessageWaitStrategy(message).with_startup_timeout(60))
            stack.enter_context(container)
            return f"127.0.0.1:{container.get_exposed_port(port)}"

        state = start("state", _server("--appendonly", "yes"), "Ready to accept connections", 6379)
        start("broker", _server("--appendonly", "no"), "Ready to accept connections", 6379)
        addresses = {name: start(name, _service(name), '"event": "ready"', 50051) for name in TOLD}
        yield Started(addresses["table"], f"redis://{state}/0")


def _server(*options: str) -> DockerContainer:
    safe = ("--bind", "0.0.0.0", "--protected-mode", "no", "--maxmemory-policy", "noeviction")  # noqa: S104 - in a container
    return DockerContainer(STATE_IMAGE).with_command(["valkey-server", *safe, *options])


def _service(name: str) -> DockerContainer:
    container = DockerContainer(IMAGES[name]).with_kwargs(read_only=True, cap_drop=["ALL"])
    for variable, value in TOLD[name].items():
        container.with_env(variable, value)
    return container


async def test_bots_play_through_the_images(started: Started) -> None:
    """Hands are dealt, judged and paid out; no turn runs out; every chip is where it should be."""
    async with playing(started.table, TABLES) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        await more_hands(played, 3)
        during = await asyncio.to_thread(read_chips, started.state_url)
        assert during.wrong == ()
        assert during.in_play == during.bought_in > 0
    assert played.expired == played.late == 0
    chips = await asyncio.to_thread(read_chips, started.state_url)
    assert chips.wrong == ()
    assert chips.in_play == chips.bought_in == 0
