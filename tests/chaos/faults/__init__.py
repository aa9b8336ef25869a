"""Every kind of fault, each a small function with a name. Importing this package registers all of them."""

from __future__ import annotations

from tests.chaos.faults import deliveries, network, outage, processes, servers
from tests.chaos.faults.kind import KINDS, Kind

__all__ = ["KINDS", "Kind", "deliveries", "network", "outage", "processes", "servers"]
