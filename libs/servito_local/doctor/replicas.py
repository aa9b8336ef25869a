"""The replicas of the state: enough of them, close behind, and whether the primary insists on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from servito_local.doctor.findings import Finding, Kind, error, warning
from servito_platform.safety.facts import Facts

LATE: Final = 3
"""Seconds that a replica may be silent where the server names no bound; it says something every second."""
BEHIND: Final = 1_000_000
"""Bytes of changes that it may not have acknowledged yet."""


def replicas(facts: Facts, wanted: int) -> Iterator[Finding]:
    """Of one primary, of which `wanted` replicas must have money and seals before these count as done."""
    online = [replica for replica in facts.replicas if replica.online]
    if len(online) < wanted:
        yield error(Kind.REPLICAS_FEW, server=facts.address, wanted=wanted, found=len(online))
    elif len(online) > wanted > 0:
        # Sentinel may promote one that has not acknowledged: it goes by what it last heard of each.
        yield warning(Kind.REPLICAS_MORE, server=facts.address, wanted=wanted, found=len(online))
    heard = [replica for replica in online if replica.lag <= (facts.most_lag or LATE)]
    if len(heard) < (facts.least_replicas or 0):
        yield error(
            Kind.WRITES_REFUSED, server=facts.address, wanted=facts.least_replicas or 0, found=len(heard)
        )
    for replica in online:
        if replica.lag >= (facts.most_lag or LATE) or replica.behind > BEHIND:
            yield warning(
                Kind.REPLICA_BEHIND,
                server=facts.address,
                replica=replica.address,
                seconds=replica.lag,
                kilobytes=replica.behind // 1000,
            )
    if wanted and facts.least_replicas == 0:
        yield warning(Kind.REPLICAS_OPTIONAL, server=facts.address)
