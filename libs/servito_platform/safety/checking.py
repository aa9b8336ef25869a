"""`python -m servito_<service> --check`: is what this environment says a configuration that could run?

Starts nothing and connects to nothing. Prints one line of JSON, {"name", "mode", "known": [variables],
"errors": [texts], "risks": [{"risk", "what"}], "accepted": [names]}, and ends with 0, or with 2 if the
service would not start. The doctor asks every service so: no library may know a service's own settings.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from servito_platform.safety.settings import Uses, judge_settings
from servito_platform.settings import ServiceSettings, SettingsError, load_settings
from servito_platform.trust import channel_credentials, server_credentials, verifier_of

CHECK: Final = "--check"
PREFIX: Final = "SERVITO_"


def wants_check(arguments: list[str]) -> bool:
    """Whether the command line asks for it; exit code 2 for any other argument."""
    if unknown := [argument for argument in arguments if argument != CHECK]:
        sys.stderr.write(
            f"there is no argument {unknown[0]!r}; allowed is {CHECK}, and settings are variables\n"
        )
        sys.exit(2)
    return CHECK in arguments


def checked(name: str, kind: type[ServiceSettings], uses: Uses) -> tuple[int, str]:
    """The exit code and the line."""
    told: dict[str, Any] = {
        "name": name,
        "mode": None,
        "known": sorted(f"{PREFIX}{field.upper()}" for field in kind.model_fields),
        "errors": [],
        "risks": [],
        "accepted": [],
    }
    try:
        settings = load_settings(kind)
        told |= _of(settings, uses)
        for needed in (verifier_of, server_credentials, channel_credentials):
            needed(settings)
    except SettingsError as error:
        told["errors"] = str(error).splitlines()
    unsafe = told["mode"] == "production" and any(
        risk["risk"] not in told["accepted"] for risk in told["risks"]
    )
    return 2 if told["errors"] or unsafe else 0, json.dumps(told)


def _of(settings: ServiceSettings, uses: Uses) -> Mapping[str, Any]:
    found = judge_settings(settings, uses)
    return {
        "mode": settings.mode,
        "risks": [{"risk": each.risk.value, "what": each.what} for each in found],
        "accepted": sorted(settings.risks),
    }
