"""Whether claims go through the broker or are carried out by the sweeper itself.

The broker is only an accelerator. It counts as good while its messages are taken and begun in time, and as
away otherwise: then the sweeper does the work and sends an empty trial claim from time to time. The first
trial that a worker begins makes the broker good again, so no deadline is ever late for having been the test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 2.0


class BrokerWay:
    """The state of the broker as this worker sees it. It starts as away: no consumer is up yet."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._good = False
        self._pause = _FIRST_PAUSE
        self._next_trial = clock()
        self._deaf_since: float | None = None

    @property
    def good(self) -> bool:
        """Whether claims go through the broker."""
        return self._good

    @property
    def trial_due(self) -> bool:
        """Whether it is time for a trial."""
        return not self._good and self._clock() >= self._next_trial

    @property
    def deaf_seconds(self) -> float:
        """For how long the broker has been taking messages that nobody begins."""
        return 0.0 if self._deaf_since is None else self._clock() - self._deaf_since

    def begun(self, *, in_time: bool) -> None:
        """A message was begun; one that was given up before proves that somebody hears, and no more."""
        self._deaf_since = None
        if in_time:
            self._pause = _FIRST_PAUSE
            self._good = True

    def refused(self) -> None:
        """The broker did not take a message."""
        self._deaf_since = None
        self._away()

    def unheard(self) -> None:
        """A message was taken and not begun in time."""
        if self._deaf_since is None:
            self._deaf_since = self._clock()
        self._away()

    def _away(self) -> None:
        self._good = False
        self._next_trial = self._clock() + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
