"""The images: small, without rights and tools, each with its own service and no other."""

from __future__ import annotations

import logging

import docker
import pytest

from tests.containers.engine import BASE_IMAGE, IMAGES, VERSION, said_by
from tests.deploy.manifests import SERVICES

MEGABYTES = {"dealer": 90, "evaluator": 150, "table": 90, "timers": 110}
"""At most, beside the base."""
OTHERS = ("servito_cli", "servito_client", "servito_local", "servito_script", "grpc_tools", "pip")
TOOLS = ("gcc", "cc", "make", "protoc", "buf", "git", "valkey-server", "servito")
_log = logging.getLogger(__name__)


@pytest.mark.parametrize("service", SERVICES)
def test_it_is_small_and_runs_without_rights(images: docker.DockerClient, service: str) -> None:
    """A user without a name on the host, one program, no secret and no mode among its settings."""
    image, base = images.images.get(IMAGES[service]), images.images.get(BASE_IMAGE)
    own = (image.attrs["Size"] - base.attrs["Size"]) / 1e6
    _log.info("%s: %.0f MB, and %.0f MB of the base", service, own, base.attrs["Size"] / 1e6)
    assert own < MEGABYTES[service]
    config = image.attrs["Config"]
    assert config["User"] == "10001:10001"
    assert config["Entrypoint"] == ["/opt/servito/serve"]
    assert config["Labels"]["org.opencontainers.image.version"] == VERSION
    told = dict(line.split("=", 1) for line in config["Env"])
    assert {name for name in told if name.startswith("SERVITO_")} == {
        "SERVITO_GRPC_BIND",
        "SERVITO_METRICS_BIND",
    }


@pytest.mark.parametrize("service", SERVICES)
def test_it_holds_its_service_and_no_tool(images: docker.DockerClient, service: str) -> None:
    """No compiler, no other service, no command; nothing of it belongs to the user that runs it."""
    code = f"""
import importlib.util, json, os, shutil
names = {[*OTHERS, *(f"servito_{each}" for each in SERVICES)]}
found = [name for name in names if importlib.util.find_spec(name)]
tools = [name for name in {TOOLS} if shutil.which(name)]
owned = [path for path, _, _ in os.walk("/opt") if os.access(path, os.W_OK)]
print(found, tools, owned, os.getuid())"""
    assert said_by(service, "python", "-c", code).stdout == f"['servito_{service}'] [] [] 10001\n"


@pytest.mark.parametrize("service", SERVICES)
def test_it_says_why_it_does_not_start(images: docker.DockerClient, service: str) -> None:
    """In production mode without anything: exit code 2 and the reasons; and it needs no file to write."""
    program = ("env", "SERVITO_MODE=production", "/opt/servito/serve")
    done = said_by(service, *program, check=False)
    assert done.returncode == 2
    keys = {"dealer": "SERVITO_DEALER_SEAL_KEYS", "table": "SERVITO_TABLE_SEAL_KEYS"}
    reason = keys.get(service, "unsafe in production mode")
    assert reason in done.stderr
