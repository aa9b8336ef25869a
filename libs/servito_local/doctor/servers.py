"""The state server and the broker: whether they answer, what they are, and whether they keep what they hold.

`reached` finds the servers that write; the checks judge what these say of themselves (`Facts`). Which of it
is unsafe in itself is judged by the platform's rules, as at the start of a service.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    NoPermissionError,
    RedisClusterException,
    RedisError,
)

from servito_local.doctor.findings import Finding, Kind, Severity, error, warning
from servito_platform.clients import blocking_client, to_sentinels
from servito_platform.keys import Keys
from servito_platform.laid_out import read_mark
from servito_platform.place import Mode, Place
from servito_platform.safety.channels import judge_channels
from servito_platform.safety.facts import Facts, read_facts
from servito_platform.safety.names import Risk
from servito_platform.safety.servers import judge_server
from servito_platform.safety.servers_of import primaries

if TYPE_CHECKING:
    from servito_platform.settings import ServiceSettings

PATIENCE: Final = 2.0
"""Seconds that one server may take for one answer."""
SHORT: Final = 70
FULL: Final = 90
"""Percent of memory."""
NO_ANSWER: Final = (RedisError, RedisClusterException, OSError)
"""What a server that is away or unwell comes to."""
_NO_CLUSTER: Final = "Cluster mode is not enabled"
_LOCKED: Final = ("NOAUTH", "WRONGPASS", "NOPERM", "invalid username-password")


@dataclass(frozen=True)
class Reached:
    """What was found at an address."""

    servers: tuple[Facts, ...]
    """That write."""
    findings: tuple[Finding, ...]
    replicas: tuple[Facts, ...] = ()
    """Of them, where they answer: one of them may be next."""


def reached(place: Place, name: str) -> Reached:
    """Ask the servers at an address; `name` is what they are called: state server, broker."""
    facts: list[Facts] = []
    told: list[Mapping[str, str]] = []
    findings = list(_sentinels(place)) if place.mode is Mode.SENTINEL else []
    try:
        with primaries(place, PATIENCE) as servers:
            for address, client in servers:
                try:
                    facts.append(read_facts(client, address))
                    if place.mode is Mode.CLUSTER:
                        told.append(_cluster_info(client))
                except NO_ANSWER as wrong:
                    findings.append(_failure(wrong, f"{name} {address}"))
            findings += _cluster(told)
    except NO_ANSWER as wrong:
        if place.mode is Mode.CLUSTER and _NO_CLUSTER in str(wrong):
            findings.append(error(Kind.OTHER_KIND, server=name, wanted=place.mode.value, found="single"))
        else:
            findings.append(_failure(wrong, name))
    findings += [each for own in facts for each in _kind(own, place, name)]
    return Reached(tuple(facts), tuple(findings), tuple(_replicas(facts, place)))


def _replicas(facts: Sequence[Facts], place: Place) -> Iterator[Facts]:
    if place.mode is Mode.SINGLE:
        return
    for address in (replica.address for own in facts for replica in own.replicas):
        host, _, port = address.rpartition(":")
        url = place.node_url((host, int(port)))
        # One that is away is missed by its primary, who says so.
        with (
            suppress(*NO_ANSWER),
            redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE) as client,
        ):
            yield read_facts(client, address)


def _failure(wrong: Exception, server: str) -> Finding:
    told = str(wrong)
    if isinstance(wrong, BusyLoadingError):
        return warning(Kind.LOADING, server=server)
    if isinstance(wrong, AuthenticationError | NoPermissionError) or any(word in told for word in _LOCKED):
        return error(Kind.LOCKED_OUT, server=server, error=told.partition(" ")[0].rstrip(":"))
    return error(Kind.UNREACHABLE, server=server, error=type(wrong).__name__)


def _kind(facts: Facts, place: Place, name: str) -> Iterator[Finding]:
    """Whether it is what the address says, and may be written to."""
    server = f"{name} {facts.address}"
    found = "sentinel" if facts.role == "sentinel" else "cluster" if facts.clustered else "single"
    wanted = "cluster" if place.mode is Mode.CLUSTER else "single"
    if found != wanted:
        yield error(Kind.OTHER_KIND, server=server, wanted=place.mode.value, found=found)
    elif facts.role != "master":
        yield error(Kind.NOT_PRIMARY, server=server)
    if facts.loading:
        yield warning(Kind.LOADING, server=server)


def _sentinels(place: Place) -> Iterator[Finding]:
    """Those that do not answer, and whether the others could fail over."""
    away, judged = [], None
    for host, port in place.nodes:
        try:
            with redis.Redis(host, port, **to_sentinels(place, PATIENCE)) as sentinel:
                sentinel.ping()
                if judged is None:
                    judged = _quorum(sentinel, place.master)
        except NO_ANSWER:
            away.append(f"{host}:{port}")
    left = len(place.nodes) - len(away)
    for server in away:
        yield Finding(
            Kind.SENTINEL_AWAY,
            Severity.WARNING if 2 * left > len(place.nodes) else Severity.ERROR,
            {"server": server, "left": left, "all": len(place.nodes)},
        )
    if judged is not None:
        yield from judged


def _quorum(sentinel: redis.Redis, master: str) -> list[Finding]:
    try:
        sentinel.execute_command("SENTINEL", "CKQUORUM", master)
    except redis.ResponseError as wrong:
        return [error(Kind.NO_QUORUM, master=master, told=str(wrong))]
    return []


def _cluster(told: Sequence[Mapping[str, str]]) -> Iterator[Finding]:
    """By the worst that one of its servers knows: news takes its time among them."""
    slots = min((int(info["cluster_slots_ok"]) for info in told), default=REDIS_CLUSTER_HASH_SLOTS)
    state = next((info["cluster_state"] for info in told if info["cluster_state"] != "ok"), "ok")
    if state != "ok" or slots != REDIS_CLUSTER_HASH_SLOTS:
        yield error(Kind.CLUSTER_BROKEN, state=state, slots=slots)


def _cluster_info(client: redis.Redis) -> Mapping[str, str]:
    answer: Any = client.execute_command("CLUSTER", "INFO")  # read into a dict or not, by redis-py's version
    if isinstance(answer, dict):
        return {str(name): str(value) for name, value in answer.items()}
    return dict(line.split(":", 1) for line in answer.decode().split() if ":" in line)


def laid_out(settings: ServiceSettings) -> Iterator[Finding]:
    """Whether the state has the partitions of these settings, and lets their user use the wake-ups."""
    keys = Keys(settings.partitions)
    try:
        with blocking_client(settings.state, PATIENCE) as client:
            mark = read_mark(client)
        if mark is not None and mark != settings.partitions:
            yield error(Kind.PARTITIONS_OTHER, given=settings.partitions, found=mark)
        with primaries(settings.state, PATIENCE) as servers:
            for address, server in servers:
                for unsafe in judge_channels(server, keys, f"{STATE} {address}"):
                    yield Finding(
                        Kind.UNSAFE, Severity.ERROR, {"risk": unsafe.risk.value, "what": unsafe.what}
                    )
    except NO_ANSWER as wrong:
        yield _failure(wrong, STATE)


def keeping(facts: Facts, name: str, *, keeps: bool) -> Iterator[Finding]:
    """Version, eviction and files; a broker's messages may be lost, so its eviction costs time only."""
    server = f"{name} {facts.address}"
    for unsafe in judge_server(facts, server, keeps=keeps):
        mild = unsafe.risk is Risk.NOT_SYNCED or (unsafe.risk is Risk.EVICTION and not keeps)
        severity = Severity.WARNING if mild else Severity.ERROR
        yield Finding(Kind.UNSAFE, severity, {"risk": unsafe.risk.value, "what": server})
    if facts.append_failing:
        yield error(Kind.APPEND_FAILING, server=server)
    if facts.snapshot_failing:
        yield error(Kind.SNAPSHOT_FAILING, server=server)


