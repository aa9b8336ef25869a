"""Channels to other services: round robin over replicas, keepalive, quick reconnection, deadlines.

A unary call without `timeout` gets the channel's, and none outlives the call that it serves: inside a
handler it gets what is left of the caller's time, less a margin for the answer. Streams get no deadline. A
call waits for a connection within its deadline instead of failing at once, so a restarted service costs its
callers time and no errors. Channels follow the health of every replica (`health.ACCEPTING`) and leave one
that is about to stop; a server without a health service counts as healthy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc
from grpc import aio

from servito_platform.grpc_deadline import remaining
from servito_platform.grpc_server import PING_EVERY_MS, PING_PATIENCE_MS
from servito_platform.health import ACCEPTING

_MARGIN: Final = 0.05

_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", PING_EVERY_MS),
    ("grpc.keepalive_timeout_ms", PING_PATIENCE_MS),
    ("grpc.http2.ping_timeout_ms", PING_PATIENCE_MS),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # Channels of one process to one address would otherwise share a connection, and replicas their fate.
    ("grpc.use_local_subchannel_pool", 1),
)


def open_channel(
    target: str,
    *,
    timeout: float | None,
    repeatable: Sequence[str] = (),
    interceptors: Sequence[aio.ClientInterceptor] = (),
    credentials: grpc.ChannelCredentials | None = None,
) -> aio.Channel:
    """A channel to `target` (HOST:PORT or dns:///NAME:PORT), in plain text without `credentials` (trust.py).

    `timeout`: seconds for a unary call that names none; None where every call names its own, and
    `wait_for_ready`, which spares it a quarter of what it costs. `repeatable`: full names of services all of
    whose methods may be sent again after UNAVAILABLE, because they only read or carry a request id.
    `interceptors`: the caller's own, asked first.
    """
    options = (*_OPTIONS, ("grpc.service_config", json.dumps(_service_config(repeatable))))
    around = interceptors if timeout is None else (*interceptors, _DeadlineInterceptor(timeout))
    if credentials is None:
        return aio.insecure_channel(target, options=options, interceptors=around)
    return aio.secure_channel(target, credentials, options=options, interceptors=around)


def open_blocking_channel(
    target: str, *, repeatable: Sequence[str] = (), credentials: grpc.ChannelCredentials | None = None
) -> grpc.Channel:
    """The same for threads; every call has to name its own `timeout` and `wait_for_ready`."""
    options = (*_OPTIONS, ("grpc.service_config", json.dumps(_service_config(repeatable))))
    if credentials is None:
        return grpc.insecure_channel(target, options=options)
    return grpc.secure_channel(target, credentials, options=options)


def _service_config(repeatable: Sequence[str]) -> dict[str, Any]:
    config: dict[str, Any] = {
        "loadBalancingConfig": [{"round_robin": {}}],
        "healthCheckConfig": {"serviceName": ACCEPTING},
    }
    if repeatable:
        config["methodConfig"] = [
            {
                "name": [{"service": service} for service in repeatable],
                "retryPolicy": {
                    "maxAttempts": 4,
                    "initialBackoff": "0.05s",
                    "maxBackoff": "0.5s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ]
        config["retryThrottling"] = {"maxTokens": 100, "tokenRatio": 0.1}
    return config


class _DeadlineInterceptor(aio.UnaryUnaryClientInterceptor):
    def __init__(self, timeout: float) -> None:
        self._timeout = timeout

    async def intercept_unary_unary(
        self,
        continuation: Callable[[aio.ClientCallDetails, Any], Any],
        client_call_details: aio.ClientCallDetails,
        request: Any,
    ) -> Any:
        details = client_call_details
        timeout = self._timeout if details.timeout is None else details.timeout
        left = remaining()
        if left is not None:
            timeout = min(timeout, max(left - _MARGIN, 0.0))
        wait = True if details.wait_for_ready is None else details.wait_for_ready
        return await continuation(
            aio.ClientCallDetails(details.method, timeout, details.metadata, details.credentials, wait),
            request,
        )
