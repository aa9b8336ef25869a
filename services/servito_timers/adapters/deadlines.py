"""The deadlines in the state server, by the platform's claim script.

Theory. Most sweeps find nothing due, and a script for each of 64 partitions ten times a second costs the
state server more than everything else that timers do. So a sweep looks at the next deadline of each
partition, and claims only where one is due by the server's clock, as the last claim told it, and where the
last claim is half a second old: then the sweep is noted, and the clock is known anew. A deadline that was set
meanwhile is seen by the next look, as it would be by the next claim.

Used by the sweeper's thread and, for `tell_taken` alone, by the threads of tasks; redis-py's client is safe
for that. Changes with servito_platform's deadlines and keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from servito_platform import deadlines as platform
from servito_platform.clients import BlockingClient
from servito_platform.keys import Keys
from servito_platform.redis import StateUnavailable, send_each, unavailable_on_no_answer
from servito_timers.app.ports import Claim, Claims, Due, Outage, StateAway

_CLAIM_AFTER: Final = 0.5
"""Seconds; see claim.lua: so each partition's sweep is noted once a second at least."""
_TAKEN_LIVES: Final = 30
"""Seconds after which notices for a worker that is gone disappear."""
_TAKEN_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class _Told:
    """What the last claim of a partition told of the server's clock."""

    server_ms: int
    at: float
    """When it was asked: the server's clock was at `server_ms` then or a little later."""

    def now(self, at: float) -> float:
        """The server's clock at that moment, or a little later: what is due is never seen too late."""
        return self.server_ms + (at - self.at) * 1000


class RedisDeadlines:
    """See `app.ports.Deadlines`; `worker` is this worker's own name. `clock`: seconds, monotonic."""

    def __init__(
        self,
        client: BlockingClient,
        keys: Keys,
        *,
        worker: str,
        lease_seconds: float,
        outage_ms: int,
        clock: Callable[[], float],
    ) -> None:
        self._client = client
        self._keys = keys
        self._deadlines = platform.Deadlines(client, keys)
        self._worker = worker
        self._lease_ms = round(lease_seconds * 1000)
        self._outage_ms = outage_ms
        self._clock = clock
        self._told: dict[int, _Told] = {}

    def claim(self, limits: Mapping[int, int], silent_seconds: float) -> Claims:
        """See Deadlines."""
        at = self._clock()
        try:
            asked, wait = self._look(limits, at)
            claims = self._claim_each(asked, silent_seconds)
        except StateUnavailable as error:
            self._told.clear()
            raise StateAway from error
        return Claims(claims, wait)

    def _look(self, limits: Mapping[int, int], at: float) -> tuple[dict[int, int], float | None]:
        """Partitions that are to be claimed, with their limits; and seconds until the next deadline of the
        others.
        """
        asked: dict[int, int] = {}
        waits = []
        for partition, next_ms in self._deadlines.next_each(limits).items():
            told = self._told.get(partition)
            if told is None or at - told.at >= _CLAIM_AFTER:
                asked[partition] = limits[partition]
            elif next_ms is not None:
                wait = next_ms - told.now(at)
                if wait <= 0:
                    asked[partition] = limits[partition]
                else:
                    waits.append(wait)
        return asked, min(waits) / 1000 if waits else None

    def _claim_each(self, asked: Mapping[int, int], silent_seconds: float) -> dict[int, Claim]:
        if not asked:
            return {}
        at = self._clock()
        sweep = platform.Sweep(self._outage_ms, round(silent_seconds * 1000))
        claims = self._deadlines.claim_each(asked, lease_ms=self._lease_ms, sweep=sweep)
        for partition in asked:
            self._told.pop(partition, None)
        self._told |= {partition: _Told(claim.server_ms, at) for partition, claim in claims.items()}
        return {partition: _claim(claim) for partition, claim in claims.items()}

    def tell_taken(self, worker: str, claim: str) -> None:
        """See Deadlines."""
        key = self._keys.taken(worker)
        commands: list[tuple[str, tuple[str | int, ...]]] = [
            (key, ("RPUSH", key, claim)),
            (key, ("EXPIRE", key, _TAKEN_LIVES)),
        ]
        for answer in send_each(self._client, commands):
            if isinstance(answer, StateUnavailable):
                raise StateAway from answer
            if isinstance(answer, Exception):
                raise answer

    def taken(self) -> Sequence[str]:
        """See Deadlines."""
        try:
            with unavailable_on_no_answer():
                names = self._client.lpop(self._keys.taken(self._worker), _TAKEN_AT_ONCE)
        except StateUnavailable as error:
            raise StateAway from error
        return [name.decode() for name in cast("list[bytes] | None", names) or ()]


def _outage(claim: platform.Claim) -> Outage | None:
    if claim.outage is None:
        return None
    began, ended = claim.outage
    return Outage((ended - began) / 1000, (claim.server_ms - ended) / 1000, ended)


def _claim(claim: platform.Claim) -> Claim:
    return Claim(
        due=tuple(Due(platform.member(due.table_id, due.wait), due.late_ms / 1000) for due in claim.due),
        wait_seconds=None if claim.wait_ms is None else claim.wait_ms / 1000,
        unreadable=len(claim.unreadable),
        outage=_outage(claim),
    )
