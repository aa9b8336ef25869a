"""A registry of its own for every service, and the page where Prometheus reads it.

Names: prefix servito_ (RPCs: grpc_server_), base units, `_total` for counters. Labels come from closed
sets; never a table, hand or player.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)

from servito_platform.settings import split_address


def new_registry() -> CollectorRegistry:
    """A registry that already tells CPU, memory, open files and garbage collection of this process."""
    disable_created_metrics()  # a second series for each, which nobody reads
    registry = CollectorRegistry(auto_describe=True)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


@dataclass(frozen=True)
class MetricsPage:
    """`http://<address>/metrics`, served by a thread until it is closed."""

    address: str
    _server: WSGIServer
    _thread: Thread

    def close(self) -> None:
        """Stop serving and give the port back."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def serve_metrics(registry: CollectorRegistry, bind: str) -> MetricsPage:
    """Serve `registry` on HOST:PORT (0: a free port); OSError when the address is taken."""
    host, port = split_address(bind)
    server, thread = start_http_server(port, host, registry)
    return MetricsPage(f"{host}:{server.server_port}", server, thread)
