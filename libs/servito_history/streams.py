"""The state server's side: what waits for the history, taken under a lease and thrown away when it is stored.

The lease spares work and is no lock: what two drainers do at once is done once, because the archive takes
each entry once and the state server throws each away once. Blocking; errors: StateUnavailable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from servito_history.entries import Taken
from servito_platform.redis import Script, StateUnavailable, send_each

if TYPE_CHECKING:
    from servito_platform.clients import BlockingClient
    from servito_platform.keys import Keys

_TRIM: Final = Script.of_package("servito_history", "trim.lua")


@dataclass(frozen=True, slots=True)
class Behind:
    """What waits in all partitions: how many entries, and since when the oldest does (server ms; None:
    nothing waits); `now` in server ms.
    """

    entries: int
    oldest: int | None
    now: int
    waiting: tuple[int, ...]
    """Partitions that have something, the one with the oldest first."""

    @property
    def seconds(self) -> float:
        """How long the oldest has waited."""
        return 0.0 if self.oldest is None else max(0.0, (self.now - self.oldest) / 1000)


class Streams:
    """See the module; `worker` is this drainer's own name."""

    def __init__(self, client: BlockingClient, keys: Keys, *, worker: str, lease_seconds: float) -> None:
        self._client = client
        self._keys = keys
        self._worker = worker
        self._lease_ms = round(lease_seconds * 1000)
        self._streams = [
            key for number in range(keys.partitions) for key in (keys.audit(number), keys.journal(number))
        ]

    def waiting(self) -> dict[int, int]:
        """How many entries wait in each partition that has some, and whose server answers."""
        told = _in_pairs(send_each(self._client, [(key, ("XLEN", key)) for key in self._streams]))
        return {number: sum(pair) for number, pair in enumerate(told) if pair and any(pair)}

    def behind(self) -> Behind:
        """Look at all partitions, and take nothing."""
        asked: list[tuple[str, tuple[str | int, ...]]] = [(self._streams[0], ("TIME",))]
        for key in self._streams:
            asked += [(key, ("XLEN", key)), (key, ("XRANGE", key, "-", "+", "COUNT", 1))]
        clock, *told = _all(send_each(self._client, asked))
        oldest: dict[int, int] = {}
        for place, first in enumerate(told[1::2]):
            if first:
                at = int(bytes(first[0][0]).partition(b"-")[0])
                oldest[place // 2] = min(at, oldest.get(place // 2, at))
        now = int(clock[0]) * 1000 + int(clock[1]) // 1000
        waiting = sorted(oldest, key=lambda number: oldest[number])
        return Behind(sum(told[::2]), min(oldest.values(), default=None), now, tuple(waiting))

    def take(self, partitions: Sequence[int], most: int) -> list[Taken]:
        """Take at most `most` entries of each stream of these partitions, where nobody else is draining."""
        own = self._leased(partitions)
        asked: list[tuple[str, tuple[str | int, ...]]] = [
            (key, ("XRANGE", key, "-", "+", "COUNT", most))
            for number in own
            for key in (self._keys.audit(number), self._keys.journal(number))
        ]
        told = _in_pairs(send_each(self._client, asked))
        found = [Taken.read(number, *pair) for number, pair in zip(own, told, strict=True) if pair]
        self._add_records(found)
        return found

    def _leased(self, partitions: Sequence[int]) -> list[int]:
        """Those of them that are now this worker's, or were before."""
        asked: list[tuple[str, tuple[str | int, ...]]] = []
        for number in partitions:
            key = self._keys.drain(number)
            asked += [(key, ("SET", key, self._worker, "NX", "PX", self._lease_ms)), (key, ("GET", key))]
        told = _in_pairs(send_each(self._client, asked))
        own = self._worker.encode()
        return [number for number, pair in zip(partitions, told, strict=True) if pair and pair[1] == own]

    def trim(self, taken: Iterable[Taken]) -> int:
        """Throw away what is archived, and give the partitions back; how many entries it were."""
        calls = [
            (
                [
                    self._keys.audit(each.partition),
                    self._keys.journal(each.partition),
                    self._keys.drain(each.partition),
                    self._keys.carried(each.partition),
                ],
                (self._worker, *each.named()),
            )
            for each in taken
        ]
        return sum(cast("list[int]", _all(_TRIM.run_blocking_each(self._client, calls)))) if calls else 0

    def forget(self, seconds: float) -> int:
        """Throw away commits older than this, for where there is no archive; how many it were."""
        oldest = self.behind().now - round(seconds * 1000)
        keys = [self._keys.audit(number) for number in range(self._keys.partitions)]
        asked = [(key, ("XTRIM", key, "MINID", oldest)) for key in keys]
        return sum(cast("list[int]", _all(send_each(self._client, asked))))

    def _add_records(self, found: list[Taken]) -> None:
        """Of each hand that ended, what the dealer recorded: before long it is forgotten there."""
        ending = [(taken, place) for taken in found for place, each in enumerate(taken.commits) if each.ends]
        keys = [self._keys.hand(str(taken.commits[place].ends)) for taken, place in ending]
        records = _all(send_each(self._client, [(key, ("LRANGE", key, 0, -1)) for key in keys]))
        for (taken, place), elements in zip(ending, records, strict=True):
            taken.commits[place] = taken.commits[place].with_record(elements)


def _in_pairs(answers: list[Any]) -> list[tuple[Any, Any] | None]:
    """Two by two; None where a silent server owes one, but StateUnavailable if all are silent. The first
    error of a server is raised.
    """
    silent = [each for each in answers if isinstance(each, StateUnavailable)]
    if silent and len(silent) == len(answers):
        raise silent[0]
    _all([each for each in answers if not isinstance(each, StateUnavailable)])
    pairs = zip(answers[::2], answers[1::2], strict=True)
    return [None if any(isinstance(each, StateUnavailable) for each in pair) else pair for pair in pairs]


def _all(answers: list[Any]) -> list[Any]:
    """The first error among them is raised."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers
