"""Deadlines that have passed: each member names a turn, and ends it once or not at all.

The state server's clock decides in the commit whether a deadline has passed, and the turn whether it still
counts, so it does not matter how often, when and by whom this is called.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from servito_table.app.commands import Expire
from servito_table.app.refusals import NotDue, TableReason, TableRefused

if TYPE_CHECKING:
    from servito_table.app.play import Play
    from servito_table.app.ports import Monitor, Store


class Expiry(StrEnum):
    """What became of a member; the names are those of the proto's ExpireResult."""

    EXPIRED = "expired"
    STALE = "stale"
    NOT_DUE = "not_due"
    FAILED = "failed"


async def expire(play: Play, store: Store, monitor: Monitor, table_id: str, turn: int) -> Expiry:
    """End `turn` if its deadline has passed; a member whose turn is over is dropped."""
    try:
        await play.run(table_id, Expire(turn))
    except NotDue:
        return Expiry.NOT_DUE
    except TableRefused as refused:
        if refused.reason in (TableReason.STALE_TURN, TableReason.UNKNOWN_TABLE):
            return await _forgotten(store, table_id, turn)
        monitor.stalled(table_id, refused.message)
        return Expiry.FAILED
    return Expiry.EXPIRED


async def _forgotten(store: Store, table_id: str, turn: int) -> Expiry:
    try:
        return Expiry.STALE if await store.forget_turn(table_id, turn) else Expiry.FAILED
    except TableRefused:
        return Expiry.FAILED
