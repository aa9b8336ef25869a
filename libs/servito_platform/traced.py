"""Plumbing with spans around it where traces are on, and the same plumbing where they are off.

The one place that decides that: without a `Tracing` nothing is wrapped, nothing of OpenTelemetry imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from servito_platform.carrier import Carrier

if TYPE_CHECKING:
    from grpc import aio

    from servito_platform.firm import FirmLane
    from servito_platform.grpc_handlers import Layer
    from servito_platform.lane import Lane
    from servito_platform.own_token import Metadata
    from servito_platform.tracing import Tracing


def traced_lane(lane: Lane, tracing: Tracing | None) -> Lane:
    """What asks the state server."""
    if tracing is None:
        return lane
    from servito_platform.traced_lane import TracedLane

    return TracedLane(lane, tracing)


def traced_firm_lane(firm: FirmLane | None, tracing: Tracing | None) -> FirmLane | None:
    """What asks it and its replicas."""
    if tracing is None or firm is None:
        return firm
    from servito_platform.traced_lane import TracedFirmLane

    return TracedFirmLane(firm, tracing)


def traced_carrier(
    channel: aio.Channel, tracing: Tracing | None, *, timeout: float, metadata: Callable[[], Metadata]
) -> Carrier:
    """What asks another service."""
    if tracing is None:
        return Carrier(channel, timeout=timeout, metadata=metadata)
    from servito_platform.traced_carrier import TracedCarrier

    return TracedCarrier(channel, tracing, timeout=timeout, metadata=metadata)


def trace_layer(tracing: Tracing | None, *, follow_players: bool) -> Layer | None:
    """What is around every call of a server."""
    if tracing is None:
        return None
    from servito_platform.trace_layer import Entrance, TraceLayer

    return TraceLayer(Entrance(tracing, follow_players=follow_players))
