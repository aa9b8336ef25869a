"""Acting in the running system: clocks that warn, are prolonged and run out, and what was said beforehand."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest

from servito_client.client import Servito
from servito_client.messages import (
    ActionKind,
    PreActionEnd,
    PreActionEnded,
    PreActionSet,
    SeatActed,
    TableConfig,
    TimeBankUsed,
    TurnExpired,
)
from servito_client.pre_actions import check_or_fold, may_decide_beforehand
from servito_client.seat import Seat
from servito_client.updates import Snapshot, Told, Update, Warned
from servito_local.system import LocalSystem

pytestmark = pytest.mark.system

TURN_MS, BANK_MS, WARN_MS = 1_500, 1_200, 500
CONFIG = TableConfig(
    name="Orologio",
    preset="italiana",
    options={"open.requirement": "none"},
    seats=3,
    min_buy_in=80,
    max_buy_in=80,
    turn_ms=TURN_MS,
    pause_ms=500,
    time_banks=1,
    time_bank_ms=BANK_MS,
    warn_ms=WARN_MS,
)
LATE = 1.5
"""Seconds by which a busy machine may be behind."""


class Listener:
    """A player's stream, and when each message of it came."""

    def __init__(self, stream: Seat) -> None:
        self._stream = stream
        self.heard: list[tuple[float, Told]] = []

    async def until(self, *kinds: type) -> tuple[float, Told]:
        """Listen until something of these kinds comes, as an event or as a message; when, and with what."""
        async for told in self._stream:
            self.heard.append((monotonic(), told))
            if isinstance(told, kinds) or any(isinstance(event, kinds) for event in told.events):
                return self.heard[-1]
        raise AssertionError("the stream ended")

    async def offered(self) -> float:
        """Listen until it is the listener's turn."""
        async for told in self._stream:
            self.heard.append((monotonic(), told))
            if told.offer is not None:
                return self.heard[-1][0]
        raise AssertionError("the stream ended")


async def test_a_clock_warns_is_prolonged_and_acts_and_who_said_so_beforehand_follows_at_once(
    system: LocalSystem,
) -> None:
    """Nobody but the timers does anything: the first seat is warned, gets more time, is warned again, and
    then the clock checks for it; in that very commit the next seat does what it had said.
    """
    async with Servito(system.target("table"), player="casa") as servito, asyncio.timeout(60):
        table_id = await servito.create_table(CONFIG)
        players = [servito.acting_as(f"{name}-{table_id[:12]}") for name in ("anna", "bruno", "carla")]
        for number, player in enumerate(players):
            await player.sit(table_id, buy_in=80, seat=number)
        first, second = players[1], players[2]  # the button is at seat 0: the others speak before it
        async with first.play(table_id) as stream, second.play(table_id) as watching:
            slow, ready = Listener(stream), Listener(watching)
            began = await slow.offered()
            view = await second.table(table_id)
            assert may_decide_beforehand(view)
            await second.set_pre_action(view, check_or_fold())
            assert (await second.table(table_id)).hand.own.pre_action == check_or_fold()
            assert not (await first.table(table_id)).hand.own.HasField("pre_action")
            warned_at, warned = await slow.until(Warned)
            assert isinstance(warned, Warned)
            assert 0 < warned.remaining_ms <= WARN_MS
            assert (TURN_MS - WARN_MS) / 1000 - 0.1 < warned_at - began < TURN_MS / 1000 + LATE
            longer_at, longer = await slow.until(TimeBankUsed)
            assert isinstance(longer, Update)
            assert (longer.turn_id, longer.to_act) == (warned.turn_id, 1)
            assert BANK_MS - 500 < longer.remaining_ms <= BANK_MS
            assert longer.offer is not None
            again_at, again = await slow.until(Warned)
            assert isinstance(again, Warned)
            assert again.turn_id == warned.turn_id
            assert again_at > longer_at
            over_at, over = await slow.until(TurnExpired)
            assert isinstance(over, Update)
            assert over_at - longer_at > BANK_MS / 1000 - 0.1
            assert over_at - began < (TURN_MS + BANK_MS) / 1000 + 2 * LATE
            acts = [(e.seat, e.kind) for e in over.events if isinstance(e, SeatActed)]
            assert acts == [(1, ActionKind.ACTION_KIND_CHECK), (2, ActionKind.ACTION_KIND_CHECK)]
            await ready.until(TurnExpired)
        own = [event for _, told in ready.heard for event in told.events]
        assert PreActionEnded(seat=2, reason=PreActionEnd.PRE_ACTION_END_DONE) in own
        others = [event for _, told in slow.heard for event in told.events]
        assert not [event for event in others if isinstance(event, (PreActionSet, PreActionEnded))]
        assert not [told for _, told in ready.heard if isinstance(told, Warned)]
        assert isinstance(slow.heard[0][1], Snapshot)
