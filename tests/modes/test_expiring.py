"""Nobody acts: deadlines are kept through the loss of a primary, and through that of the broker's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_platform.keys import Keys
from servito_platform.metrics_page import read_page
from tests.modes.servers import Cluster
from tests.modes.until import until
from tests.system.tables import next_expiries, silent_table

if TYPE_CHECKING:
    from tests.modes.conftest import Servers, System

KEYS = Keys(64)
pytestmark = pytest.mark.all_failovers


async def test_turns_go_on_expiring(system: System, url: str, servers: Servers) -> None:
    """Turns and hands end by the clock before and after a primary is killed. Under Sentinel it was the
    broker's too: the worker finds the next one, and sends its claims through it again.
    """

    def broker_is_good() -> bool:
        return read_page(system.timers.metrics).total("servito_broker_good") == 1

    async with Servito(system.table.grpc) as servito:
        table_id = await silent_table(servito)
        await next_expiries(servito, table_id, turns=2)
        await asyncio.to_thread(until, broker_is_good)
        await asyncio.to_thread(until, servers.ready_to_fail_over)
        victim = servers.holder(KEYS.table(table_id)) if isinstance(servers, Cluster) else servers.primary
        await asyncio.to_thread(victim.kill)
        async with asyncio.timeout(20):
            await next_expiries(servito, table_id, turns=2, hands=1)
        await asyncio.to_thread(until, broker_is_good, 30)
        async with asyncio.timeout(10):
            await next_expiries(servito, table_id, turns=2)
    chips = await asyncio.to_thread(read_chips, url)
    assert chips.wrong == ()
    assert {table.table_id: table.in_play for table in chips.tables} == {table_id: 400}
    await asyncio.to_thread(victim.start)
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)
