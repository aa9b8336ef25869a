"""The deadlines in the state server, by the platform's claim script.

Used by the sweeper's thread and, for `tell_taken` alone, by the threads of tasks; redis-py's client is safe
for that. Changes with servito_platform's deadlines and keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from servito_platform import deadlines as platform
from servito_platform.clients import BlockingClient
from servito_platform.keys import Keys
from servito_platform.redis import StateUnavailable, send_each, unavailable_on_no_answer
from servito_timers.app.ports import Claim, Due, Outage, StateAway

_TAKEN_LIVES: Final = 30
"""Seconds after which notices for a worker that is gone disappear."""
_TAKEN_AT_ONCE: Final = 64


class RedisDeadlines:
    """See `app.ports.Deadlines`; `worker` is this worker's own name."""

    def __init__(
        self, client: BlockingClient, keys: Keys, *, worker: str, lease_seconds: float, outage_ms: int
    ) -> None:
        self._client = client
        self._keys = keys
        self._deadlines = platform.Deadlines(client, keys)
        self._worker = worker
        self._lease_ms = round(lease_seconds * 1000)
        self._outage_ms = outage_ms

    def claim(self, limits: Mapping[int, int], silent_seconds: float) -> Mapping[int, Claim]:
        """See Deadlines."""
        sweep = platform.Sweep(self._outage_ms, round(silent_seconds * 1000))
        try:
            claims = self._deadlines.claim_each(limits, lease_ms=self._lease_ms, sweep=sweep)
        except StateUnavailable as error:
            raise StateAway from error
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
