"""`servito doctor`: finds the system, lets it be examined, prints the report; the exit code."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from servito_cli.console import complain, output
from servito_cli.doctor.show import as_json, show
from servito_cli.texts import TEXTS, Language
from servito_local.doctor.examine import examine
from servito_local.doctor.findings import Severity
from servito_local.doctor.where import NoSystem, Whereabouts, whereabouts
from servito_local.layout import SERVICES

NOWHERE: Final = 3
"""Exit code when it is not known which system is meant, or an argument cannot be used."""


def run_doctor(
    data: Path,
    services: Iterable[str],
    metrics: Iterable[str],
    patience: float,
    language: Language,
    *,
    json: bool,
) -> int:
    """Looks at everything; 0 well, 1 to be looked at, 2 wrong, 3 nothing was looked at. `services` and
    `metrics` are `NAME=HOST:PORT` each.
    """
    try:
        where = _where(data, _addresses(services), _addresses(metrics))
    except ValueError as unusable:
        complain(str(unusable))
        return NOWHERE
    report = examine(where, patience=patience)
    texts, console = TEXTS[language].doctor, output()
    if json:
        console.print(as_json(report, texts), markup=False)
    else:
        show(report, texts, console)
    return {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}[report.worst]


def _where(
    data: Path, services: Mapping[str, tuple[str, ...]], metrics: Mapping[str, tuple[str, ...]]
) -> Whereabouts:
    try:
        return whereabouts(os.environ, data, services, metrics)
    except NoSystem:
        raise ValueError(
            "no system is known: give the environment that its services have (SERVITO_STATE_URL, "
            f"SERVITO_TABLE_TARGET ...), or run `servito up` here; nothing is told in {data}"
        ) from None


def _addresses(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for word in words:
        name, equals, address = word.partition("=")
        if name not in SERVICES or not equals or not address.rpartition(":")[2].isdecimal():
            raise ValueError(f"{word!r} must be NAME=HOST:PORT with a name of {', '.join(SERVICES)}")
        found[name] = (*found.get(name, ()), address)
    return found
