"""Health of a service under the standard protocol grpc.health.v1.

The empty name is liveness: this process answers. The name of a gRPC service is readiness: it can do its
work, because what it depends on answers and it is not stopping. An outage of the state server must not
restart the whole fleet, so it touches readiness only. The servicer is our own: that of the package holds a
lock while it writes to a watcher, so who does not read holds up the drain, and it never ends a watch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

import grpc
import structlog
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

if TYPE_CHECKING:
    from servito_platform.grpc_handlers import Context

Check = Callable[[], Awaitable[object]]
"""Returns when a dependency answers, raises when it does not."""

ACCEPTING: Final = "servito.accepting"
"""SERVING until the drain, whatever the dependencies say: what our channels follow (grpc_channel.py), so that
they go to other replicas before this one takes no more calls.
"""
_EVERY: Final = 1.0
_PATIENCE: Final = 1.0
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_Status = health_pb2.HealthCheckResponse


class Health:
    """What the health service says; `check` may be added by whoever knows a dependency."""

    def __init__(self) -> None:
        self._servicer = _Servicer()
        self._services: tuple[str, ...] = ()
        self._checks: list[Check] = []
        self._ready: bool | None = None

    @property
    def followed(self) -> bool:
        """Whether a client of ours will learn of the drain by itself."""
        return self._servicer.followers > 0

    def serve_on(self, server: aio.Server) -> None:
        """Register the health service."""
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    def check(self, check: Check) -> None:
        """Make readiness depend on `check`, such as `client.ping` of the state server."""
        self._checks.append(check)

    async def watch(self, services: Sequence[str]) -> None:
        """Keep the readiness of `services` up to date until cancelled."""
        self._services = tuple(services)
        while True:
            await self.refresh()
            await asyncio.sleep(_EVERY)

    async def refresh(self) -> bool:
        """Ask every dependency now; whether the service is ready."""
        problems = [type(error).__name__ for error in await self._ask_all()]
        if self._ready != (ready := not problems):
            self._ready = ready
            _log.info("readiness", ready=ready, problems=problems)
            for service in self._services:
                self._servicer.set(service, _Status.SERVING if ready else _Status.NOT_SERVING)
        return ready

    def drain(self) -> None:
        """NOT_SERVING from now on, whatever the dependencies say; who watches is told so, and that is all."""
        self._servicer.end()

    async def _ask_all(self) -> list[BaseException]:
        asked = (asyncio.wait_for(check(), _PATIENCE) for check in self._checks)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return [answer for answer in answers if isinstance(answer, BaseException)]


class _Servicer(health_pb2_grpc.HealthServicer):
    """Check and Watch of the protocol."""

    def __init__(self) -> None:
        self._statuses: dict[str, int] = {"": _Status.SERVING, ACCEPTING: _Status.SERVING}
        self.followers = 0
        self._changed = asyncio.Event()
        self._ended = False

    def set(self, service: str, status: int) -> None:
        """What is said of a service from now on; nothing new after the end."""
        if not self._ended:
            self._statuses[service] = status
            self._tell()

    def end(self) -> None:
        """NOT_SERVING, and the end of every watch."""
        self._ended = True
        self._statuses = dict.fromkeys(self._statuses, _Status.NOT_SERVING)
        self._tell()

    async def Check(  # noqa: N802 - the protocol's name
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> health_pb2.HealthCheckResponse:
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service here")
        return _Status(status=status)

    async def Watch(  # noqa: N802 - the protocol's name
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> None:
        follows = request.service == ACCEPTING
        self.followers += follows
        try:
            await self._follow(request.service, context)
        finally:
            self.followers -= follows

    async def _follow(self, service: str, context: Context) -> None:
        said = None
        while True:
            changed, ended = self._changed, self._ended
            status = self._statuses.get(service, _Status.SERVICE_UNKNOWN)
            if status != said:
                await context.write(_Status(status=status))
            if ended:
                return
            said = status
            await changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
