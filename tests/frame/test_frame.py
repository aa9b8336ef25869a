"""The frame: what is packaged, pinned and layered is what exists."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

Toml = dict[str, Any]
ROOT = Path(__file__).parents[2]
PACKAGES = {
    f"{root}/{path.parent.name}"
    for root in ("libs", "services")
    for path in (ROOT / root).glob("*/__init__.py")
}


@pytest.fixture(scope="module")
def project() -> Toml:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_wheel_holds_every_package(project: Toml) -> None:
    """A package of the tree is in the wheel under its own name, and so are the stubs."""
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    expected = PACKAGES | {"libs/servito_protos/servito"}
    assert set(wheel["only-include"]) == expected
    assert wheel["sources"] == {path: path.rpartition("/")[2] for path in expected}


def test_the_contracts_know_every_package() -> None:
    """A package that import-linter does not know would be held to nothing."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter")
    known = set(contracts["importlinter"]["root_packages"].split())
    assert known == {path.rpartition("/")[2] for path in PACKAGES}


@pytest.mark.parametrize(("pins", "group"), [("runtime.txt", "dependencies"), ("dev.txt", "dev")])
def test_every_dependency_is_pinned_without_an_address(project: Toml, pins: str, group: str) -> None:
    """The pins are versions alone, so that they hold wherever packages come from, and none is missing."""
    text = (ROOT / "deploy" / "requirements" / pins).read_text()
    assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links|@ ", text)
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert all(re.match(r"[a-z0-9._-]+(\[[a-z,]+\])?==[\w.]+( ;.*)?$", line) for line in lines)
    pinned = {re.split(r"[\[=]", line)[0] for line in lines}
    options = project["project"]["optional-dependencies"]
    asked = project["project"]["dependencies"] + (options["dev"] + options["test"] if group == "dev" else [])
    names = {re.split(r"[\[<>=]", requirement)[0] for requirement in asked} - {"servito"}
    assert names <= pinned


def test_one_version_of_a_package_everywhere() -> None:
    """What is tested is what is deployed: both files pin the same versions."""
    runtime, dev = (
        dict(
            re.findall(
                r"^([a-z0-9._-]+)==([\w.]+)", (ROOT / "deploy/requirements" / name).read_text(), re.MULTILINE
            )
        )
        for name in ("runtime.txt", "dev.txt")
    )
    assert runtime
    assert {name: dev.get(name) for name in runtime} == runtime
