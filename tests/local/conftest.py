"""A keeper and a supervisor for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from servito_local.keeper import Keeper
from servito_local.supervisor import Supervisor


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    """A keeper; whatever a test forgot ends with it."""
    keeper = Keeper(tmp_path / "keeper.log", grace=1)
    yield keeper
    keeper.close()


@pytest.fixture
async def supervisor(keeper: Keeper) -> AsyncIterator[Supervisor]:
    """A supervisor whose parts are stopped after the test."""
    supervisor = Supervisor(keeper)
    yield supervisor
    await supervisor.stop()
