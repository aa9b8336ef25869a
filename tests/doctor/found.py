"""What tests of the doctor ask: the findings of a look, by kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from servito_local.doctor.examine import look
from servito_local.doctor.findings import Check, Finding, Kind, Result
from servito_local.doctor.where import Whereabouts, whereabouts
from servito_local.history_file import history_url
from servito_local.system import LocalSystem
from servito_platform.settings import ServiceSettings, load_settings_from
from tests.modes.until import until


def where_of(system: LocalSystem) -> Whereabouts:
    """A local system, as its services are told."""
    addresses = system.addresses()
    environment = {
        "SERVITO_STATE_URL": system.state_url,
        "SERVITO_BROKER_URL": system.broker_url,
        "SERVITO_HISTORY_URL": history_url(system._data_dir),
        "SERVITO_TABLE_TARGET": system.target("table"),
        "SERVITO_DEALER_TARGET": system.target("dealer"),
        "SERVITO_EVALUATOR_TARGET": system.target("evaluator"),
    }
    services = ("dealer", "evaluator", "table", "timers")
    return whereabouts(
        environment,
        system._data_dir,
        {name: (addresses[name]["grpc"],) for name in services},
        {name: (addresses[name]["metrics"],) for name in services},
    )


def looked(where: Whereabouts, patience: float = 10.0) -> dict[Check, Result]:
    """Everything but the settings, by check."""
    settings = load_settings_from(ServiceSettings, where.environment)
    return {result.check: result for result in look(where, settings, patience)}


LATE = frozenset({Kind.OVERDUE, Kind.SWEEP_OLD, Kind.TABLE_STUCK})
"""What is rightly found of a machine that stood still for a second."""


def looked_in_time(where: Whereabouts) -> dict[Check, Result]:
    """The same, once nothing is late: for tests in which nobody is held up."""
    seen: list[dict[Check, Result]] = []

    def in_time() -> bool:
        seen.append(looked(where))
        return LATE.isdisjoint(kinds(findings(seen[-1])))

    until(in_time)
    return seen[-1]


def findings(results: Mapping[Check, Result]) -> list[Finding]:
    """All of them, without notes of an outage that a test made."""
    return [
        finding
        for result in results.values()
        for finding in result.findings
        if finding.kind is not Kind.OUTAGE
    ]


def kinds(found: Iterable[Finding]) -> list[Kind]:
    """Their kinds, in order."""
    return [finding.kind for finding in found]


def stuck_tables(found: Iterable[Finding]) -> list[object]:
    """The tables that stand still."""
    return [finding.facts["table"] for finding in found if finding.kind is Kind.TABLE_STUCK]
