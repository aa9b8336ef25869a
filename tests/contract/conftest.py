"""What the contract is tried on; see `services` and `stage`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.contract.services import Services, services, staged
from tests.contract.stage import Stage


@pytest.fixture(scope="session")
def contract_services() -> Iterator[Services]:
    """One set of services for the session. Leave them alone."""
    with services() as running:
        yield running


@pytest.fixture
async def stage(contract_services: Services) -> AsyncIterator[Stage]:
    """Connections of one test to them."""
    async with staged(contract_services) as stage:
        yield stage
