"""The claims under way, counted so that a backlog stays in the sorted set and not in the broker.

A claim is under way from its publication until a worker begins to carry it out, and a task for as long as
this process carries it out, whosever claim it was. Together they are never more than the limit. Used by the
sweeper and by the threads that carry out tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock


class InFlight:
    """Counts at most `limit`; a claim that nobody began within `patience` seconds is given up as lost."""

    def __init__(self, limit: int, *, patience: float, clock: Callable[[], float]) -> None:
        self._limit = limit
        self._patience = patience
        self._clock = clock
        self._lock = Lock()
        self._published: dict[str, float] = {}
        self._running = 0

    @property
    def free(self) -> int:
        """How many more claims may be made."""
        with self._lock:
            return max(0, self._limit - len(self._published) - self._running)

    @property
    def count(self) -> int:
        """How many are under way."""
        with self._lock:
            return len(self._published) + self._running

    @property
    def waiting(self) -> bool:
        """Whether a published claim is still to be begun."""
        return bool(self._published)

    def published(self, claim: str) -> None:
        """To be called before the claim is published: a worker may begin before the publisher knows."""
        with self._lock:
            self._published[claim] = self._clock()

    def begun(self, claims: Iterable[str]) -> bool:
        """These claims are being carried out, here or elsewhere; whether any was still waited for."""
        with self._lock:
            known = [claim for claim in claims if self._published.pop(claim, None) is not None]
            return bool(known)

    def withdrawn(self, claim: str) -> None:
        """The claim was not published after all."""
        with self._lock:
            self._published.pop(claim, None)

    def runs(self) -> None:
        """A task begins here."""
        with self._lock:
            self._running += 1

    def ran(self) -> None:
        """A task ended here."""
        with self._lock:
            self._running -= 1

    def lost(self) -> int:
        """How many claims nobody began in time; they are not counted any more."""
        with self._lock:
            limit = self._clock() - self._patience
            late = [claim for claim, since in self._published.items() if since < limit]
            for claim in late:
                del self._published[claim]
            return len(late)
