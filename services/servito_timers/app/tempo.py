"""How many deadlines a claim may have, so that it is carried out well within its lease.

Otherwise others claim what is only waiting for its turn, everything is done twice, and a table service that
is slow because there is much to do gets the double of it. What a call takes is partly for each deadline and
partly not (a busy machine lets every step wait), so the number is found by trying. Used by the sweeper and by
the threads that carry out tasks.
"""

from __future__ import annotations

from threading import Lock
from typing import Final

FIRST: Final = 64
"""Deadlines in a claim before anything was measured."""
LEAST: Final = 8
_LONG: Final = 0.6
_SHORT: Final = 0.35
"""Parts of the lease: a call that takes longer had too many, a full one that is shorter had too few. The rest
of the lease is for the way to the call, and for what gets slower meanwhile.
"""


class Tempo:
    """Learns from calls; `most` deadlines at the most."""

    def __init__(self, most: int, lease_seconds: float) -> None:
        self._most = most
        self._long = _LONG * lease_seconds
        self._short = _SHORT * lease_seconds
        self._members = min(FIRST, most)
        self._lock = Lock()

    @property
    def members(self) -> int:
        """How many deadlines the next claim may have."""
        return self._members

    def took(self, members: int, seconds: float) -> None:
        """A call for so many took so long."""
        with self._lock:
            now = self._members
            if seconds > self._long and members > now // 2:
                now = min(now, members) * 7 // 10
            elif seconds < self._short and members > now * 3 // 4:
                now = now * 3 // 2
            self._members = max(min(LEAST, self._most), min(self._most, now))
