"""What the container tests share: an engine that answers, and images of this tree."""

from __future__ import annotations

import os
from collections.abc import Iterator

import docker
import pytest

# Read when testcontainers is imported: every container is ended by its test, so no reaper is needed, which is
# an image of its own; and ports are published on this machine, wherever the tests think that they run.
os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")
os.environ.setdefault("TESTCONTAINERS_HOST_OVERRIDE", "localhost")

from tests.containers.engine import connect, make


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    """A client of the engine."""
    client = connect()
    yield client
    client.close()


@pytest.fixture(scope="session")
def images(engine: docker.DockerClient) -> docker.DockerClient:
    """The engine, with the images of all services."""
    make("images")  # quick where nothing has changed
    return engine
