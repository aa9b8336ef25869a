"""Whether the table service answers: only then are deadlines carried out, and a sweep of them counts.

Used by the sweeper and by the threads that carry out tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Lock

from servito_timers.app.ports import TableAway


class Reach:
    """Knows the calls under way, and whether the last one that ended was answered."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._names = count()
        self._under_way: dict[int, float] = {}
        self._unanswered: float | None = None

    @property
    def silent_seconds(self) -> float:
        """For how long a call has been waiting for its answer, or the last one did in vain; 0: none."""
        with self._lock:
            since = [*self._under_way.values()]
            if self._unanswered is not None:
                since.append(self._unanswered)
            return max(0.0, self._clock() - min(since)) if since else 0.0

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Around a call of the table service; lets TableAway through."""
        begun = self._clock()
        with self._lock:
            name = next(self._names)
            self._under_way[name] = begun
        try:
            yield
        except TableAway:
            with self._lock:
                if self._unanswered is None:
                    self._unanswered = begun
            raise
        else:
            with self._lock:
                self._unanswered = None
        finally:
            with self._lock:
                del self._under_way[name]
