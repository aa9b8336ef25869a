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
        self._sits = 0

    @property
    def view(self) -> pb.TableView:
        """What the bot sees of the table."""
        seats = [pb.HandSeatView(seat=0, all_in=True), pb.HandSeatView(seat=1)]
        return pb.TableView(
            table_id="t1",
            version=4,
            seats=[pb.SeatView(seat=0, player="anna", stack=0)],
            hand=pb.HandView(hand_id="t1-1", number=1, phase=self.phase, seats=seats),
        )

    def unary(self, request: Any) -> Any:
        """Answers every call that is no stream."""
        if isinstance(request, pb.SitRequest):
            self._sits += 1
            if self._sits == 2:
                self.bought_again.set()
            return pb.SitResponse(version=1 + self._sits, seat=0)
        if isinstance(request, pb.StandRequest):
            return pb.StandResponse(version=2, cashed_out=0)
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
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
