"""A failover loses commits for good: nothing of them comes back, and whoever saw them is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_client.client import Servito
from servito_client.messages import TableConfig
from servito_client.updates import Snapshot, Told, Update
from servito_local.chips import read_chips
from servito_platform.keys import Keys
from tests.local.parts import until
from tests.modes.servers import Cluster, Server
from tests.modes.until import until as wait_until
from tests.table.caller import Caller, calling, fresh
from tests.table.playing import mild_action, own_cards
from tests.table.processes import service

if TYPE_CHECKING:
    from tests.modes.conftest import Servers, System

KEYS = Keys(64)
CONFIG = TableConfig(
    name="Prova", preset="italiana", seats=3, min_buy_in=60, max_buy_in=60, turn_ms=60_000, pause_ms=0
)
pytestmark = pytest.mark.all_failovers


def replica_of(servers: Servers, primary: Server) -> Server:
    """The one that takes over from it."""
    for server in servers.servers:
        role = server.client.role()
        if role[0] == b"slave" and int(role[2]) == primary.port:
            return server
    raise LookupError("it has none")


async def acted(players: list[Caller], table_id: str, times: int) -> pb.TableView:
    """Let whoever is to act do so, so often; the table then. What a failover interrupts is done again."""
    async with asyncio.timeout(60):
        while times:
            for player in players:
                try:
                    times -= times and await act_if_offered(player, table_id)
                except aio.AioRpcError:
                    await asyncio.sleep(0.05)
        return await players[0].table(table_id)


async def act_if_offered(player: Caller, table_id: str) -> int:
    """Act on what the player is offered now; how often that was."""
    own = await player.table(table_id)
    if not own.hand.HasField("offer"):
        return 0
    offer = own.hand.offer
    act = pb.ActRequest(table_id=table_id, request_id=fresh(), turn_id=offer.turn_id, lineage=offer.lineage)
    act.action.CopyFrom(mild_action(offer, own_cards(own)))
    await player.stub.Act(act, metadata=player.metadata, timeout=2)
    return 1


def is_rewound(told: Told) -> bool:
    """Whether it says that versions were lost."""
    return isinstance(told, Snapshot) and told.rewound


async def test_commits_that_a_failover_loses_are_lost_for_everybody(
    system: System, url: str, servers: Servers
) -> None:
    """Acts are committed that no replica has, and seen by who watches; the primary dies. The table goes on
    from before them and gets beyond their numbers at once. Who watched, and who comes back with a lost
    version, gets the table as it is, marked as rewound; a process that remembers the lost versions builds on
    none of them; every chip is there.
    """
    told: list[Told] = []

    async def watch(servito: Servito) -> None:
        async for one in servito.watch(table_id):
            told.append(one)  # noqa: PERF401 - the others look at it meanwhile

    with service("table", system.settings) as second:
        async with Servito(system.table.grpc, player="casa") as servito, calling(second.grpc) as elsewhere:
            table_id = await servito.create_table(CONFIG)
            async with calling(system.table.grpc) as here:
                ann, bob = here.as_player("ann"), here.as_player("bob")
                for player in (ann, bob):
                    await player.sit(table_id, buy_in=60)
                there = [elsewhere.as_player(name) for name in ("ann", "bob")]
                watching = asyncio.create_task(watch(servito))
                await acted([ann, bob], table_id, 1)
                await asyncio.to_thread(wait_until, servers.ready_to_fail_over)
                primary = (
                    servers.holder(KEYS.table(table_id)) if isinstance(servers, Cluster) else servers.primary
                )
                replica = await asyncio.to_thread(replica_of, servers, primary)
                kept = (await ann.table(table_id)).version
                replica.freeze()  # and its connection goes: what waits in it would be read later
                await asyncio.to_thread(primary.client.execute_command, "CLIENT", "KILL", "TYPE", "replica")
                lost = await acted(there, table_id, 2)
                lost_here = await acted([ann, bob], table_id, 1)
                assert lost_here.version > lost.version > kept
                await until(lambda: bool(told) and told[-1].version >= lost_here.version, 20)
                before = len(told)
                await asyncio.to_thread(primary.kill)
                replica.thaw()
                now = await acted([ann, bob], table_id, 1)
                while now.version <= lost_here.version:
                    now = await acted([ann, bob], table_id, 1)
                await acted(there, table_id, 2)
                back = servito.watch(table_id, lost.version, lost.lineage)
                first = await asyncio.wait_for(anext(aiter(back)), 20)
                assert is_rewound(first)
                await until(lambda: any(is_rewound(one) for one in told[before:]), 20)
                lineages = {one.version: one.lineage for one in told[before:] if isinstance(one, Update)}
                assert lineages.get(lost.version) != lost.lineage
                watching.cancel()
    chips = await asyncio.to_thread(read_chips, url)
    assert chips.wrong == ()
    assert {table.table_id: table.in_play for table in chips.tables} == {table_id: 120}
    await asyncio.to_thread(primary.start)
    await asyncio.to_thread(wait_until, servers.ready_to_fail_over, 40)
