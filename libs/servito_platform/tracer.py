"""From settings to spans that are sent away; nothing of OpenTelemetry is imported where traces are off."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from servito_platform.trace_meters import SpanCounts

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from servito_platform.settings import ServiceSettings
    from servito_platform.tracing import Tracing


class Traces:
    """The spans of one process: `tracing`, None where traces are off. To be closed at its end."""

    def __init__(self, name: str, settings: ServiceSettings, registry: CollectorRegistry) -> None:
        counts = SpanCounts(registry)
        self.tracing: Tracing | None = None
        self._close: Callable[[float], None] | None = None
        if settings.traces_endpoint is not None:
            self.tracing, self._close = _started(name, settings, counts)

    def close(self, seconds: float) -> None:
        """Send what waits, for `seconds` at most; blocks for as long."""
        if self._close is not None:
            self._close(seconds)


def _started(
    name: str, settings: ServiceSettings, counts: SpanCounts
) -> tuple[Tracing, Callable[[float], None]]:
    import grpc
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ALWAYS_ON

    from servito_platform.trace_export import EXPORT_SECONDS, SpanQueue, quiet_exporter
    from servito_platform.tracing import Tracing

    quiet_exporter()
    trusted = settings.traces_ca_file
    queue = SpanQueue(
        OTLPSpanExporter(
            endpoint=settings.traces_endpoint,
            credentials=None if trusted is None else grpc.ssl_channel_credentials(trusted.read_bytes()),
            timeout=EXPORT_SECONDS,
        ),
        counts,
    )
    resource = Resource.create(
        {
            "service.namespace": "servito",
            "service.name": f"servito-{name}",
            "service.version": _version(),
            "service.instance.id": f"{socket.gethostname()}-{os.getpid()}",
        }
    )
    provider = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False)  # Tracing decides what is recorded
    provider.add_span_processor(queue)
    return Tracing(provider, settings.traces_ratio), queue.close


def _version() -> str:
    try:
        return version("servito")
    except PackageNotFoundError:  # run from a folder of sources
        return "unknown"
