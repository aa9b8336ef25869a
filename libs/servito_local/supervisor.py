"""Keeps the parts alive: starts them, starts anew the one that dies, stops all of them in order.

A part that dies is started again after a pause that doubles from attempt to attempt and is forgotten once
the part has lived for a while. A part that cannot be started again and again is given up: the system has
failed then (`failed`), and whoever runs it ends it. Not here: what the parts are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import Final

from servito_local.keeper import Keeper
from servito_local.part import Part, PartFailed, Running

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0
_STEADY_SECONDS: Final = 10.0
"""How long a process lives to count as sound: the next death is then the first one again."""
_ATTEMPTS: Final = 8
"""Failed starts in a row after which a part is given up."""


class Supervisor:
    """The running parts by name. To be used inside one event loop."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._running: dict[str, Running] = {}
        self._watching: dict[str, asyncio.Task[None]] = {}
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._failed.add_done_callback(lambda future: future.cancelled() or future.exception())
        self.restarts: dict[str, int] = {}
        """How often each part was started again."""

    async def start(self, *parts: Part) -> None:
        """Start parts together and keep them alive; PartFailed when one does not start at all."""
        try:
            async with asyncio.TaskGroup() as group:
                for part in parts:
                    group.create_task(self._start(part))
        except BaseExceptionGroup as failures:
            # The first failure cancels the other starts; what else failed in that moment says nothing new.
            raise failures.exceptions[0] from None

    async def stop(self) -> dict[str, int]:
        """Stop every part, rank by rank; exit codes by name."""
        for task in self._watching.values():
            task.cancel()
        await asyncio.gather(*self._watching.values(), return_exceptions=True)
        self._watching.clear()
        codes: dict[str, int] = {}
        for rank in sorted({running.part.rank for running in self._running.values()}):
            codes |= await self._stop(
                running for running in self._running.values() if running.part.rank == rank
            )
        self._running.clear()
        self._failed.cancel()
        return codes

    async def failed(self) -> None:
        """Returns never; raises PartFailed when a part had to be given up."""
        await asyncio.shield(self._failed)

    @property
    def running(self) -> Mapping[str, Running]:
        """The parts that serve now."""
        return self._running

    async def _start(self, part: Part) -> None:
        self._running[part.name] = await Running.start(part, self._keeper)
        self.restarts.setdefault(part.name, 0)
        watching = asyncio.create_task(self._watch(part))
        watching.add_done_callback(self._note_end)
        self._watching[part.name] = watching

    def _note_end(self, watching: asyncio.Task[None]) -> None:
        """Whatever ends the watch over a part, besides stopping, is a failure of the system."""
        if not watching.cancelled() and (error := watching.exception()) and not self._failed.done():
            self._failed.set_exception(error)

    async def _watch(self, part: Part) -> None:
        pause = _FIRST_PAUSE
        while True:
            born = time.monotonic()
            running = self._running[part.name]
            await running.ended()
            del self._running[part.name]
            self._keeper.forget(running.process.pid)
            if time.monotonic() - born >= _STEADY_SECONDS:
                pause = _FIRST_PAUSE
            await self._revive(part, pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _revive(self, part: Part, pause: float) -> None:
        for left in reversed(range(_ATTEMPTS)):
            await asyncio.sleep(pause)
            self.restarts[part.name] += 1
            try:
                self._running[part.name] = await Running.start(part, self._keeper)
            except PartFailed:
                pause = min(2 * pause, _LONGEST_PAUSE)
                if not left:
                    raise
            else:
                return

    async def _stop(self, running: Iterable[Running]) -> dict[str, int]:
        ending = {one.part.name: one for one in running}
        codes = await asyncio.gather(*(one.stop() for one in ending.values()))
        for one in ending.values():
            await one.ended()
            self._keeper.forget(one.process.pid)
        return dict(zip(ending, codes, strict=True))
