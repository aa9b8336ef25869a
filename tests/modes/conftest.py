"""Servers under Sentinel and a Cluster for the whole module; every test leaves them as it found them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from servito_local.ports import Reservations
from tests.modes.empty import empty
from tests.modes.servers import Cluster, Group

if TYPE_CHECKING:
    from collections.abc import Iterator

Servers = Group | Cluster


@pytest.fixture(scope="module", params=[Group, Cluster], ids=["sentinel", "cluster"])
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Several servers that stand in for each other."""
    with (
        Reservations() as ports,
        closing(request.param(tmp_path_factory.mktemp("servers"), ports)) as servers,
    ):
        yield servers


@pytest.fixture
def url(servers: Servers) -> str:
    """Their address, with nothing stored."""
    return empty(servers.url)