def memory(facts: Facts, name: str) -> Iterator[Finding]:
    """How much is left, of the server's own bound or of the machine."""
    percent = round(100 * facts.used / facts.limit) if facts.limit else 0
    if percent >= SHORT:
        severity = Severity.ERROR if percent >= FULL else Severity.WARNING
        yield Finding(Kind.MEMORY_SHORT, severity, {"server": f"{name} {facts.address}", "percent": percent})


def clocks(servers: Sequence[tuple[str, Facts]]) -> Iterator[Finding]:
    """Each against this machine's, and the state servers against each other: a failover moves deadlines by
    that.
    """
    for name, facts in servers:
        apart = round(facts.clock_ahead, 3)
        if abs(apart) - facts.clock_doubt > _FROM_OURS:
            yield warning(Kind.CLOCK_WRONG, server=f"{name} {facts.address}", seconds=apart)
    state = sorted((facts for name, facts in servers if name == STATE), key=lambda own: own.clock_ahead)
    if len(state) > 1:
        first, last = state[0], state[-1]
        apart = round(last.clock_ahead - first.clock_ahead, 3)
        if apart - first.clock_doubt - last.clock_doubt > _FROM_EACH_OTHER:
            yield warning(Kind.CLOCKS_DIFFER, server=first.address, other=last.address, seconds=apart)


STATE: Final = "state server"
BROKER: Final = "broker"
_FROM_OURS: Final = 1.0
_FROM_EACH_OTHER: Final = 0.25
"""Seconds beyond what the way there may hide."""
