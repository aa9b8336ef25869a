"""What goes into an image: the packages that its service imports, at the tested versions, nothing else."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.deploy.manifests import ROOT, SERVICES, tool
from tests.deploy.services import imported, libraries

PINS = ROOT / "deploy/requirements"
MODULES = {
    "googleapis-common-protos": "google",
    "grpcio": "grpc",
    "grpcio-health-checking": "grpc_health",
    "grpcio-reflection": "grpc_reflection",
    "grpcio-status": "grpc_status",
    "opentelemetry-api": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-grpc": "opentelemetry",
    "opentelemetry-sdk": "opentelemetry",
    "protobuf": "google",
}
"""Of packages that are not called as what is imported from them."""
UNSEEN = {"hiredis", "psycopg"}
"""redis-py finds and uses the one by itself, SQLAlchemy the other by the address."""


def wanted(service: str) -> set[str]:
    """Packages that the list of a service names."""
    lines = [line for name in ("common", service) for line in _lines(PINS / f"services/{name}.in")]
    return {re.split(r"[\[<>=;]", line)[0].strip() for line in lines if not line.startswith("-r")}


def pinned(file: str) -> set[str]:
    """`name==version`, without markers."""
    return {line.split(";")[0].strip() for line in _lines(PINS / file)}


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line and line.lstrip()[0] != "#"]


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_holds_what_its_service_imports(service: str) -> None:
    """No package too few, which would be an error at its start, and none too many."""
    modules = {MODULES.get(package, package.replace("-", "_")) for package in wanted(service)}
    assert modules - UNSEEN == imported(service) - UNSEEN


def test_an_image_holds_our_libraries_that_its_service_imports() -> None:
    """The list from which the Dockerfile takes them is what the code says, no more and no less."""
    listed = dict(line.split(": ") for line in _lines(PINS / "services/own.txt"))
    assert listed == {service: " ".join(sorted(libraries(service))) for service in SERVICES}


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_holds_the_versions_that_are_tested(service: str) -> None:
    """Its pins are among those of runtime.txt, which the tests run on."""
    pins = pinned(f"services/{service}.txt")
    assert pins
    assert pins <= pinned("runtime.txt")
    assert wanted(service) <= {pin.split("==")[0] for pin in pins}


def test_the_dockerfile_is_well_made() -> None:
    """By hadolint, which knows the usual mistakes."""
    done = subprocess.run(
        [tool("hadolint"), ROOT / "deploy/docker/Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_build_sees_sources_and_pins_alone() -> None:
    """No test, key, data or history can come into a layer."""
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] != "#"]
    assert lines[0] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "protos",
        "libs",
        "services",
        "deploy/requirements",
        "deploy/tools/sbom",
    }
