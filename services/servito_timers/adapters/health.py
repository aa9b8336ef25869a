"""Health of the worker under grpc.health.v1, as the other services have it.

Liveness here is the age of the last sweep: a Celery worker can look alive and do nothing (PITFALLS C7), and a
worker holds nothing that a restart would lose. So an outage of the state server fails it too, which costs
a restart of a process that could do nothing anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_Status = health_pb2.HealthCheckResponse


class HealthServer:
    """Answers `Check` at HOST:PORT (0: a free port) by what `lively` says; OSError: it is taken."""

    def __init__(self, bind: str, lively: Callable[[], bool]) -> None:
        self._server = grpc.server(ThreadPoolExecutor(1), options=(("grpc.so_reuseport", 0),))
        health_pb2_grpc.add_HealthServicer_to_server(_Health(lively), self._server)
        try:
            port = self._server.add_insecure_port(bind)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {bind}") from error
        self.address = f"{bind.rpartition(':')[0]}:{port}"
        self._server.start()

    def close(self) -> None:
        """Stop answering."""
        self._server.stop(0).wait()


class _Health(health_pb2_grpc.HealthServicer):
    def __init__(self, lively: Callable[[], bool]) -> None:
        self._lively = lively

    def Check(  # noqa: N802 - the protocol's name
        self, request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext
    ) -> health_pb2.HealthCheckResponse:
        """The worker is one thing: only the empty service name is known."""
        if request.service:
            context.abort(grpc.StatusCode.NOT_FOUND, "ask for the empty service name")
        return _Status(status=_Status.SERVING if self._lively() else _Status.NOT_SERVING)
