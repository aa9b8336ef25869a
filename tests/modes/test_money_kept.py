"""A failover that loses commits loses no money that was answered for, and doubles none that was not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc
import pytest
from grpc import aio

from servito_local.chips import read_chips
from servito_platform.keys import Keys
from servito_wire.refusals import refusal_of
from tests.modes.servers import Cluster
from tests.modes.until import until
from tests.table.caller import Caller, calling

if TYPE_CHECKING:
    from servito.table.v1 import table_pb2 as pb
    from tests.modes.conftest import Servers, System

KEYS = Keys(64)
TABLES = 6
FROZEN = 0.6
"""Seconds without the replica: less than what the servers take for its loss, more than money waits for it."""


@pytest.mark.all_failovers
async def test_answered_buy_ins_outlive_the_primary(system: System, url: str, servers: Servers) -> None:
    """The replica falls behind, then the primary is killed: everything that it did meanwhile is lost. Of the
    buy-ins those that were answered are there at once; none was answered meanwhile; the same requests, sent
    again, are carried out once.
    """
    async with calling(system.table.grpc) as ann:
        await asyncio.to_thread(until, servers.ready_to_fail_over, 40)
        victim = servers.primary if not isinstance(servers, Cluster) else servers.servers[0]
        while isinstance(servers, Cluster) and victim.client.role()[0] != b"master":
            victim = servers.other_than(victim)
        replica_port = int(victim.client.role()[2][0][1])
        replica = next(server for server in servers.servers if server.port == replica_port)
        tables = [await ann.create() for _ in range(TABLES * (6 if isinstance(servers, Cluster) else 1))]
        if isinstance(servers, Cluster):
            tables = [each for each in tables if servers.holder(KEYS.table(each)) is victim]
        early, late = ann.as_player("early"), ann.as_player("late")
        for table_id in tables:
            await early.sit(table_id, request_id=f"e-{table_id}")

        replica.freeze()
        sitting = asyncio.gather(
            *(late.sit(table_id, request_id=f"l-{table_id}") for table_id in tables), return_exceptions=True
        )
        await asyncio.sleep(FROZEN)
        victim.kill()
        replica.thaw()
        outcomes = await sitting
        assert {_reason(outcome) for outcome in outcomes} <= {"OUTCOME_UNKNOWN", "UNAVAILABLE"}

        for table_id in tables:
            view = await _seen(ann, table_id)
            assert [seat.player for seat in view.seats] in (["early"], ["early", "late"])
        for table_id in tables:
            for player, request_id in ((early, f"e-{table_id}"), (late, f"l-{table_id}")):
                await _sat(player, table_id, request_id)
    chips = await asyncio.to_thread(read_chips, url)
    assert chips.wrong == ()
    bought = {each.table_id: each.bought_in for each in chips.tables}
    assert {table_id: bought[table_id] for table_id in tables} == dict.fromkeys(tables, 200)
    await asyncio.to_thread(victim.start)
    await asyncio.to_thread(until, servers.ready_to_fail_over, 40)


def _reason(outcome: object) -> str:
    """Why a buy-in was refused; "" if it was not."""
    if not isinstance(outcome, aio.AioRpcError):
        return ""
    refused = refusal_of(outcome)
    return refused.reason if refused else outcome.code().name


async def _seen(caller: Caller, table_id: str) -> pb.TableView:
    """The table, once somebody serves it again."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await caller.table(table_id)
            except aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.1)


async def _sat(player: Caller, table_id: str, request_id: str) -> None:
    """Ask for the same seat until there is an answer."""
    async with asyncio.timeout(20):
        while True:
            try:
                await player.sit(table_id, request_id=request_id)
                return
            except aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.1)
