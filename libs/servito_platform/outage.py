"""What counts as an outage: for how long nobody swept the deadlines of a partition.

The sweepers' claims note it (claim.lua), and the table's commit looks at it before it ends a player's clock
(its commit.lua), so both services are told the same. Not here: what a player gets for it, which is the
table's.
"""

from __future__ import annotations

from pydantic import Field

from servito_platform.settings import ServiceSettings


class OutageSettings(ServiceSettings):
    """Settings of the services that take part in deadlines. Times are seconds."""

    outage_seconds: float = Field(default=2.0, ge=1.5, le=60)
    """After so long without a sweep it is assumed that players could not act: clocks that ran through it get
    their time again. A sweep is noted once a second, so it cannot be much shorter; a part that is killed and
    comes back within two seconds stops nobody, a failover takes longer.
    """

    @property
    def outage_ms(self) -> int:
        """The same in milliseconds."""
        return round(self.outage_seconds * 1000)
