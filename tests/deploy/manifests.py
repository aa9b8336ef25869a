"""The rendered manifests, as tests walk them. Here: rendering and finding; what has to hold: in the tests."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
PRODUCTION: Final = ("prod", "redis-sentinel", "redis-cluster", "own")
OVERLAYS: Final = ("dev", *PRODUCTION)
"""`own` stands in the README of deploy/k8s: somebody's upon one of ours, with all that is optional."""
SERVICES: Final = ("dealer", "evaluator", "table", "timers")
NAME: Final = "app.kubernetes.io/name"
DASHBOARD: Final = "grafana_dashboard"
"""The label by which Grafana finds one."""

Object = dict[str, Any]
"""One object of Kubernetes."""


def tool(name: str) -> str:
    """The path of a program: the pinned one, or the machine's; without either the test is skipped."""
    pinned = Path(sys.executable).with_name(name)
    found = str(pinned) if pinned.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed; `make setup` brings it on Linux")
    return found


@cache
def rendered(overlay: str) -> str:
    """What would be applied."""
    with TemporaryDirectory() as made:
        copy = Path(made) / "deploy"  # where kustomize finds all that it finds here, and an overlay more
        for folder in ("k8s", "observability"):
            copytree(ROOT / "deploy" / folder, copy / folder)
        own = copy / "k8s/overlays/own"
        own.mkdir()
        (block,) = re.findall(r"```yaml\n(.+?)```", (copy / "k8s/README.md").read_text(), re.DOTALL)
        (own / "kustomization.yaml").write_text(block)
        program = [tool("kubectl"), "kustomize", str(copy / "k8s/overlays" / overlay)]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def objects(overlay: str, *kinds: str) -> list[Object]:
    """Its objects, of these kinds only where some are named."""
    return [each for each in _parsed(overlay) if not kinds or each["kind"] in kinds]


@cache
def _parsed(overlay: str) -> tuple[Object, ...]:
    return tuple(yaml.safe_load_all(rendered(overlay)))


def named(overlay: str, kind: str, name: str) -> Object:
    """The one of that name."""
    (found,) = [each for each in objects(overlay, kind) if each["metadata"]["name"] == name]
    return found


def workloads(overlay: str) -> list[Object]:
    """What has pods."""
    return objects(overlay, "Deployment", "StatefulSet")


def deployment(overlay: str, service: str) -> Object:
    """Of a service."""
    return named(overlay, "Deployment", f"servito-{service}")


def pod(workload: Object) -> Object:
    """The spec of its pods."""
    spec: Object = workload["spec"]["template"]["spec"]
    return spec


def labels(workload: Object) -> dict[str, str]:
    """Of its pods."""
    found: dict[str, str] = workload["spec"]["template"]["metadata"]["labels"]
    return found


def container(workload: Object) -> Object:
    """The only one of its pods."""
    (found,) = pod(workload)["containers"]
    assert not pod(workload).get("initContainers")
    one: Object = found
    return one


def ports(workload: Object) -> dict[str, int]:
    """Container ports by name."""
    return {each["name"]: each["containerPort"] for each in container(workload)["ports"]}


def variables(overlay: str, workload: Object) -> dict[str, str | None]:
    """What the container finds in its environment; None for what a Secret holds."""
    found: dict[str, str | None] = {}
    for source in container(workload).get("envFrom", []):
        found |= named(overlay, "ConfigMap", source["configMapRef"]["name"])["data"]
    for each in container(workload).get("env", []):
        found[each["name"]] = each.get("value")
    return found


def matches(selector: Object, given: dict[str, str]) -> bool:
    """Whether a label selector chooses somebody with these labels; an empty one chooses everybody."""
    by_expression = all(_expressed(each, given) for each in selector.get("matchExpressions", []))
    return by_expression and selector.get("matchLabels", {}).items() <= given.items()


def _expressed(expression: Object, given: dict[str, str]) -> bool:
    assert expression["operator"] == "In", expression
    return given.get(expression["key"]) in expression["values"]


def strings(value: object) -> Iterator[str]:
    """Every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
