"""NotSent is true: what a lane says it did not send is not done, nor by a server that hung and goes on."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

import pytest

from servito_platform.lane import NotSent
from servito_platform.place import Mode, read_place
from servito_platform.redis import Script, StateUnavailable
from servito_platform.state import new_lane
from tests.local.parts import until
from tests.modes.behind import behind_proxy

if TYPE_CHECKING:
    from pathlib import Path

    from servito_platform.lane import Lane
    from tests.modes.servers import Server

NAME = "{p007}:marks"
MARK = Script("return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)")
SECONDS = 0.3
ASKERS = 16


class Fates:
    """What each request was said to have come to."""

    def __init__(self, lane: Lane) -> None:
        self.done, self.unknown, self.not_sent = set[str](), set[str](), set[str]()
        self.over = asyncio.Event()
        self._lane = lane
        self._numbers = count()

    async def ask_on(self, pause: float) -> None:
        """Make requests, one after the other, each with a mark of its own; `pause`: seconds between two, not
        the same for all, so that some are made while others are under way.
        """
        while not self.over.is_set():
            request = f"request {next(self._numbers)}"
            try:
                await self._lane.run(MARK, [NAME], [request])
                self.done.add(request)
            except NotSent:
                self.not_sent.add(request)
            except StateUnavailable:
                self.unknown.add(request)
            await asyncio.sleep(pause)


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param(mode, id=mode.value, marks=[] if mode is Mode.SINGLE else pytest.mark.all_failovers)
        for mode in Mode
    ],
)
async def test_what_was_not_sent_is_not_done_later(mode: Mode, tmp_path: Path) -> None:
    """The way to the server stands still, as before a frozen one, with requests in it that arrive in the end:
    those were called unknown. Of those behind them, called not sent, none arrives; nothing is done twice.
    """
    async with behind_proxy(mode, tmp_path) as (url, server, way):
        lane = new_lane(read_place(url), SECONDS)
        fates = Fates(lane)
        asking = [asyncio.create_task(fates.ask_on(0.003 * asker)) for asker in range(1, ASKERS)]
        await until(lambda: len(fates.done) > ASKERS, 20)
        way.open.clear()
        await until(lambda: bool(fates.unknown and fates.not_sent), 20)
        await asyncio.sleep(3 * SECONDS)  # connections made meanwhile are given up as well
        way.open.set()
        answered = len(fates.done)
        await until(lambda: len(fates.done) > answered + ASKERS, 20)
        fates.over.set()
        await asyncio.gather(*asking)
        await until(lambda: not fates.unknown.isdisjoint(_marks(server)), 20)  # what stood in the way arrives
        marks = _marks(server)
        assert set(marks.values()) == {1}
        assert fates.done <= marks.keys()
        assert marks.keys() <= fates.done | fates.unknown
        await lane.close()


def _marks(server: Server) -> dict[str, int]:
    return {request.decode(): int(times) for request, times in server.client.hgetall(NAME).items()}
