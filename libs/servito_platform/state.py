"""The quick connections to the state server, right for the way in which it is run.

The one place that chooses between single server, Sentinel and Cluster for lanes and ears; the clients of
redis.py choose for themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_platform.cluster_ear import ClusterEar
from servito_platform.cluster_lane import ClusterLane
from servito_platform.ear import Ear
from servito_platform.lane import Lane
from servito_platform.place import Mode, Place
from servito_platform.sentinel_ear import SentinelEar
from servito_platform.sentinel_lane import SentinelLane

if TYPE_CHECKING:
    from servito_platform.lane import Make


def new_lane(place: Place, seconds: float, make: Make | None = None) -> Lane:
    """A connection to where the state is; `seconds`: how long an answer may take; `make`: see Lane."""
    match place.mode:
        case Mode.SINGLE:
            return Lane(place.url, seconds, make)
        case Mode.SENTINEL:
            return SentinelLane(place, seconds, make)
        case Mode.CLUSTER:
            return ClusterLane(place, seconds, make)


def new_ear(place: Place, seconds: float) -> Ear:
    """What hears the wake-ups there; `seconds`: how long connecting may take."""
    match place.mode:
        case Mode.SINGLE:
            return Ear(place.url, seconds)
        case Mode.SENTINEL:
            return SentinelEar(place, seconds)
        case Mode.CLUSTER:
            return ClusterEar(place, seconds)
