"""The system that chaos is made in: every service twice, its servers, and a way that can be harmed between
each two of them.

Theory. Parts are supervised as `servito up` does it, so whatever is killed comes back at its address. The
state is run in one of the three modes. Ways go from players to table, from table to dealer and evaluator,
from timers to table, and on a single server from table to state: what Sentinels and Clusters answer are
addresses of the servers themselves, so there connections are ended at the servers. Not here: what is done
to it (faults/), who plays in it (players.py).
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from servito_local.keeper import Keeper
from servito_local.layout import RANKS
from servito_local.ports import Reservations
from servito_local.seal_key import seal_key
from servito_local.servers import redis_url, server
from servito_local.services import service, target
from servito_local.supervisor import Supervisor
from servito_platform.place import Mode
from tests.chaos.clocks import skewed
from tests.chaos.disk import Disk, may_mount
from tests.chaos.link import Link, Way, link_to
from tests.local.parts import until
from tests.modes.servers import Cluster, Group

if TYPE_CHECKING:
    from servito_local.part import Part

SERVICES: Final = ("dealer", "evaluator", "table", "timers")
WAYS: Final = ("players-table", "timers-table", "table-dealer", "table-evaluator", "table-state")
_GRACE: Final = 3.0
_BACK_SECONDS: Final = 40.0
"""How long a part may take to come back on a busy machine."""


class World:
    """See the module. `replicas` by service; `askew`: a part whose clock is off by five seconds."""

    def __init__(
        self, directory: Path, mode: Mode, replicas: Mapping[str, int], askew: str | None = None
    ) -> None:
        self._directory = directory
        self._replicas = replicas
        self._askew = askew
        self.mode = mode
        self.ways: dict[str, list[Link]] = {name: [] for name in WAYS}
        self.group: Group | None = None
        self.cluster: Cluster | None = None
        self.disk: Disk | None = None
        """Where a single state server keeps its file, if we may mount one."""
        self.frozen: set[str] = set()
        self.state_url = ""
        """For witnesses: past every way."""
        self.broker_url = ""
        self.metrics: list[str] = []
        """Pages of table and timers."""

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            self._ports = stack.enter_context(Reservations())
            keeper = Keeper(self._directory / "keeper.log", grace=_GRACE)
            stack.push_async_callback(asyncio.to_thread, keeper.close)
            self._supervisor = Supervisor(keeper)
            services = await self._servers(stack)
            stack.push_async_callback(self._stop)  # before the servers of a group or Cluster end
            await self._supervisor.start(*await self._services(stack, services))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    @property
    def table_target(self) -> str:
        """Where players go."""
        return target([way.port for way in self.ways["players-table"]])

    @property
    def restarts(self) -> int:
        """How often a part was started again."""
        return sum(self._supervisor.restarts.values())

    def parts(self, name: str) -> list[str]:
        """The replicas of a service, or the server of that name if it is one of the supervised."""
        return [part for part in self._supervisor.restarts if part == name or part.startswith(f"{name}-")]

    def failed(self) -> asyncio.Task[None]:
        """Raises PartFailed when a part had to be given up."""
        return asyncio.create_task(self._supervisor.failed())

    async def kill(self, part: str) -> None:
        """kill -9, as soon as it serves."""
        await self._signal(part, signal.SIGKILL)

    async def freeze(self, part: str) -> None:
        """SIGSTOP: connections stay, nobody answers."""
        await self._signal(part, signal.SIGSTOP)
        self.frozen.add(part)

    async def thaw(self, part: str) -> None:
        """SIGCONT."""
        self.frozen.discard(part)
        running = self._supervisor.running.get(part)
        if running is not None:
            with suppress(ProcessLookupError):
                os.killpg(running.process.pid, signal.SIGCONT)

    async def whole(self) -> None:
        """Wait until every part serves again, and the servers may fail over again."""
        for part in list(self.frozen):
            await self.thaw(part)
        for ways in self.ways.values():
            for way in ways:
                way.become(Way.OPEN)
        if self.disk is not None:
            self.disk.free()
        await until(lambda: set(self._supervisor.running) == set(self._supervisor.restarts), _BACK_SECONDS)
        await self.ready_to_fail_over()

    async def ready_to_fail_over(self) -> None:
        """Wait until the loss of a primary can be borne; of a single server there is nothing to wait for."""
        several = self.group or self.cluster
        if several is not None:
            async with asyncio.timeout(_BACK_SECONDS):
                ready = False
                while not ready:
                    await asyncio.sleep(0.1)
                    ready = await asyncio.to_thread(several.ready_to_fail_over)

    async def _servers(self, stack: AsyncExitStack) -> dict[str, str]:
        """Start state and broker; what the services are told of them."""
        match self.mode:
            case Mode.SINGLE:
                if may_mount():
                    self.disk = Disk(self._directory / "state")
                    stack.callback(self.disk.close)
                state, broker = await self._start_server("state"), await self._start_server("broker")
                self.state_url, self.broker_url = redis_url(state), redis_url(broker)
                way = await stack.enter_async_context(link_to(state))
                self.ways["table-state"] = [way]
                return {"SERVITO_STATE_URL": redis_url(way.port)}
            case Mode.SENTINEL:
                group = partial(Group, self._directory / "group", self._ports, replicas=2)
                self.group = await asyncio.to_thread(group)
                stack.callback(self.group.close)
                self.state_url = self.group.url
                self.broker_url = f"{self.group.url.removesuffix('/0')}/1"
            case Mode.CLUSTER:
                self.cluster = await asyncio.to_thread(Cluster, self._directory / "cluster", self._ports)
                stack.callback(self.cluster.close)
                self.state_url = self.cluster.url
                self.broker_url = redis_url(await self._start_server("broker"))
        # Any replica may take over, one that was cut off a moment ago too.
        replicas = "2" if self.mode is Mode.SENTINEL else "1"
        return {
            "SERVITO_STATE_URL": self.state_url,
            "SERVITO_STATE_REPLICAS": replicas,
            "SERVITO_STATE_REPLICAS_STRICT": "true",
        }

    async def _start_server(self, name: str) -> int:
        port = self._ports.reserve()
        directory = self._directory / name
        await self._supervisor.start(server(name, port=port, directory=directory, rank=RANKS[name]))
        return port

    async def _services(self, stack: AsyncExitStack, servers: dict[str, str]) -> list[Part]:
        ports = {
            name: [self._ports.reserve() for _ in range(self._replicas.get(name, 1))] for name in SERVICES
        }
        sources = {"dealer": ["table"], "evaluator": ["table"], "table": ["players", "timers"]}
        for service_name, from_there in sources.items():
            for source in from_there:
                self.ways[f"{source}-{service_name}"] = [
                    await stack.enter_async_context(link_to(port)) for port in ports[service_name]
                ]
        everybody = {
            **os.environ,
            **servers,
            "SERVITO_BROKER_URL": self.broker_url,
            "SERVITO_LOG_LEVEL": "warning",
            "SERVITO_DEALER_TARGET": self._target("table-dealer"),
            "SERVITO_EVALUATOR_TARGET": self._target("table-evaluator"),
            "SERVITO_TABLE_TARGET": self._target("timers-table"),
            "SERVITO_DEALER_SEAL_KEYS": f"local:{seal_key(self._directory)}",
        }
        # The timers claim past the way that is harmed: they have their own connection to the state server.
        return [
            self._part(name, number, port, everybody)
            for name in SERVICES
            for number, port in enumerate(ports[name], 1)
        ]

    def _part(self, name: str, number: int, port: int, everybody: Mapping[str, str]) -> Part:
        part = f"{name}-{number}"
        metrics = self._ports.reserve()
        if name in ("table", "timers"):
            self.metrics.append(f"127.0.0.1:{metrics}")
        own = {"SERVITO_STATE_URL": self.state_url} if name == "timers" else {}
        return service(
            part,
            f"servito_{name}",
            grpc_port=port,
            metrics_port=metrics,
            environment={**everybody, **own, **(skewed(5) if part == self._askew else {})},
            log=self._directory / f"{part}.log",
            rank=RANKS[name],
        )

    def _target(self, way: str) -> str:
        return target([link.port for link in self.ways[way]])

    async def _signal(self, part: str, number: signal.Signals) -> None:
        await until(lambda: part in self._supervisor.running, _BACK_SECONDS)
        with suppress(ProcessLookupError):  # it died just now: as good as killed
            os.killpg(self._supervisor.running[part].process.pid, number)

    async def _stop(self) -> None:
        for part in list(self.frozen):
            await self.thaw(part)
        await self._supervisor.stop()
