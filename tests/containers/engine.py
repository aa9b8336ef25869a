"""The container engine of this machine, the images of this tree, and one-off questions to them."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from contextlib import ExitStack
from typing import Final

import docker
import pytest
from docker.errors import DockerException, ImageNotFound

from tests.deploy.compose import image_of
from tests.deploy.manifests import ROOT, SERVICES

VERSION: Final = re.findall(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[0]
IMAGES: Final = {service: f"servito/{service}:{VERSION}" for service in SERVICES}
STATE_IMAGE: Final = "valkey/valkey:9"
BASE_IMAGE: Final = "python:3.11-slim-bookworm"
TLS_IMAGE: Final = "redis:7-bookworm"
"""A server that speaks TLS wherever it comes from: a Valkey that was built without would not do."""
ARCHIVE_IMAGE: Final = image_of("history")


def connect() -> docker.DockerClient:
    """A client of the engine that answers here; without one the test is skipped."""
    try:
        client = docker.from_env(timeout=120)
        client.ping()
    except DockerException as error:
        pytest.skip(f"no container engine answers here: {error}")
    return client


def obtain(client: docker.DockerClient, image: str) -> None:
    """Have an image here, pulled if need be; where no registry answers the test is skipped."""
    try:
        client.images.get(image)
    except ImageNotFound:
        try:
            client.images.pull(image)
        except DockerException as error:
            pytest.skip(f"{image} is not here and cannot be pulled (deploy/tools/docker-engine): {error}")


def compose_command() -> list[str]:
    """docker-compose, or Compose 2 as a part of docker; without either the test is skipped."""
    if found := shutil.which("docker-compose"):
        return [found]
    program = [shutil.which("docker") or "docker", "compose"]
    if subprocess.run([*program, "version"], capture_output=True, check=False).returncode == 0:
        return program
    return pytest.skip("there is no docker-compose on this machine")


def make(target: str, *variables: str) -> None:
    """A target of the project's Makefile."""
    program = [shutil.which("make") or "make", target, *variables]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def said_by(service: str, *code: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """A container of a service's image that runs another program, and is gone."""
    program = ["docker", "run", "--rm", "--read-only", "--network", "none", "--entrypoint", code[0]]
    return subprocess.run([*program, IMAGES[service], *code[1:]], capture_output=True, text=True, check=check)


def free_ports(number: int) -> list[int]:
    """Ports of this machine that nobody listens on."""
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [each.getsockname()[1] for each in opened]
