"""The settings: what each service says of the environment, and what no service knows in it.

The services are asked as programs. What only one of them may be given (keys) need not be in the
doctor's environment, and a token that is not given here is not judged: the running services judged theirs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from servito_local.doctor.findings import Check, Finding, Kind, Result, Severity, error, note, warning
from servito_local.doctor.where import Whereabouts
from servito_local.layout import SERVICES
from servito_local.seal_key import SEAL_KEY, TABLE_KEY, dealer_keys, table_keys
from servito_platform.safety.checking import CHECK, PREFIX
from servito_platform.safety.names import Risk

_PATIENCE: Final = 30.0
_OF_THE_COMMAND: Final = {"SERVITO_TOKEN_FILE"}
"""Who calls the `servito` command; no service knows it."""
_ALIKE: Final = 0.75
_MISSING: Final = "Field required"
_NEEDED: Final = re.compile(r"(SERVITO_\w+) is needed in production mode")


class Asking:
    """The services' programs, started at once and read later: each takes its time to start."""

    def __init__(self, where: Whereabouts) -> None:
        self._environment = where.environment
        own: dict[str, dict[str, str]] = {}
        if where.data is not None:
            if (where.data / SEAL_KEY).exists():
                own["dealer"] = dealer_keys(where.data)
            if (where.data / TABLE_KEY).exists():
                own["table"] = table_keys(where.data)
        self._programs = {
            service: subprocess.Popen(
                [sys.executable, "-m", f"servito_{service}", CHECK],
                env={**where.environment, **own.get(service, {})},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for service in SERVICES
        }

    def result(self) -> Result:
        """What they said."""
        told: dict[str, dict[str, Any]] = {}
        findings: list[Finding] = []
        for service, program in self._programs.items():
            try:
                out, err = program.communicate(timeout=_PATIENCE)
            except subprocess.TimeoutExpired:
                program.kill()
                out, err = program.communicate()[0], b"no answer"
            try:
                told[service] = json.loads(out)
            except ValueError:
                last = err.decode(errors="replace").strip().rpartition("\n")[2]
                findings.append(error(Kind.SETTING_WRONG, service=service, told=last))
        findings += [
            *_wrong(told, self._environment),
            *_unsafe(told, self._environment),
            *_unknown(told, self._environment),
        ]
        return Result(Check.SETTINGS, tuple(findings), len(told))


def _wrong(told: Mapping[str, dict[str, Any]], environment: Mapping[str, str]) -> Iterator[Finding]:
    """A defect that several services see is one; what one of them alone may be given is not missing here."""
    seen = set()
    for service, said in told.items():
        for text in said["errors"]:
            variable, _, what = text.partition(": ")
            needed = [variable] if what == _MISSING else _NEEDED.findall(text)
            if needed and environment.keys().isdisjoint(needed):
                for each in needed:
                    yield note(Kind.SETTING_ELSEWHERE, service=service, variable=each)
            elif text not in seen:
                seen.add(text)
                yield error(Kind.SETTING_WRONG, service=service, told=text)


def _unsafe(told: Mapping[str, dict[str, Any]], environment: Mapping[str, str]) -> Iterator[Finding]:
    """In production each by itself; in development, where all of it is as it should be, in one note."""
    expected, seen = set(), set()
    for said in told.values():
        for each in said["risks"]:
            risk, what = each["risk"], each["what"]
            if said["mode"] != "production":
                expected.add(risk)
            elif (risk, what) not in seen and not _elsewhere(risk, what, environment):
                seen.add((risk, what))
                severity = Severity.NOTE if risk in said["accepted"] else Severity.ERROR
                yield Finding(Kind.UNSAFE, severity, {"risk": risk, "what": what})
    if expected:
        yield note(Kind.DEVELOPMENT, risks=", ".join(sorted(expected)))


def _elsewhere(risk: str, what: str, environment: Mapping[str, str]) -> bool:
    """Whether it is about something that only its service may have been given."""
    return risk == Risk.NO_HISTORY or (risk == Risk.OWN_DEV_TOKEN and what not in environment)


def _unknown(told: Mapping[str, dict[str, Any]], environment: Mapping[str, str]) -> Iterator[Finding]:
    known = sorted({variable for said in told.values() for variable in said["known"]} | _OF_THE_COMMAND)
    if len(told) < len(SERVICES):  # a service that did not answer may know what the others do not
        return
    for variable in sorted(environment):
        if variable.upper().startswith(PREFIX) and variable.upper() not in known:
            # Without what they all begin with, or everything would be alike.
            names = [each.removeprefix(PREFIX) for each in known]
            near = get_close_matches(variable.upper().removeprefix(PREFIX), names, n=1, cutoff=_ALIKE)
            if near:
                yield warning(Kind.SETTING_MISSPELT, variable=variable, meant=f"{PREFIX}{near[0]}")
            else:
                yield warning(Kind.SETTING_UNKNOWN, variable=variable)
