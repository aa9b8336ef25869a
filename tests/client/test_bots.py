"""A bot against a table whose story a test writes: what it must notice, whenever it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import cautious
from tests.client.scripted import Requests, ScriptedTable, Served

LOST = (
    pb.TableEvent(
        pot_awarded=pb.PotAwarded(amount=10, eligible=[0, 1], shares=[pb.Share(seat=1, amount=10)])
    ),
    pb.TableEvent(hand_ended=pb.HandEnded(outcome=pb.OUTCOME_SHOWDOWN)),
)


class OneHand:
    """The bot at seat 0 is all-in in a hand that runs when its stream begins, and loses it."""

    def __init__(self) -> None:
        self.phase = pb.PHASE_SECOND_ROUND
        self.looked, self.bought_again = asyncio.Event(), asyncio.Event()
        self.bought = 0

    @property
    def view(self) -> pb.TableView:
        """What the bot sees of the table."""
        seats = [pb.HandSeatView(seat=0, all_in=True), pb.HandSeatView(seat=1)]
        return pb.TableView(
            table_id="t1",
            version=4,
            own_seat=0,
            seats=[pb.SeatView(seat=0, player="anna", stack=0)],
            hand=pb.HandView(hand_id="t1-1", number=1, phase=self.phase, seats=seats),
        )

    def unary(self, request: Any) -> Any:
        """Answers every call that is no stream."""
        if isinstance(request, pb.SitRequest):
            return pb.SitResponse(version=2, seat=0)
        if isinstance(request, pb.TopUpRequest):
            self.bought = request.amount
            self.bought_again.set()
            return pb.TopUpResponse(version=6, added=request.amount)
        self.looked.set()
        return pb.GetTableResponse(table=self.view)

    async def play(self, requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        """The stream: the table as it is, and when the bot has looked, the end of the hand."""
        await anext(requests)
        yield pb.PlayResponse(snapshot=self.view)
        await self.looked.wait()
        self.phase = pb.PHASE_OVER
        yield pb.PlayResponse(updates=[pb.TableUpdate(version=5, events=LOST)])
        await asyncio.Event().wait()


async def test_a_hand_that_ran_already_may_leave_the_bot_broke() -> None:
    """Its start was before the stream began; without another buy-in the bot would sit there for ever."""
    story, report = OneHand(), Report()
    async with Served(ScriptedTable(plays=[story.play], unary=story.unary)) as servito:
        bot = Bot(servito, "t1", strategy=cautious, rng=Random(1), buy_in=5, report=report)
        playing = asyncio.create_task(bot.play())
        await asyncio.wait_for(story.bought_again.wait(), 10)
        assert story.bought == 5
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing


class Late:
    """The turns of the bot, at seat 0, expired so often that it sits out; later its seat is taken back."""

    def __init__(self, reason: pb.SitOutReason.ValueType, *, before: bool) -> None:
        """`before`: it happened before the stream began."""
        self.reason, self.before = reason, before
        self.back = asyncio.Event()

    def unary(self, request: Any) -> Any:
        """Answers every call that is no stream."""
        if isinstance(request, pb.SitRequest):
            return pb.SitResponse(version=2, seat=0)
        if isinstance(request, pb.SitInRequest):
            self.back.set()
            return pb.SitInResponse(version=6)
        return pb.GetTableResponse(table=self.view)

    @property
    def view(self) -> pb.TableView:
        """What the bot sees of the table."""
        own = pb.SeatView(seat=0, player="anna", stack=9)
        if self.before:
            own.sitting_out = self.reason
        return pb.TableView(table_id="t1", version=4, own_seat=0, seats=[own])

    async def play(self, requests: Requests) -> AsyncIterator[pb.PlayResponse]:
        """The stream."""
        await anext(requests)
        yield pb.PlayResponse(snapshot=self.view)
        out = pb.TableEvent(sat_out=pb.SatOut(seat=0, reason=self.reason))
        if not self.before:
            yield pb.PlayResponse(updates=[pb.TableUpdate(version=5, events=[out])])
        if self.reason == pb.SIT_OUT_REASON_AWAY:
            await self.back.wait()
        removed = pb.PlayerStood(seat=0, player="anna", reason=pb.STAND_REASON_REMOVED)
        event = pb.TableEvent(player_stood=removed)
        yield pb.PlayResponse(updates=[pb.TableUpdate(version=5 + (not self.before), events=[event])])
        await asyncio.Event().wait()


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("reason", [pb.SIT_OUT_REASON_AWAY, pb.SIT_OUT_REASON_ASKED])
async def test_a_bot_that_seems_away_comes_back(reason: pb.SitOutReason.ValueType, before: bool) -> None:
    """Nobody would ever offer it a turn again; who sits out by wish stays out. Once its seat is gone the bot
    has played.
    """
    story = Late(reason, before=before)
    async with Served(ScriptedTable(plays=[story.play], unary=story.unary)) as servito:
        bot = Bot(servito, "t1", strategy=cautious, rng=Random(1), buy_in=5, report=Report())
        await asyncio.wait_for(bot.play(), 10)
    assert story.back.is_set() == (reason == pb.SIT_OUT_REASON_AWAY)
