"""The Compose file, read as it stands."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import yaml

from tests.deploy.manifests import ROOT

FOLDER: Final = ROOT / "deploy/compose"
_MADE: Final = ("secrets.env", "history.env")


@cache
def composed() -> dict[str, Any]:
    """All of it."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "docker-compose.yml").read_text())
    return found


def services(*profiles: str) -> dict[str, dict[str, Any]]:
    """Containers by name: those without a profile, or those of profiles alone."""
    found: dict[str, dict[str, Any]] = composed()["services"]
    return {
        name: each
        for name, each in found.items()
        if set(profiles) & set(each.get("profiles", [])) or not (profiles or each.get("profiles"))
    }


def image_of(name: str) -> str:
    """What a container runs when nobody says otherwise."""
    written: str = composed()["services"][name]["image"]
    return re.sub(r"\$\{\w+:-(.+?)\}", r"\1", written)


PROFILES: Final = ("observability",)
"""What may be added."""


def environment(name: str) -> dict[str, str]:
    """What a container is told, by files and beside them; without files that each machine makes."""
    told: dict[str, str] = {}
    files = composed()["services"][name].get("env_file", [])
    for file in [files] if isinstance(files, str) else files:
        if file not in _MADE:
            lines = (FOLDER / file).read_text().splitlines()
            told |= dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    beside: dict[str, str] = composed()["services"][name].get("environment", {})
    return told | beside
