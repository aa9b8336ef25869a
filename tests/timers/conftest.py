"""A world for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from servito_local.ports import Reservations
from tests.timers.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Servers and a table service, without workers."""
    with Reservations() as reservations:
        world = World(tmp_path, reservations.reserve)
        yield world
        world.close()
