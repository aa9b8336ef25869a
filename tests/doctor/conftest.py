"""A whole system for the tests that make it sick; every test leaves it well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from servito_local.doctor.where import Whereabouts
from servito_local.system import LocalSystem
from tests.doctor.found import where_of
from tests.system.background import Background


@pytest.fixture(scope="package")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSystem]:
    """The running system."""
    with Background(LocalSystem(tmp_path_factory.mktemp("sick"))) as background:
        yield background.system


@pytest.fixture
def where(system: LocalSystem) -> Whereabouts:
    """Where it is."""
    return where_of(system)


@pytest.fixture
def state(system: LocalSystem) -> Iterator[Any]:
    """A client of its state server; untyped, as the published types are for both kinds of client."""
    with redis.Redis.from_url(system.state_url) as client:
        yield client
