"""A world for each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from servito_local.ports import Reservations
from servito_platform.place import Mode
from tests.timers.whole import Whole
from tests.timers.world import World


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """Everything, real, for all tests that leave it as they found it."""
    with closing(Whole(tmp_path_factory.mktemp("whole"))) as whole:
        yield whole


@pytest.fixture
def world(request: pytest.FixtureRequest, state_mode: Mode, tmp_path: Path) -> Iterator[World]:
    """Servers and a table service, without workers; with STATE_MODE the state is one that all tests use."""
    elsewhere = None if state_mode is Mode.SINGLE else request.getfixturevalue("state_place")
    with Reservations() as reservations:
        world = World(tmp_path, reservations.reserve, elsewhere)
        yield world
        world.close()
