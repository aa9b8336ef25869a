"""The gRPC server that every service uses: keepalive, identity, errors, metrics, health, reflection.

Here: how a server is made. Not here: when it starts and stops (process.py). The keepalive numbers belong
together with those of grpc_channel.py: a client that pings more often than the server allows is sent away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import grpc
from grpc import aio
from grpc_health.v1 import health
from grpc_reflection.v1alpha import reflection
from prometheus_client import CollectorRegistry

from servito_platform.ages import Ages
from servito_platform.caller import CallerLayer, ExpiryLayer, Verifier
from servito_platform.grpc_errors import ErrorLayer
from servito_platform.grpc_handlers import Layer, Layers
from servito_platform.grpc_logs import LogLayer
from servito_platform.grpc_metrics import MetricsLayer

PING_EVERY_MS: Final = 10_000
PING_PATIENCE_MS: Final = 5_000

_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", PING_EVERY_MS),
    ("grpc.keepalive_timeout_ms", PING_PATIENCE_MS),
    # Without this one a frozen peer is noticed after a minute, whatever the two above say.
    ("grpc.http2.ping_timeout_ms", PING_PATIENCE_MS),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", PING_PATIENCE_MS),
    # Two servers on one port would share its calls in silence.
    ("grpc.so_reuseport", 0),
)


def new_layers(registry: CollectorRegistry, verify: Verifier, traced: Layer | None = None) -> Layers:
    """What is around every method of a process; `verify` turns `authorization` into the caller, `traced` is
    a TraceLayer where traces are on.
    """
    metrics = MetricsLayer(registry)
    traces = () if traced is None else (traced,)
    return Layers(
        metrics,
        CallerLayer(verify),
        *traces,
        LogLayer(),
        ErrorLayer(),
        ExpiryLayer(),
        on_unknown=metrics.count_unknown,
    )


class LayeredServer(aio.Server):
    """`bare`, each of whose methods has `layers` around it, which it has to be made with."""

    def __init__(self, bare: aio.Server, layers: Layers) -> None:
        self._bare = bare
        self._layers = layers

    def add_generic_rpc_handlers(self, generic_rpc_handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """See aio.Server, here and below."""
        self._layers.add(generic_rpc_handlers)

    def add_registered_method_handlers(self, service_name: str, method_handlers: Mapping[str, Any]) -> None:
        """Nothing: generated code has added these methods as generic ones too. gRPC would wait for calls of
        each registered one apart, and begin all these waits anew with every call that comes.
        """

    def add_insecure_port(self, address: str) -> int:
        """One in plain text."""
        return self._bare.add_insecure_port(address)

    def add_secure_port(self, address: str, server_credentials: grpc.ServerCredentials) -> int:
        """One with TLS."""
        return self._bare.add_secure_port(address, server_credentials)

    async def start(self) -> None:
        """Take calls from now on."""
        await self._bare.start()

    async def stop(self, grace: float | None) -> None:
        """Take none any more; cancel those that run still after `grace` seconds."""
        await self._bare.stop(grace)

    async def wait_for_termination(self, timeout: float | None = None) -> bool:
        """Until it is stopped; whether it is not after so many seconds."""
        return await self._bare.wait_for_termination(timeout)


def layered_server(layers: Layers, ages: Ages | None = None) -> aio.Server:
    """A server without services and ports, each of whose methods will have these layers; without `ages`
    connections live for as long as their clients wish.
    """
    options = (*_OPTIONS, *ages.options()) if ages else _OPTIONS
    return LayeredServer(aio.server(handlers=(layers,), options=options), layers)


def new_server(registry: CollectorRegistry, verify: Verifier) -> aio.Server:
    """A server with the layers of `new_layers`."""
    return layered_server(new_layers(registry, verify))


def listen(server: aio.Server, bind: str, credentials: grpc.ServerCredentials | None = None) -> str:
    """Open HOST:PORT (0: a free port), in plain text without credentials (tls.py); returns its address.
    OSError: it is taken.
    """
    host = bind.rpartition(":")[0]
    try:
        if credentials is None:
            port = server.add_insecure_port(bind)
        else:
            port = server.add_secure_port(bind, credentials)
    except RuntimeError as error:
        raise OSError(f"cannot listen on {bind}") from error
    return f"{host}:{port}"


def add_reflection(server: aio.Server, services: Sequence[str]) -> None:
    """Let tools such as `buf curl` ask what the server speaks."""
    names = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
