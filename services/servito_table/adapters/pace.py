"""How often who only looks on is sent something: what happens in short succession is sent together.

A message costs more to send and to read than what it says, and five players at a table are told of every act.
The seat that is to act is told at once, and one that gets the cards of its draw. Everybody else too, after a
silence; but of what follows within `seconds` they are told together when that time is over. One timer serves
all who wait.
"""

from __future__ import annotations

import asyncio
from typing import Protocol


class Waiting(Protocol):
    """Who can be told that it is time."""

    def rouse(self) -> None:
        """Send what is there."""


class Pace:
    """See the module. `seconds`: 0 holds nothing back."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._waiting: set[Waiting] = set()

    def later(self, who: Waiting) -> None:
        """Rouse `who` within `seconds`, and only once for however many times this was said."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(self.seconds, self._due)
        self._waiting.add(who)

    def _due(self) -> None:
        waiting, self._waiting = self._waiting, set()
        for who in waiting:
            who.rouse()
