"""The life of a service process: settings, logs, metrics, server, health, ready line, drain.

A service's `main` is `run_service("dealer", DealerSettings, assemble)`, where `assemble` is an async
context manager: it builds the adapters, adds its servicers to `service.server`, names them with
`service.serves(...)`, yields, and closes its connections afterwards. Not here: anything that one service
needs and another does not.

Once it serves, the process prints one line of JSON on stdout, {"event": "ready", "name": ..., "grpc":
HOST:PORT, "metrics": HOST:PORT, "pid": ...}; whoever supervises it reads the ports there. Exit codes: 0
after a drain, however it had to be ended, 2 when the settings or an address do not let it start.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic

import structlog
import uvloop
from grpc import aio
from prometheus_client import CollectorRegistry

from servito_platform.ages import Ages
from servito_platform.carrying import Carried
from servito_platform.collector import spare_the_collector
from servito_platform.drain import Drain
from servito_platform.grpc_handlers import Layers
from servito_platform.grpc_server import add_reflection, layered_server, listen, new_layers
from servito_platform.health import Health
from servito_platform.logs import configure_logs
from servito_platform.metrics import new_registry, serve_metrics
from servito_platform.safety.checking import checked, wants_check
from servito_platform.safety.meters import tell_configuration
from servito_platform.safety.settings import STORES, Uses
from servito_platform.safety.start import UnsafeStart, check_safety
from servito_platform.scheduling import work_in_batches
from servito_platform.settings import SettingsError, SettingsT, load_settings
from servito_platform.traced import trace_layer
from servito_platform.tracer import Traces
from servito_platform.trust import server_credentials, verifier_of

if TYPE_CHECKING:
    from servito_platform.tracing import Tracing

_LEAD_SECONDS = 0.3
_SHORT_LEAD_SECONDS = 0.1
_LEAD_SHARE = 0.1
"""How long, and for which part of the drain's time at most, a process still takes the calls of clients that
have just been told to go elsewhere: a server that stops cancels what they sent before they knew. The short
time, for what is on its way, is enough where nobody is told.
"""
_CALLS_SHARE = 0.8
"""Part of the drain's time that running calls and streams may take; the rest is for closing connections."""
_SPANS_SHARE = 0.1
"""And for sending what is left of traces."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass
class Service(Generic[SettingsT]):
    """What `assemble` is given to build a service with."""

    name: str
    settings: SettingsT
    registry: CollectorRegistry
    server: aio.Server
    layers: Layers
    ages: Ages
    tracing: Tracing | None = None
    """None where traces are off: then nothing is wrapped."""
    health: Health = field(default_factory=Health)
    drain: Drain = field(default_factory=Drain)
    _names: list[str] = field(default_factory=list)

    def serves(self, *full_names: str) -> None:
        """Name the gRPC services that were added to the server, such as "servito.table.v1.TableService"."""
        self._names.extend(full_names)

    def carries(self, carried: Carried) -> None:
        """Let these methods also be asked over a stream that carries many calls."""
        carried.serve_on(self.server)
        self.drain.on_drain(carried.farewell)

    @property
    def names(self) -> tuple[str, ...]:
        """The gRPC services of this process."""
        return tuple(self._names)


Assemble = Callable[[Service[SettingsT]], AbstractAsyncContextManager[None]]


def run_service(
    name: str,
    kind: type[SettingsT],
    assemble: Assemble[SettingsT],
    *,
    uses: Uses = STORES,
) -> None:
    """Run a service until it is told to stop; see the module. With `--check` only say whether it would."""
    settings, registry = settings_or_exit(name, kind, uses)
    work_in_batches()
    try:
        uvloop.run(_serve(name, settings, assemble, registry))
    except SettingsError as error:
        sys.exit(_refusal(name, str(error)))


def settings_or_exit(name: str, kind: type[SettingsT], uses: Uses) -> tuple[SettingsT, CollectorRegistry]:
    """Safe settings, with logs as they say and a registry that tells of them; or exit code 2 with every
    defect on stderr. With `--check` on the command line it ends here.
    """
    if wants_check(sys.argv[1:]):
        code, line = checked(name, kind, uses)
        sys.stdout.write(f"{line}\n")
        sys.exit(code)
    try:
        settings = load_settings(kind)
        configure_logs(name, settings)
        found = check_safety(settings, uses)
    except (SettingsError, UnsafeStart) as error:
        sys.exit(_refusal(name, str(error)))
    registry = new_registry()
    tell_configuration(registry, settings.mode, found)
    return settings, registry


def announce_ready(name: str, *, grpc: str | None, metrics: str | None) -> None:
    """Print the line that tells a supervisor that this process serves, and where."""
    line = {"event": "ready", "name": name, "grpc": grpc, "metrics": metrics, "pid": os.getpid()}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def _serve(
    name: str, settings: SettingsT, assemble: Assemble[SettingsT], registry: CollectorRegistry
) -> None:
    traces = Traces(name, settings, registry)
    traced = trace_layer(traces.tracing, follow_players=settings.follows_players)
    layers = new_layers(registry, verifier_of(settings), traced)
    ages = Ages(settings.connection_age_seconds)
    service = Service(name, settings, registry, layered_server(layers, ages), layers, ages, traces.tracing)
    service.drain.watch_signals(settings.drain_seconds)
    async with assemble(service), _endpoints(service) as (grpc_address, metrics_address):
        spare_the_collector()
        announce_ready(name, grpc=grpc_address, metrics=metrics_address)
        await service.drain.wait()
        await _drain(service)
    traces.close(settings.drain_seconds * _SPANS_SHARE)
    _log.info("stopped")


@asynccontextmanager
async def _endpoints(service: Service[SettingsT]) -> AsyncIterator[tuple[str, str]]:
    """The addresses of gRPC and metrics, both answering; afterwards both closed."""
    settings, server = service.settings, service.server
    service.health.serve_on(server)
    if settings.reflects:
        add_reflection(server, service.names)
    with _naming("SERVITO_GRPC_BIND"):
        grpc_address = listen(server, settings.grpc_bind, server_credentials(settings))
    with _naming("SERVITO_METRICS_BIND"):
        page = serve_metrics(service.registry, settings.metrics_bind)
    probes = await _probes(service)
    readiness = asyncio.create_task(service.health.watch(service.names))
    try:
        await server.start()
        yield grpc_address, page.address
    finally:
        readiness.cancel()
        with suppress(asyncio.CancelledError):
            await readiness
        await server.stop(0)
        if probes is not None:
            await probes.stop(0)
        page.close()


async def _probes(service: Service[SettingsT]) -> aio.Server | None:
    """Health alone, in plain text, where that is wished for: probes speak no TLS (PITFALLS G14)."""
    bind = service.settings.health_bind
    if bind is None:
        return None
    server = aio.server()
    service.health.serve_on(server)
    with _naming("SERVITO_HEALTH_BIND"):
        listen(server, bind)
    await server.start()
    return server


async def _drain(service: Service[SettingsT]) -> None:
    seconds = service.settings.drain_seconds
    _log.info("draining", seconds=seconds)
    lead = _LEAD_SECONDS if service.health.followed else _SHORT_LEAD_SECONDS
    service.health.drain()
    await service.drain.unless_hurried(asyncio.sleep(min(lead, seconds * _LEAD_SHARE)))
    # The server first: clients have to know that no new stream is welcome here before their old one ends.
    calls = seconds * _CALLS_SHARE
    ending = asyncio.gather(service.server.stop(calls), service.drain.say_farewell(calls))
    await service.drain.unless_hurried(ending)


@contextmanager
def _naming(variable: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SettingsError(f"{variable}: {error}") from error


def _refusal(name: str, text: str) -> int:
    sys.stderr.write(f"{name} cannot start:\n  " + text.replace("\n", "\n  ") + "\n")
    return 2
