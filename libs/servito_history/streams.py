"""The state server's side: what waits for the history, taken under a lease and thrown away when it is stored.

The lease spares work and is no lock: what two drainers do at once is done once, because the archive takes
each entry once and the state server throws each away once. Blocking; errors: StateUnavailable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from servito_history.entries import Taken, TakenCommit
from servito_platform.redis import Script, StateUnavailable, send_each

if TYPE_CHECKING:
    from servito_platform.clients import BlockingClient
    from servito_platform.keys import Keys

_TAKE: Final = Script.of_package("servito_history", "take.lua")
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

    def behind(self) -> Behind:
        """Look at all partitions, and take nothing."""
        keys = [
            key
            for number in range(self._keys.partitions)
            for key in (self._keys.audit(number), self._keys.journal(number))
        ]
        asked: list[tuple[str, tuple[str | int, ...]]] = [(keys[0], ("TIME",))]
        for key in keys:
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
        calls = [
            (
                [self._keys.audit(number), self._keys.journal(number), self._keys.drain(number)],
                (self._worker, self._lease_ms, most),
            )
            for number in partitions
        ]
        answers = _TAKE.run_blocking_each(self._client, calls)
        found = [
            Taken.read(number, *answer)
            for number, answer in zip(partitions, answers, strict=True)
            if answer and not isinstance(answer, StateUnavailable)
        ]
        self._add_records(found)
        return found

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
            own: TakenCommit = taken.commits[place]
            taken.commits[place] = own.with_record(elements)


def _all(answers: list[Any]) -> list[Any]:
    """The first error among them is raised."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers
