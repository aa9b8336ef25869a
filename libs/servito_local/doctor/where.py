"""Where the system is that is looked at: by the environment that its services are given, or a `servito up`.

Here: finding it. Changes with services.py and system.py of this package, which tell services the same things,
and with the file that `servito up` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from servito_local.addresses import read_addresses
from servito_local.history_file import HISTORY, history_url
from servito_local.layout import SERVICES
from servito_local.services import target

NAMING: Final = ("SERVITO_STATE_URL", "SERVITO_TABLE_TARGET")
"""Variables that say where a system is."""


class NoSystem(Exception):  # noqa: N818 - the word for it
    """Nothing says where a system is."""


@dataclass(frozen=True)
class Whereabouts:
    """`environment`: what its services are told, with secrets; `grpc`, `pages`: addresses by service."""

    environment: Mapping[str, str] = field(repr=False)
    grpc: Mapping[str, tuple[str, ...]]
    pages: Mapping[str, tuple[str, ...]]
    data: Path | None = None
    """Of a local system."""


def whereabouts(
    environment: Mapping[str, str],
    data: Path,
    grpc: Mapping[str, tuple[str, ...]],
    pages: Mapping[str, tuple[str, ...]],
) -> Whereabouts:
    """The environment's system if it names one, else the one that runs on `data`; NoSystem, ValueError (of
    addresses.py). What is given goes before what is found.
    """
    if any(environment.get(variable) for variable in NAMING):
        return Whereabouts(environment, grpc, pages)
    try:
        addresses = read_addresses(data)
    except FileNotFoundError:
        raise NoSystem from None
    parts = {service: [name for name in addresses if _service(name) == service] for service in SERVICES}
    told = {
        "SERVITO_STATE_URL": f"redis://{addresses['state']['redis']}/0",
        "SERVITO_BROKER_URL": f"redis://{addresses['broker']['redis']}/0",
    }
    if (data / HISTORY).exists():
        told["SERVITO_HISTORY_URL"] = history_url(data)
    for service in ("dealer", "evaluator", "table"):
        ports = [int(addresses[part]["grpc"].rpartition(":")[2]) for part in parts[service]]
        told[f"SERVITO_{service.upper()}_TARGET"] = target(ports)
    return Whereabouts(
        {**environment, **told},
        {**_of(addresses, parts, "grpc"), **grpc},
        {**_of(addresses, parts, "metrics"), **pages},
        data,
    )


def _of(
    addresses: Mapping[str, Mapping[str, str]], parts: Mapping[str, Iterable[str]], protocol: str
) -> dict[str, tuple[str, ...]]:
    return {service: tuple(addresses[part][protocol] for part in own) for service, own in parts.items()}


def _service(part: str) -> str:
    return part.partition("-")[0]
