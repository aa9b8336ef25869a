"""Health of the worker under grpc.health.v1, as the other services have it.

A Celery worker can look alive and do nothing (PITFALLS C7), so liveness here is that the sweep is tried again
and again, and readiness (`servito.sweeping`) that the state server answers it. An outage of the state server
must not fail liveness (G14): what Kubernetes has ended often it lets wait for minutes, and no turn would end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SWEEPING: Final = "servito.sweeping"
"""The name by which readiness is asked for."""
_Status = health_pb2.HealthCheckResponse


class HealthServer:
    """Answers `Check` at HOST:PORT (0: a free port): of the empty name by what `lively` says, of SWEEPING by
    what `sweeping` says. OSError: it is taken.
    """

    def __init__(self, bind: str, *, lively: Callable[[], bool], sweeping: Callable[[], bool]) -> None:
        self._server = grpc.server(ThreadPoolExecutor(1), options=(("grpc.so_reuseport", 0),))
        health_pb2_grpc.add_HealthServicer_to_server(_Health({"": lively, SWEEPING: sweeping}), self._server)
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
    def __init__(self, answers: Mapping[str, Callable[[], bool]]) -> None:
        self._answers = answers

    def Check(  # noqa: N802 - the protocol's name
        self, request: health_pb2.HealthCheckRequest, context: grpc.ServicerContext
    ) -> health_pb2.HealthCheckResponse:
        """By name; NOT_FOUND for another one."""
        well = self._answers.get(request.service)
        if well is None:
            context.abort(grpc.StatusCode.NOT_FOUND, f"ask for the empty service name or {SWEEPING}")
        return _Status(status=_Status.SERVING if well() else _Status.NOT_SERVING)
