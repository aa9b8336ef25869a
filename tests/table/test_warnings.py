"""Warnings: the seat to act alone learns, once for each clock, that its time runs out soon."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_core.commands import Pass
from servito_table.adapters.warner import warning_due
from servito_table.adapters.watcher import Watcher
from tests.table.gallery import Gallery, sent
from tests.table.room import CONFIG

SOON = 30
"""Milliseconds of the real clock until a warning in these tests."""
BANKS = replace(CONFIG, turn_ms=5_000 + SOON, warn_ms=5_000, time_banks=1, time_bank_ms=5_000 + SOON)


class Stage:
    """Two players at a table, the first is to act; everybody watches."""

    def __init__(self) -> None:
        self.gallery = Gallery()
        self.room = self.gallery.room

    async def begin(self) -> None:
        """Deal, and read what was sent so far."""
        await self.room.open(BANKS)
        await self.room.sit("ann", "bob")
        self.watchers = {name: await self.gallery.watch(name) for name in ("ann", "bob", None)}
        await self.room.due()
        await self.messages()

    async def warned(self, milliseconds: int = SOON) -> dict[str | None, list[pb.Warning]]:
        """Let the time pass, on both clocks; who was warned."""
        self.room.store.now += milliseconds
        await asyncio.sleep((milliseconds + 40) / 1000)
        told = await self.messages()
        return {name: [m.warning for m in of if m.HasField("warning")] for name, of in told.items()}

    async def messages(self) -> dict[str | None, list[pb.WatchResponse]]:
        """What everybody was sent meanwhile."""
        return {name: await waiting(watcher) for name, watcher in self.watchers.items()}


async def waiting(watcher: Watcher) -> list[pb.WatchResponse]:
    """What is to be sent now, if anything is."""
    try:
        async with asyncio.timeout(0.01):
            return await sent(watcher)
    except TimeoutError:
        return []


@pytest.fixture
async def stage() -> Stage:
    """See `Stage`."""
    stage = Stage()
    await stage.begin()
    return stage


async def test_the_seat_to_act_is_warned_once(stage: Stage) -> None:
    """With its turn and the time left; nobody else hears of it, and neither commit nor second one comes."""
    player, _ = stage.room.offer()
    commits = len(stage.room.store.commits)
    warnings = await stage.warned()
    assert warnings.pop(player) == [pb.Warning(turn_id=stage.room.state.turn, remaining_ms=5_000)]
    assert set(map(len, warnings.values())) == {0}
    assert not any((await stage.warned(1_000)).values())
    assert len(stage.room.store.commits) == commits


async def test_an_act_in_time_needs_no_warning(stage: Stage) -> None:
    """The timer of the turn before warns nobody; that of the new turn does."""
    player, offer = stage.room.offer()
    stage.room.store.now += SOON - 10
    await stage.room.act(player, Pass(offer.seat))
    assert not any((await stage.warned(10)).values())
    other, _ = stage.room.offer()
    warnings = await stage.warned(SOON)
    assert [name for name, heard in warnings.items() if heard] == [other]


async def test_a_prolonged_clock_has_a_warning_of_its_own(stage: Stage) -> None:
    """The turn is the same, the clock another."""
    player, _ = stage.room.offer()
    assert len((await stage.warned())[player]) == 1
    await stage.room.due()
    await stage.messages()
    warning = (await stage.warned())[player]
    assert warning == [pb.Warning(turn_id=stage.room.state.turn, remaining_ms=5_000)]


async def test_who_comes_into_the_last_seconds_is_warned_at_once(stage: Stage) -> None:
    """Nobody watched when the time for it came."""
    player, _ = stage.room.offer()
    for watcher in stage.watchers.values():
        stage.gallery.hub.leave(watcher)
    stage.room.store.now += 2_000
    await asyncio.sleep(0.05)
    stage.watchers = {player: await stage.gallery.watch(player)}
    (warning,) = (await stage.warned(0))[player]
    assert warning.remaining_ms == stage.room.known.deadline - stage.room.store.now


async def test_a_wait_that_is_not_longer_has_none(stage: Stage) -> None:
    """Nor has a table that waits for cards, for players or for the next hand."""
    known = stage.room.known
    assert warning_due(known) == known.deadline - 5_000
    assert warning_due(replace(known, started=known.started + SOON)) == 0
    while stage.room.state.running is not None:
        player, offer = stage.room.offer()
        await stage.room.act(player, Pass(offer.seat))
    assert stage.room.known.deadline > 0
    assert warning_due(stage.room.known) == 0


async def test_a_turn_that_ends_before_the_warning_is_sent_has_none(stage: Stage) -> None:
    """A slow reader is not told of a turn that is over."""
    player, offer = stage.room.offer()
    stage.room.store.now += SOON
    await asyncio.sleep((SOON + 20) / 1000)
    await stage.room.act(player, Pass(offer.seat))
    assert not [m for m in await waiting(stage.watchers[player]) if m.HasField("warning")]


async def test_nothing_is_left_when_nobody_watches(stage: Stage) -> None:
    """The timer goes with the last watcher."""
    for watcher in stage.watchers.values():
        stage.gallery.hub.leave(watcher)
    assert stage.gallery.hub._warner._alarms == {}
    assert stage.gallery.hub._warner._warned == {}
