"""The images: small, without rights and tools, each with its own service and no other."""

from __future__ import annotations

import json
import logging
from collections import Counter

import docker
import pytest

from tests.containers.engine import BASE_IMAGE, IMAGES, VERSION, said_by
from tests.deploy.manifests import SERVICES
from tests.deploy.services import libraries

pytestmark = pytest.mark.timeout(600)  # the images may have to be built first

MEGABYTES = {"dealer": 90, "evaluator": 150, "table": 90, "timers": 155}
"""At most, beside the base."""
OTHERS = ("grpc_tools", "pip", "cyclonedx", "pytest")
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
names = [name for name in {OTHERS} if importlib.util.find_spec(name)]
ours = sorted(name[8:] for name in os.listdir("/opt/servito") if name.startswith("servito_"))
tools = [name for name in {TOOLS} if shutil.which(name)]
owned = [path for path, _, _ in os.walk("/opt") if os.access(path, os.W_OK)]
print(names, ours, tools, owned, os.getuid())"""
    expected = f"[] {sorted(libraries(service))} [] [] 10001\n"
    assert said_by(service, "python", "-c", code).stdout == expected


@pytest.mark.parametrize("service", SERVICES)
def test_it_says_what_it_holds(images: docker.DockerClient, service: str) -> None:
    """Its bill of materials lists exactly the packages that are installed in it, and those of the base."""
    image = images.images.get(IMAGES[service])
    where = image.attrs["Config"]["Labels"]["servito.sbom"]
    bill = json.loads(said_by(service, "cat", where).stdout)
    code = (
        "from importlib import metadata as m; print(*(f'{d.name}=={d.version}' for d in m.distributions()))"
    )
    installed = set(said_by(service, "python", "-c", code).stdout.split()) - {f"servito=={VERSION}"}
    kinds = Counter(each.get("purl", each["type"]).split("/")[0] for each in bill["components"])
    listed = {f"{c['name']}=={c['version']}" for c in bill["components"] if "pypi" in c.get("purl", "")}
    assert listed == installed
    debian = said_by(service, "dpkg-query", "--show").stdout.splitlines()
    assert kinds == {"pkg:pypi": len(installed), "pkg:deb": len(debian), "container": 1, "platform": 1}
    own = bill["metadata"]["component"]
    assert (own["name"], own["version"]) == (f"servito-{service}", VERSION)


@pytest.mark.parametrize("service", SERVICES)
def test_it_says_why_it_does_not_start(images: docker.DockerClient, service: str) -> None:
    """In production mode without anything: exit code 2 and the reasons; and it needs no file to write."""
    program = ("env", "SERVITO_MODE=production", "/opt/servito/serve")
    done = said_by(service, *program, check=False)
    assert done.returncode == 2
    keys = {"dealer": "SERVITO_DEALER_SEAL_KEYS", "table": "SERVITO_TABLE_SEAL_KEYS"}
    reason = keys.get(service, "unsafe in production mode")
    assert reason in done.stderr
