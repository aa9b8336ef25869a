"""The doctor looks at a state under Sentinel and on a Cluster: well, and with parts of it away."""

from __future__ import annotations

import pytest

from servito_local.doctor.findings import Finding, Kind, Severity
from servito_local.doctor.replicas import replicas
from servito_local.doctor.servers import STATE, clocks, keeping, reached
from servito_platform.place import read_place
from tests.doctor.found import kinds
from tests.modes.servers import Cluster, Group
from tests.modes.until import until


def found(servers: Group | Cluster) -> list[Finding]:
    """What is found of it as the state."""
    seen = reached(read_place(servers.url), STATE)
    return [
        *seen.findings,
        *(each for own in seen.servers for each in keeping(own, STATE, keeps=True)),
        *(each for own in seen.servers for each in replicas(own, 1)),
        *clocks([(STATE, own) for own in [*seen.servers, *seen.replicas]]),
    ]


def test_servers_that_stand_in_for_each_other_are_well(servers: Group | Cluster) -> None:
    """Every primary and its replica is looked at; that it writes on without one is told."""
    seen = reached(read_place(servers.url), STATE)
    primaries = 1 if isinstance(servers, Group) else 3
    assert (len(seen.servers), len(seen.replicas)) == (primaries, primaries)
    assert kinds(found(servers)) == [Kind.REPLICAS_OPTIONAL] * primaries


@pytest.mark.all_failovers
def test_a_sentinel_that_is_away_is_found(servers: Group | Cluster) -> None:
    """One of three: the others can still decide. Two of three: nobody could take over."""
    if not isinstance(servers, Group):
        pytest.skip("a Cluster has none")
    first, second, _ = servers.sentinels
    first.kill()
    [away] = [each for each in found(servers) if each.kind is Kind.SENTINEL_AWAY]
    assert (away.severity, away.facts["left"]) == (Severity.WARNING, 2)
    second.kill()
    until(lambda: Kind.NO_QUORUM in kinds(found(servers)))
    assert {each.severity for each in found(servers) if each.kind is Kind.SENTINEL_AWAY} == {Severity.ERROR}
    second.start()
    first.start()
    until(servers.ready_to_fail_over)
    until(lambda: kinds(found(servers)) == [Kind.REPLICAS_OPTIONAL])


@pytest.mark.all_failovers
def test_a_replica_that_is_away_is_found(servers: Group | Cluster) -> None:
    """Money waits for one, and there is none."""
    replica = next(server for server in servers.servers if server.client.role()[0] == b"slave")
    replica.kill()
    until(lambda: Kind.REPLICAS_FEW in kinds(found(servers)))
    replica.start()
    until(servers.ready_to_fail_over)
    assert Kind.REPLICAS_FEW not in kinds(found(servers))


@pytest.mark.all_failovers
def test_a_part_of_a_cluster_that_nobody_serves_is_found(servers: Group | Cluster) -> None:
    """A primary and its replica are gone: so many slots are served, and the rest is looked at."""
    if not isinstance(servers, Cluster):
        pytest.skip("a group has no slots")
    gone = [servers.servers[2], servers.servers[5]]
    for server in gone:
        server.kill()
    until(lambda: Kind.CLUSTER_BROKEN in kinds(found(servers)))
    [broken] = [each for each in found(servers) if each.kind is Kind.CLUSTER_BROKEN]
    assert 10_000 < int(broken.facts["slots"]) < 11_000
    for server in gone:
        server.start()
    until(servers.ready_to_fail_over)
    until(lambda: Kind.CLUSTER_BROKEN not in kinds(found(servers)))
