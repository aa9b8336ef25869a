"""A local system with a replica of its state, an exporter, and a Prometheus that scrapes all of them by the
settings that Compose gives it: its addresses and its intervals alone are others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from servito_local.ports import Reservations
from servito_local.system import LocalSystem
from tests.modes.servers import Server
from tests.observability.expressions import ROOT, RULES
from tests.observability.programs import Exporter, Prometheus
from tests.system.background import Background

SETTINGS: Final = ROOT / "deploy/compose/prometheus.yml"
_INTERVAL: Final = "500ms"
ENVIRONMENT: Final = {"SERVITO_TIMERS_LOOK_SECONDS": "1", "SERVITO_STATE_REPLICAS": "1"}


@dataclass(frozen=True)
class Watched:
    """The system, and who watches it."""

    system: LocalSystem
    exporter: Exporter
    prometheus: Prometheus


@contextmanager
def watched(directory: Path) -> Iterator[Watched]:
    """Everything, until the end of the context."""
    with (
        Reservations() as ports,
        Background(LocalSystem(directory / "system", environment=ENVIRONMENT)) as background,
        closing(_replica(background.system, ports.reserve(), directory)),
        Exporter(ports.reserve(), directory / "exporter.log") as exporter,
    ):
        settings = _settings(directory, background.system, exporter)
        with Prometheus(ports.reserve(), settings) as prometheus:
            yield Watched(background.system, exporter, prometheus)


def _replica(system: LocalSystem, port: int, directory: Path) -> Server:
    primary = system.addresses()["state"]["redis"].replace(":", " ")
    return Server(port, directory / "replica", replicaof=primary)


def _settings(directory: Path, system: LocalSystem, exporter: Exporter) -> Path:
    """Compose's settings with the addresses of here; rules are looked at more often."""
    settings = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    settings["global"] |= {"scrape_interval": _INTERVAL, "scrape_timeout": _INTERVAL}
    settings["global"]["evaluation_interval"] = _INTERVAL
    for job in settings["scrape_configs"]:
        _here(job, system, exporter)
    (pattern,) = settings["rule_files"]
    rules = directory / "rules"
    settings["rule_files"] = [str(rules / Path(pattern).name)]
    rules.mkdir()
    for path in RULES:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for group in content["groups"]:
            group["interval"] = _INTERVAL
        (rules / path.name).write_text(yaml.safe_dump(content))
    written = directory / "prometheus.yml"
    written.write_text(yaml.safe_dump(settings))
    return written


def _here(job: dict[str, Any], system: LocalSystem, exporter: Exporter) -> None:
    addresses = system.addresses()
    service = job["job_name"].removeprefix("servito-")
    if "dns_sd_configs" in job:
        del job["dns_sd_configs"]
        pages = [part["metrics"] for name, part in addresses.items() if name.split("-")[0] == service]
        job["static_configs"] = [{"targets": pages}]
        return
    for each in job["static_configs"]:
        each["targets"] = [f"redis://{addresses[each['labels']['server']]['redis']}"]
    for relabel in job["relabel_configs"]:
        if "replacement" in relabel:
            relabel["replacement"] = exporter.address


def pages(system: LocalSystem, exporter: Exporter) -> list[str]:
    """Each kind of page, without `http://`, the exporter's of the state server among them."""
    addresses = system.addresses()
    found = [f"{part['metrics']}/metrics" for part in addresses.values() if "metrics" in part]
    return [*found, f"{exporter.address}/scrape?target=redis://{addresses['state']['redis']}"]
