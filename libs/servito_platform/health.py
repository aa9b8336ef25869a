"""Health of a service under the standard protocol grpc.health.v1.

The empty name is liveness: this process answers. The name of a gRPC service is readiness: it can do its
work, because what it depends on answers and it is not stopping. An outage of the state server must not
restart the whole fleet, so it touches readiness only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer

Check = Callable[[], Awaitable[object]]
"""Returns when a dependency answers, raises when it does not."""

_EVERY: Final = 1.0
_PATIENCE: Final = 1.0
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_Status = health_pb2.HealthCheckResponse


class Health:
    """What the health service says; `check` may be added by whoever knows a dependency."""

    def __init__(self) -> None:
        self._servicer = HealthServicer()
        self._services: tuple[str, ...] = ()
        self._checks: list[Check] = []
        self._ready: bool | None = None

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
                await self._servicer.set(service, _Status.SERVING if ready else _Status.NOT_SERVING)
        return ready

    async def drain(self) -> None:
        """NOT_SERVING from now on, whatever the dependencies say."""
        await self._servicer.enter_graceful_shutdown()

    async def _ask_all(self) -> list[BaseException]:
        asked = (asyncio.wait_for(check(), _PATIENCE) for check in self._checks)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return [answer for answer in answers if isinstance(answer, BaseException)]
