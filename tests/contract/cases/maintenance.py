"""Maintenance: turned on and off, and looked at. What succeeds here turns it off, where it is off already: on
it would keep hands from beginning at the tables of every other case.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from servito.table.v1 import table_pb2 as pb
from tests.contract.damage import without_memory
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Stage

OPERATOR = "operator:olga"


def off(player: str | None = OPERATOR, why: str = "") -> Asked:
    """Maintenance is to be over."""
    return Asked(pb.SetMaintenanceRequest(why=why), player)


def look(player: str | None = OPERATOR) -> Asked:
    """Is it on?"""
    return Asked(pb.GetMaintenanceRequest(), player)


@asynccontextmanager
async def _no_changes_there(stage: Stage) -> AsyncIterator[None]:
    """Something else is stored where the changes are."""
    key = stage.keys.maintenance_changes()
    assert not await stage.state.exists(key), "a test before left maintenance on or off"
    await stage.state.set(key, "no stream")
    try:
        yield
    finally:
        await stage.state.delete(key)


@succeeds("SetMaintenance")
async def off_as_before(_stage: Stage) -> Asked:
    """It never was on."""
    return off()


@succeeds("GetMaintenance")
async def a_look(_stage: Stage) -> Asked:
    """It never was on."""
    return look()


@refuses("SetMaintenance", "MALFORMED")
async def a_reason_too_long(_stage: Stage) -> Asked:
    """200 characters are the most."""
    return off(why="x" * 201)


@refuses("SetMaintenance", "MALFORMED")
async def a_reason_of_two_lines(_stage: Stage) -> Asked:
    """It goes into logs."""
    return off(why="a\nb")


@refuses("SetMaintenance", "UNAUTHENTICATED")
async def nobody_ends_it(_stage: Stage) -> Asked:
    """No token."""
    return off(None)


@refuses("GetMaintenance", "UNAUTHENTICATED")
async def nobody_looks(_stage: Stage) -> Asked:
    """No token."""
    return look(None)


@refuses("SetMaintenance", "NOT_PERMITTED")
async def a_player_ends_it(_stage: Stage) -> Asked:
    """Players are no operators, also where they may create tables."""
    return off("ann")


@refuses("GetMaintenance", "NOT_PERMITTED")
async def a_player_looks(_stage: Stage) -> Asked:
    """It names operators."""
    return look("ann")


@refuses("SetMaintenance", "OUTCOME_UNKNOWN", alone=True)
async def a_change_that_is_not_answered(stage: Stage) -> Asked:
    """It is done nobody knows when."""

    @asynccontextmanager
    async def silent() -> AsyncIterator[None]:
        await stage.state.client_pause(60_000, all=False)
        try:
            yield
        finally:
            await stage.state.client_unpause()

    return Asked(off().request, OPERATOR, damage=silent(), hasty=True)


@refuses("SetMaintenance", "UNAVAILABLE", alone=True)
async def a_state_without_room(stage: Stage) -> Asked:
    """Nothing can be written."""
    return Asked(off().request, OPERATOR, damage=without_memory(stage))


@refuses("SetMaintenance", "INTERNAL", alone=True)
async def no_place_for_changes(stage: Stage) -> Asked:
    """The key has another type."""
    return Asked(off().request, OPERATOR, damage=_no_changes_there(stage))


@refuses("GetMaintenance", "INTERNAL", alone=True)
async def no_changes_to_be_read(stage: Stage) -> Asked:
    """As above."""
    return Asked(look().request, OPERATOR, damage=_no_changes_there(stage))
