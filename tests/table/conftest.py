"""For the tests of the table service: twins in memory, a real state server, and the real processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from grpc import aio

from servito_platform.place import Mode
from tests.modes.empty import empty
from tests.modes.servers import served
from tests.table.caller import Caller, calling
from tests.table.processes import Running, cards_and_judgement, service
from tests.table.real import RealStore, real_store
from tests.table.room import Room


@pytest.fixture
async def room() -> Room:
    """A new table, nobody seated."""
    room = Room()
    await room.open()
    return room


@pytest.fixture
def state_url(state_place: str) -> str:
    """Where the state is, with nothing stored and no script known."""
    return empty(state_place)


@pytest.fixture
async def real(state_url: str) -> AsyncIterator[RealStore]:
    """The store of one process there."""
    async with real_store(state_url) as real:
        yield real


@pytest.fixture(scope="session")
def services(state_mode: Mode, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A dealer and an evaluator, and the settings for table services, on a state of their own: other tests
    empty the shared one, and count its connections.
    """
    with (
        served(state_mode, tmp_path_factory.mktemp("services")) as url,
        cards_and_judgement(url) as settings,
    ):
        yield settings


@pytest.fixture(scope="session")
def table_service(services: dict[str, str]) -> Iterator[Running]:
    """One table service for the session; every test makes its own tables."""
    with service("table", services) as running:
        yield running


@pytest.fixture
async def table_channel(table_service: Running) -> AsyncIterator[aio.Channel]:
    """A connection to it, for what is no message."""
    async with aio.insecure_channel(table_service.grpc) as channel:
        yield channel


@pytest.fixture
async def ann(table_service: Running) -> AsyncIterator[Caller]:
    """A player at it."""
    async with calling(table_service.grpc) as ann:
        yield ann


@pytest.fixture(scope="module")
def other_service(services: dict[str, str]) -> Iterator[Running]:
    """A second table service on the same state."""
    with service("table", services) as running:
        yield running


@pytest.fixture
async def there(other_service: Running) -> AsyncIterator[Caller]:
    """A player at the second one."""
    async with calling(other_service.grpc) as there:
        yield there
