"""Bills of materials: what each image holds, from its pins, in a form that tools understand."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from importlib import metadata
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.deploy.manifests import ROOT, SERVICES
from tests.deploy.test_images import pinned, wanted

SILENT = {"protobuf"}
"""Packages whose metadata name no licence."""


@cache
def text(service: str) -> str:
    """As `make sbom` writes it."""
    program = [sys.executable, str(ROOT / "deploy/tools/sbom"), service, "1.2.3", sys.executable]
    return subprocess.check_output(program, text=True)


def bill(service: str) -> dict[str, Any]:
    """Read."""
    found: dict[str, Any] = json.loads(text(service))
    return found


@pytest.mark.parametrize("service", SERVICES)
def test_it_lists_the_pins_that_are_installed(service: str) -> None:
    """Each package of others at its pinned version, with where it comes from and its licence."""
    components = bill(service)["components"]
    listed = {f"{each['name'].lower().replace('_', '-')}=={each['version']}" for each in components}
    here = {
        f"{name}=={metadata.version(name)}"
        for name in (pin.split("==")[0] for pin in pinned(f"services/{service}.txt"))
        if list(metadata.distributions(name=name))
    }
    assert listed == here
    assert all(each["purl"].startswith("pkg:pypi/") for each in components)
    assert {each["name"] for each in components if not each.get("licenses")} <= SILENT


@pytest.mark.parametrize("service", SERVICES)
def test_it_says_whose_it_is_and_who_needs_whom(service: str) -> None:
    """The service at its version needs what its code imports; every name that is needed is listed."""
    found = bill(service)
    own = found["metadata"]["component"]
    assert (own["name"], own["version"]) == (f"servito-{service}", "1.2.3")
    needs = {each["ref"]: each.get("dependsOn", []) for each in found["dependencies"]}
    assert {ref.split("==")[0].lower().replace("_", "-") for ref in needs[own["bom-ref"]]} == wanted(service)
    refs = {each["bom-ref"] for each in found["components"]}
    assert {ref for each in needs.values() for ref in each} <= refs


def test_it_is_what_tools_understand() -> None:
    """By the strict schema of CycloneDX; a component of no kind that there is would be found."""
    judge = JsonStrictValidator(SchemaVersion.V1_6)
    every = bill("timers")  # one document with what is in any of them: to judge each takes long
    every["components"] = list(
        {each["bom-ref"]: each for s in SERVICES for each in bill(s)["components"]}.values()
    )
    assert judge.validate_str(json.dumps(every)) is None
    every["components"] = [{**every["components"][0], "type": "liberry"}]
    assert judge.validate_str(json.dumps(every)) is not None


def test_it_is_the_same_each_time() -> None:
    """No time, no serial number, no path of the machine."""
    before = text("dealer")
    text.cache_clear()
    assert text("dealer") == before
    assert str(ROOT) not in before
