"""Seats in the running system: the timers end what waits beside the turn, and a place is passed on."""

from __future__ import annotations

import asyncio

import pytest

from servito_client.client import Servito
from servito_client.errors import Refusal
from servito_client.messages import (
    Event,
    PlayerStood,
    SatOut,
    SeatOffered,
    SitOutReason,
    StandReason,
    TableConfig,
    TurnExpired,
    WaitingLeft,
    WaitingReason,
)
from servito_client.updates import Update
from servito_local.system import LocalSystem

pytestmark = pytest.mark.system

NAMES = ("anna", "bruno", "carla", "dario", "elena")
CONFIG = TableConfig(
    name="Casa",
    preset="italiana",
    options={"open.requirement": "none"},
    seats=2,
    min_buy_in=80,
    max_buy_in=200,
    turn_ms=1_000,
    pause_ms=500,
    sit_out_ms=1_000,
    seat_offer_ms=1_000,
)


async def events_until(servito: Servito, table_id: str, last: type[Event], count: int) -> list[Event]:
    """What a spectator is told from the beginning until there were so many events of that kind."""
    found: list[Event] = []
    async for told in servito.acting_as("spectator").watch(table_id, after_version=1):
        assert isinstance(told, Update)
        found += told.events
        if sum(isinstance(event, last) for event in found) >= count:
            break
    return found


async def sits_when_offered(servito: Servito, table_id: str, name: str) -> int:
    """Waits for a seat until one is held for this player, and takes it; which it is."""
    player = servito.acting_as(name)
    async for told in player.watch(table_id, after_version=1):
        assert isinstance(told, Update)
        if any(isinstance(event, SeatOffered) and event.player == name for event in told.events):
            break
    return (await player.sit(table_id, buy_in=80)).seat


async def test_who_is_gone_makes_room_for_who_waits(system: LocalSystem) -> None:
    """Nobody acts: both players are away, sit out and are made to stand up; their seats are held for those
    who wait, lapse for two who do not come, and one is taken by the third. The clock does all of it.
    """
    async with Servito(system.target("table"), player="casa") as servito, asyncio.timeout(60):
        table_id = await servito.create_table(CONFIG)
        anna, bruno, carla, dario, elena = (f"{name}-{table_id[:12]}" for name in NAMES)
        for name in (anna, bruno):
            await servito.acting_as(name).sit(table_id, buy_in=80)
        with pytest.raises(Refusal) as full:
            await servito.acting_as(carla).sit(table_id, buy_in=80)
        assert full.value.reason == "TABLE_FULL"
        for place, name in enumerate((carla, dario, elena), 1):
            assert await servito.acting_as(name).join_waiting_list(table_id) == place
        coming = asyncio.create_task(sits_when_offered(servito, table_id, elena))
        told = await events_until(servito, table_id, WaitingLeft, 2)
        out = [event for event in told if isinstance(event, SatOut)]
        assert {event.seat for event in out} == {0, 1}
        assert {event.reason for event in out} == {SitOutReason.SIT_OUT_REASON_AWAY}
        for seat in (0, 1):
            assert sum(isinstance(event, TurnExpired) and event.seat == seat for event in told) >= 2
        stood = [event for event in told if isinstance(event, PlayerStood)]
        assert {event.player for event in stood} == {anna, bruno}
        assert {event.reason for event in stood} == {StandReason.STAND_REASON_REMOVED}
        assert sum(event.cashed_out for event in stood) == 160
        assert [event for event in told if isinstance(event, WaitingLeft)] == [
            WaitingLeft(player=name, reason=WaitingReason.WAITING_REASON_LAPSED) for name in (carla, dario)
        ]
        seat = await coming
        table = await servito.table(table_id)
        assert [(own.seat, own.player) for own in table.seats] == [(seat, elena)]
        assert not table.waiting
