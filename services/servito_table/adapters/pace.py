"""How often who only looks on is sent something: what happens in short succession is sent together.

A message costs more to send and to read than what it says, and five players at a table are told of every act.
The seat that is to act is told at once, and one that gets the cards of its draw. Everybody else too, after a
silence; but what follows within `seconds` may wait for as long as that, each for himself: often his own turn
or answer comes first and takes it along. One timer serves all who wait.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, Protocol

TOGETHER: Final = 1 / 16
"""The part of the time by which some are told earlier, so that one timer serves several."""


class Waiting(Protocol):
    """Who can be told that it is time."""

    def rouse(self) -> None:
        """Send what is there."""


class Pace:
    """See the module. `seconds`: 0 holds nothing back."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._due: OrderedDict[Waiting, float] = OrderedDict()
        """When each is to be roused; the first one first, since all wait equally long."""
        self._timer: asyncio.TimerHandle | None = None

    def later(self, who: Waiting) -> None:
        """Rouse `who` within `seconds` of the first time that this was said."""
        if who not in self._due:
            loop = asyncio.get_running_loop()
            self._due[who] = loop.time() + self.seconds
            if self._timer is None:
                self._timer = loop.call_later(self.seconds, self._rouse)

    def forget(self, who: Waiting) -> None:
        """It was sent everything meanwhile."""
        self._due.pop(who, None)

    def _rouse(self) -> None:
        loop = asyncio.get_running_loop()
        soon = loop.time() + self.seconds * TOGETHER
        self._timer = None
        while self._due:
            who, due = next(iter(self._due.items()))
            if due > soon:
                self._timer = loop.call_at(due, self._rouse)
                return
            del self._due[who]
            who.rouse()
