"""Deadlines that have passed: each member names a wait, and ends it once or not at all.

The state server's clock decides in the commit whether a deadline has passed, and the wait whether it still
counts, so it does not matter how often, when and by whom this is called. Every kind of wait has its command
here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from servito_table.app.commands import EndIdle, EndOffer, EndProposal, Expire
from servito_table.app.refusals import NotDue, TableReason, TableRefused

if TYPE_CHECKING:
    from servito_table.app.play import Play
    from servito_table.app.ports import Monitor, Store


_OVER: Final = frozenset(
    {
        TableReason.STALE_TURN,
        TableReason.STALE_PROPOSAL,
        TableReason.NO_PROPOSAL,
        TableReason.UNKNOWN_TABLE,
    }
)
_BESIDE: Final[Mapping[str, Callable[[int], EndProposal | EndIdle | EndOffer]]] = {
    "p": EndProposal,
    "r": EndIdle,
    "o": EndOffer,
}
"""The waits beside the turn, by their letters (`waits`, `seat_waits`)."""


class Expiry(StrEnum):
    """What became of a member; the names are those of the proto's ExpireResult."""

    EXPIRED = "expired"
    STALE = "stale"
    NOT_DUE = "not_due"
    FAILED = "failed"


async def expire(play: Play, store: Store, monitor: Monitor, table_id: str, wait: str) -> Expiry:
    """End `wait` (the number of a turn, or a letter and a number) if its deadline has passed; a member whose
    wait is over is dropped. FAILED also for a kind that only newer releases know: they will be asked as well.
    """
    command = _command(wait)
    if command is None:
        return Expiry.FAILED
    try:
        await play.run(table_id, command)
    except NotDue:
        return Expiry.NOT_DUE
    except TableRefused as refused:
        if refused.reason in _OVER:
            return await _forgotten(store, table_id, wait)
        monitor.stalled(table_id, refused.message)
        return Expiry.FAILED
    return Expiry.EXPIRED


def _command(wait: str) -> Expire | EndProposal | EndIdle | EndOffer | None:
    if wait.isdecimal():
        return Expire(int(wait))
    ends = _BESIDE.get(wait[:1])
    return None if ends is None else ends(int(wait[1:]))


async def _forgotten(store: Store, table_id: str, wait: str) -> Expiry:
    try:
        return Expiry.STALE if await store.forget_wait(table_id, wait) else Expiry.FAILED
    except TableRefused:
        return Expiry.FAILED
