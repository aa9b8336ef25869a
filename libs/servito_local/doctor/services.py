"""The services: whether each process answers, is ready, and runs what and as the others do.

Health is asked of every address behind a target, because a target hides the replicas that are away. The
metrics page says release, mode and the risks that a process was started with.
"""

from __future__ import annotations

import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from servito_local.doctor.findings import Check, Finding, Kind, Result, Severity, error, note, warning
from servito_local.layout import SERVICES
from servito_platform.metrics_page import Page, read_page
from servito_platform.safety.meters import BUILD, UNSAFE
from servito_platform.settings import SettingsError
from servito_platform.trust import channel_credentials

if TYPE_CHECKING:
    from servito_local.doctor.where import Whereabouts
    from servito_platform.settings import ServiceSettings

_PATIENCE: Final = 3.0
_READY: Final = {
    "dealer": "servito.dealer.v1.DealerService",
    "evaluator": "servito.evaluator.v1.EvaluatorService",
    "table": "servito.table.v1.TableService",
    "timers": "servito.sweeping",
}
"""What is asked for: readiness, by the name of the gRPC service; of the timers by a name of its own."""
_PLAIN: Final = frozenset({"timers"})
"""Services whose server tells nothing but health, always in plain text."""
_BROKER_GOOD: Final = "servito_broker_good"
_Status = health_pb2.HealthCheckResponse


def services(where: Whereabouts, settings: ServiceSettings) -> Result:
    """All of them."""
    targets, addresses = _targets(settings), addresses_of(where, settings)
    asked = [(name, address) for name, own in addresses.items() for address in own]
    findings: list[Finding] = [
        note(Kind.SERVICE_UNKNOWN, service=name) for name in SERVICES if not addresses[name]
    ]
    try:
        credentials = channel_credentials(settings)
    except SettingsError as wrong:
        findings.append(error(Kind.SETTING_WRONG, service="doctor", told=str(wrong)))
        credentials = None
    with ThreadPoolExecutor(8) as pool:
        health = pool.map(lambda each: _health(each[0], each[1], targets[each[0]], credentials), asked)
        pages = pool.map(lambda each: _page(*each), [(n, a) for n, own in where.pages.items() for a in own])
        for found in health:
            findings += found
        findings += _judged(list(pages))
    return Result(Check.SERVICES, tuple(findings), len(asked))


def addresses_of(where: Whereabouts, settings: ServiceSettings) -> dict[str, tuple[str, ...]]:
    """Of each service, the addresses of its processes as far as they were told."""
    # A default says where a service looks that was told nothing, not that there is a process.
    told = set() if where.grpc else settings.model_fields_set
    return {
        name: where.grpc.get(name) or (_spread(target) if f"{name}_target" in told else ())
        for name, target in _targets(settings).items()
    }


def channel_to(address: str, target: str, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    """To one of the processes behind a target; in plain text without credentials."""
    if credentials is None:
        return grpc.insecure_channel(address)
    return grpc.secure_channel(address, credentials, options=_certified_as(target))


def _targets(settings: ServiceSettings) -> dict[str, str]:
    return {name: getattr(settings, f"{name}_target", "") for name in SERVICES}


def _spread(target: str) -> tuple[str, ...]:
    """Every address behind a target: HOST:PORT, dns:///NAME:PORT, ipv4:HOST:PORT,HOST:PORT."""
    for scheme in ("dns:///", "ipv4:", "ipv6:"):
        target = target.removeprefix(scheme)
    found: list[str] = []
    for each in target.split(","):
        host, _, port = each.rpartition(":")
        try:
            infos = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except (OSError, ValueError):
            found.append(each)  # whoever asks there says what is wrong
            continue
        for family, *_, place in infos:
            ip = str(place[0])
            found.append(f"[{ip}]:{port}" if family == socket.AF_INET6 else f"{ip}:{port}")
    return tuple(dict.fromkeys(found))


def _health(
    name: str, address: str, target: str, credentials: grpc.ChannelCredentials | None
) -> list[Finding]:
    with channel_to(address, target, None if name in _PLAIN else credentials) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # its type says nothing of its methods
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(service=_READY[name]), timeout=_PATIENCE)
        except grpc.RpcError as wrong:
            code = cast("grpc.Call", wrong).code().name  # what a blocking call raises is the call itself
            return [error(Kind.SERVICE_UNREACHABLE, service=name, address=address, error=code)]
    if answer.status != _Status.SERVING:
        status = _Status.ServingStatus.Name(answer.status)
        return [error(Kind.SERVICE_UNWELL, service=name, address=address, status=status)]
    return []


def _certified_as(target: str) -> list[tuple[str, str]]:
    """The name that a process behind `target` has in its certificate, whatever its own address is."""
    name = target.rpartition("/")[2].rpartition(":")[0]
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return [("grpc.ssl_target_name_override", name)] if name and "," not in name else []
    return []


def _page(name: str, address: str) -> tuple[str, str, Page | None]:
    try:
        return name, address, read_page(address, _PATIENCE)
    except (OSError, ValueError):
        return name, address, None


def _judged(pages: list[tuple[str, str, Page | None]]) -> Iterator[Finding]:
    versions, modes, risks = defaultdict(set), defaultdict(set), defaultdict(set)
    for name, address, page in pages:
        if page is None:
            yield warning(Kind.PAGE_UNREADABLE, service=name, address=address)
            continue
        for version in page.by_label(BUILD, "version"):
            versions[version].add(name)
        for mode in page.by_label(BUILD, "mode"):
            modes[mode].add(name)
        for risk in page.by_label(UNSAFE, "risk"):
            risks[risk].add(name)
        if name == "timers" and page.total(_BROKER_GOOD) == 0:
            yield warning(Kind.AROUND_BROKER, service=address)
    if len(versions) > 1:
        yield warning(Kind.VERSIONS_DIFFER, versions=_told(versions))
    if len(modes) > 1:
        yield error(Kind.MODES_DIFFER, modes=_told(modes))
    for risk in sorted(risks) if "production" in modes else ():
        # They started, so it was accepted.
        yield Finding(
            Kind.RUNS_UNSAFE, Severity.NOTE, {"risk": risk, "services": ", ".join(sorted(risks[risk]))}
        )


def _told(by: Mapping[str, set[str]]) -> str:
    return "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in sorted(by.items()))
