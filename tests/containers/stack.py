"""The Compose file under a project name of its own, at free ports: `make up` may run beside it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.request import urlopen

import docker

from tests.containers.engine import VERSION, compose_command, free_ports, make
from tests.deploy.compose import PROFILES
from tests.deploy.manifests import ROOT

_FILE: Final = ROOT / "deploy/compose/docker-compose.yml"
_PUBLISHED: Final = tuple(
    f"SERVITO_{name}_PORT" for name in ("STATE", "TABLE_1", "TABLE_2", "PROMETHEUS", "GRAFANA")
)
_PATIENCE: Final = 60
"""Seconds until a container serves again."""


@dataclass
class Stack:
    """All containers of one `docker-compose up`."""

    engine: docker.DockerClient
    project: str = field(default_factory=lambda: f"servito-test-{os.getpid()}")
    ports: list[int] = field(default_factory=lambda: free_ports(5))

    @property
    def table(self) -> str:
        """Both tables, as a client of this machine finds them."""
        return f"ipv4:{','.join(f'127.0.0.1:{port}' for port in self.ports[1:3])}"

    def prometheus(self, path: str) -> Any:
        """What Prometheus says, by its own interface."""
        said = json.loads(_read(f"http://127.0.0.1:{self.ports[3]}/api/v1/{path}"))
        assert said["status"] == "success", said
        return said["data"]

    def grafana(self, path: str) -> Any:
        """What Grafana says, to whoever looks on."""
        return json.loads(_read(f"http://127.0.0.1:{self.ports[4]}/api/{path}"))

    @property
    def state_url(self) -> str:
        """The state server."""
        return f"redis://127.0.0.1:{self.ports[0]}/0"

    def compose(self, *arguments: str, everything: bool = False) -> None:
        """Run docker-compose; `everything`: also on what profiles add."""
        make("deploy/compose/secrets.env")
        make("deploy/compose/history.env")
        published = zip(_PUBLISHED, map(str, self.ports), strict=True)
        environment = {**os.environ, "SERVITO_VERSION": VERSION, **dict(published)}
        profiles = [part for profile in PROFILES for part in ("--profile", profile)] if everything else []
        program = [*compose_command(), "--project-name", self.project, "--file", str(_FILE), *profiles]
        done = subprocess.run(
            [*program, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    def up(self, *names: str) -> None:
        """Start what has no profile, or these besides, and wait until all that runs is healthy."""
        self.compose("up", "--detach", *names)
        subprocess.run([ROOT / "deploy/tools/await-healthy", self.project, str(_PATIENCE)], check=True)

    def containers(self) -> dict[str, Any]:
        """By the names of the Compose file, running or not."""
        label = f"com.docker.compose.project={self.project}"
        found = self.engine.containers.list(all=True, filters={"label": label})
        return {each.labels["com.docker.compose.service"]: each for each in found}

    def kill(self, name: str) -> int:
        """Its program dies, as by the kernel when memory is short; the process id on the host before that."""
        container = self.containers()[name]
        before: int = container.attrs["State"]["Pid"]
        # By the user that runs it, because nobody here has the right to end what is another's.
        program = container.exec_run(["sh", "-c", "stat -c %u /proc/$(cat /proc/1/task/1/children)"])
        user = program.output.decode().strip()
        done = container.exec_run(["sh", "-c", "kill -9 $(cat /proc/1/task/1/children)"], user=user)
        assert done.exit_code in (0, 137), done.output  # it may die with what it is in
        return before

    async def is_back(self, name: str, before: int) -> None:
        """Wait until the engine has started a container again and it is healthy."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                state = self.containers()[name].attrs["State"]
                well = state["Running"] and state["Health"]["Status"] == "healthy"
                if well and state["Pid"] != before:
                    return
                await asyncio.sleep(0.5)

    def left_over(self) -> list[str]:
        """Containers, networks and volumes that still are there."""
        label = {"label": f"com.docker.compose.project={self.project}"}
        return [
            each.name
            for kind in (self.engine.networks, self.engine.volumes)
            for each in kind.list(filters=label)
        ] + list(self.containers())


def _read(url: str) -> bytes:
    with urlopen(url, timeout=10) as answer:  # noqa: S310 - an address of this machine
        content: bytes = answer.read()
    return content
