"""The whole system as processes, with traces on and every line of the log kept."""

from __future__ import annotations

import base64
import json
import subprocess
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from servito_local.ports import Reservations
from tests.table.processes import service
from tests.timers.world import Server
from tests.tracing.collector import Collected, collecting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVICES = ("dealer", "evaluator", "table", "timers")


@dataclass
class House:
    """Where everything is. `tracer`: for clients, which send their spans to the same place."""

    collected: Collected
    state: Server
    provider: TracerProvider
    table: str = ""
    metrics: dict[str, str] = field(default_factory=dict)
    logs: dict[str, Path] = field(default_factory=dict)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def lines(self, service: str) -> list[dict[str, Any]]:
        """All that it has logged."""
        return [json.loads(line) for line in self.logs[service].read_text().splitlines() if line[:1] == "{"]


@contextmanager
def house(directory: Path, **settings: str) -> Iterator[House]:
    """State, broker and one process of each service. `settings`: beside those of the traces."""
    with ExitStack() as stack:
        collected = stack.enter_context(collecting())
        ports = stack.enter_context(Reservations())
        state, broker = (
            stack.enter_context(closing(Server(name, ports.reserve(), directory)))
            for name in ("state", "broker")
        )
        environment = {
            "SERVITO_STATE_URL": state.url,
            "SERVITO_BROKER_URL": broker.url,
            "SERVITO_DEALER_SEAL_KEYS": "test:" + base64.b64encode(bytes(range(32))).decode(),
            "SERVITO_LOG_LEVEL": "debug",
            **collected.settings,
            **settings,
        }
        provider = stack.enter_context(_clients(collected.address))
        found = House(collected, state, provider)
        for name in SERVICES:
            found.logs[name] = directory / f"{name}.log"
            running = stack.enter_context(service(name, environment, found.logs[name]))
            environment[f"SERVITO_{name.upper()}_TARGET"] = running.grpc
            found.metrics[name], found.processes[name] = running.metrics, running.process
        found.table = environment["SERVITO_TABLE_TARGET"]
        yield found


@contextmanager
def _clients(address: str) -> Iterator[TracerProvider]:
    """A program of somebody else that traces itself."""
    provider = TracerProvider(resource=Resource.create({"service.name": "client"}), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(endpoint=f"http://{address}")))
    try:
        yield provider
    finally:
        provider.shutdown()
