"""The drain's ports on the state server and on the archive (`servito_history`), for its one thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from servito_history.entries import Taken as TakenEntries
from servito_history.errors import HistoryAway, HistoryRefused
from servito_history.streams import Streams
from servito_history.writing import Archive
from servito_platform.redis import StateUnavailable
from servito_timers.app.drain import ArchiveAway, ArchiveRefused, Stored, Taken
from servito_timers.app.ports import StateAway


class StateWaiting:
    """See `app.drain.Waiting`."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def waiting(self) -> Mapping[int, int]:
        """See Waiting."""
        with _state():
            return self._streams.waiting()

    def take(self, partitions: Sequence[int], most: int) -> Sequence[Taken]:
        """See Waiting."""
        with _state():
            return self._streams.take(partitions, most)

    def throw_away(self, taken: Sequence[Taken]) -> None:
        """See Waiting."""
        with _state():
            self._streams.trim(_entries(taken))

    def forget(self, seconds: float) -> None:
        """See Waiting."""
        with _state():
            self._streams.forget(seconds)


class SqlArchive:
    """See `app.drain.Archive`."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def prepare(self) -> None:
        """See Archive."""
        with _archive():
            self._archive.prepare()

    def store(self, taken: Sequence[Taken]) -> Stored:
        """See Archive."""
        entries = _entries(taken)
        with _archive():
            appended = self._archive.append(
                [found.commit for each in entries for found in each.commits],
                [found.payment for each in entries for found in each.payments],
            )
        return Stored(appended.commits, appended.payments)


def _entries(taken: Sequence[Taken]) -> Sequence[TakenEntries]:
    """The use case hands on what `take` gave it."""
    return cast("Sequence[TakenEntries]", taken)


@contextmanager
def _state() -> Iterator[None]:
    try:
        yield
    except StateUnavailable as error:
        raise StateAway from error


@contextmanager
def _archive() -> Iterator[None]:
    try:
        yield
    except HistoryAway as error:
        raise ArchiveAway(str(error)) from error
    except HistoryRefused as error:
        raise ArchiveRefused(str(error)) from error
