"""Time, for those who are given a clock instead of reading one.

Here: the Clock port, this process's monotonic clock, and the state server's clock as seen from here. Not
here: sleeping, timers. Deadlines are always in the state server's milliseconds, because the clocks of
machines drift apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

_TRUST_SECONDS: Final = 60.0
"""How long a quick answer outweighs newer, slower ones; clocks drift by about a millisecond in that time."""


class Clock(Protocol):
    """The state server's clock."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 by the state server."""


@dataclass(frozen=True)
class _Sample:
    offset_ms: float
    round_trip: float
    at: float


class ServerClock:
    """The state server's clock, from the TIME that every commit returns.

    The server read its clock somewhere between our sending and receiving; the middle is wrong by half the
    round trip at most, so the quickest answer of the last minute counts.
    """

    def __init__(self, local: Callable[[], float] = monotonic) -> None:
        self._local = local
        self._best: _Sample | None = None

    def observe(self, server_ms: int, sent: float, received: float) -> None:
        """Learn from an answer; `sent` and `received` are seconds of the local clock."""
        sample = _Sample(server_ms - (sent + received) * 500, received - sent, received)
        best = self._best
        if best is None or sample.round_trip <= best.round_trip or received - best.at > _TRUST_SECONDS:
            self._best = sample

    def now_ms(self) -> int:
        """See Clock; RuntimeError before the first observation."""
        if self._best is None:
            raise RuntimeError("the state server's clock is not known before its first answer")
        return round(self._local() * 1000 + self._best.offset_ms)
