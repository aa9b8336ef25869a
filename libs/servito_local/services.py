"""The services as parts of the system: `python -m servito_<service>` with everything told by the environment.

The names of the variables are those of the services' settings (prefix SERVITO_). A service says that it
serves by one line of JSON on standard output, {"event": "ready", ...}. Changes with servito_platform's
settings and process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from servito_local.part import Part
from servito_local.ports import HOST


def service(
    name: str,
    module: str,
    *,
    grpc_port: int,
    metrics_port: int,
    environment: Mapping[str, str],
    log: Path,
    rank: int,
) -> Part:
    """A service listening on the given ports of the loopback interface."""
    own = {"SERVITO_GRPC_BIND": f"{HOST}:{grpc_port}", "SERVITO_METRICS_BIND": f"{HOST}:{metrics_port}"}
    return Part(
        name=name,
        program=(sys.executable, "-m", module),
        environment={**environment, **own},
        log=log,
        ready=ready_line,
        rank=rank,
    )


def target(ports: list[int]) -> str:
    """What a gRPC client of these replicas connects to."""
    addresses = ",".join(f"{HOST}:{port}" for port in ports)
    return addresses if len(ports) == 1 else f"ipv4:{addresses}"


def ready_line(line: str) -> Mapping[str, object] | None:
    """What a service told about itself, when `line` is its ready line."""
    with suppress(json.JSONDecodeError):
        told = json.loads(line)
        if isinstance(told, dict) and told.get("event") == "ready":
            return told
    return None
