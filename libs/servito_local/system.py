"""The local system: state server, broker and all services as processes of this machine.

    async with LocalSystem(Path("data")) as system:
        print(system.target("table"))

Theory. Ports are reserved first and given to everybody, so that the services start together, as soon as the
servers answer, and come back at the same address when they die. Leaving the context stops timers, table,
dealer and evaluator, and then the servers. Should this process be killed, the keeper does the same. Changes
with services.py, which knows how a service is told its environment.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self

from servito_local.data_dir import DataDir
from servito_local.history_file import history_url
from servito_local.keeper import Keeper
from servito_local.layout import RANKS, SERVERS, SERVICES, Layout
from servito_local.part import Part
from servito_local.ports import HOST, Reservations
from servito_local.seal_key import dealer_keys, table_keys
from servito_local.servers import redis_url, server
from servito_local.services import service, target
from servito_local.stages import Stage, Stages
from servito_local.supervisor import Supervisor

if TYPE_CHECKING:
    from servito_local.usage import Usage

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
_NO_TEXT: Final[Mapping[str, str]] = MappingProxyType({})
_NO_OVERRIDES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({})
_KEEPER_GRACE: Final = 3.0
"""Seconds that each rank gets to stop by itself after this process was killed."""


class LocalSystem:
    """The whole system.

    `ports` and `replicas`: by the names of layout.py. `environment`: further variables for every service,
    `overrides` for one of them. `tell` is called with each stage of the start as it ends. Entering raises
    PartFailed, PortTaken, DataDirInUse or ValueError, each with a text for people, and leaves nothing
    behind.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        ports: Mapping[str, int] = _NOTHING,
        replicas: Mapping[str, int] = _NOTHING,
        environment: Mapping[str, str] = _NO_TEXT,
        overrides: Mapping[str, Mapping[str, str]] = _NO_OVERRIDES,
        tell: Callable[[Stage], None] | None = None,
    ) -> None:
        if unknown := sorted(set(overrides) - set(SERVICES)):
            raise ValueError(f"no such service: {', '.join(unknown)}; there are {', '.join(SERVICES)}")
        self._data_dir = data_dir
        self._wanted = ports
        self._replicas = replicas
        self._environment = environment
        self._overrides = overrides
        self.stages = Stages(tell)
        self.exit_codes: dict[str, int] = {}
        """Of each part, after leaving; 0 for one that stopped as it was asked to."""

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            data = stack.enter_context(DataDir(self._data_dir))
            reservations = stack.enter_context(Reservations())
            self._layout = Layout.of(self._replicas, self._wanted, reservations.reserve)
            keeper = Keeper(data.path / "keeper.log", grace=_KEEPER_GRACE, held=(data.lock,))
            stack.push_async_callback(asyncio.to_thread, keeper.close)
            self._supervisor = Supervisor(keeper)
            stack.push_async_callback(self._stop)
            with self.stages.stage("state server and broker"):
                await self._supervisor.start(*self._servers(data.path))
            with self.stages.stage("dealer, evaluator, table and timers"):
                await self._supervisor.start(*self._services(data.path))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def addresses(self) -> dict[str, dict[str, str]]:
        """Where each part is found: HOST:PORT by part and protocol (`redis`, `grpc`, `metrics`)."""
        ports = self._layout.ports
        found = {name: {"redis": f"{HOST}:{ports[name]}"} for name in SERVERS}
        for parts in self._layout.parts.values():
            for part in parts:
                found[part] = {
                    "grpc": f"{HOST}:{ports[part]}",
                    "metrics": f"{HOST}:{ports[f'{part}-metrics']}",
                }
        return found

    def target(self, service_name: str) -> str:
        """What a gRPC client of a service connects to: all its replicas."""
        return target(self._layout.grpc_ports(service_name))

    @property
    def state_url(self) -> str:
        """The state server, as a Redis client is told."""
        return redis_url(self._layout.ports["state"])

    @property
    def broker_url(self) -> str:
        """The broker, as a Redis client is told."""
        return redis_url(self._layout.ports["broker"])

    def pids(self) -> dict[str, int]:
        """Process ids of the parts that serve now."""
        return {name: running.process.pid for name, running in self._supervisor.running.items()}

    def usage(self) -> dict[str, Usage]:
        """CPU time and memory of the parts that serve now."""
        from servito_local.usage import usage

        return usage(self.pids())

    @property
    def restarts(self) -> Mapping[str, int]:
        """How often each part died and was started again."""
        return self._supervisor.restarts

    async def failed(self) -> None:
        """Returns never; raises PartFailed when a part dies again and again and was given up."""
        await self._supervisor.failed()

    def _servers(self, data: Path) -> list[Part]:
        return [
            server(name, port=self._layout.ports[name], directory=data / name, rank=RANKS[name])
            for name in SERVERS
        ]

    def _services(self, data: Path) -> list[Part]:
        everybody = {
            **os.environ,
            "SERVITO_STATE_URL": self.state_url,
            "SERVITO_BROKER_URL": self.broker_url,
            **{
                f"SERVITO_{name.upper()}_TARGET": self.target(name)
                for name in ("dealer", "evaluator", "table")
            },
            **self._environment,
        }
        own = {"dealer": dealer_keys(data), "table": table_keys(data)}
        if "SERVITO_HISTORY_URL" not in everybody:
            own["timers"] = {"SERVITO_HISTORY_URL": history_url(data)}
        return [
            service(
                part,
                f"servito_{name}",
                grpc_port=self._layout.ports[part],
                metrics_port=self._layout.ports[f"{part}-metrics"],
                environment={**everybody, **own.get(name, {}), **self._overrides.get(name, {})},
                log=data / f"{part}.log",
                rank=RANKS[name],
            )
            for name, parts in self._layout.parts.items()
            for part in parts
        ]

    async def _stop(self) -> None:
        self.exit_codes = await self._supervisor.stop()
