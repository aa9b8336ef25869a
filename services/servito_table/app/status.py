"""How far a table is in its course, and what that alone forbids."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from servito_table.app.refusals import TableReason, TableRefused

if TYPE_CHECKING:
    from servito_table.app.state import TableState


class Status(StrEnum):
    """The names are those of the proto's TableStatus, explained there."""

    OPEN = "open"
    PAUSED = "paused"
    CLOSING = "closing"
    CLOSED = "closed"


def not_closed(state: TableState) -> None:
    """Refused: TABLE_CLOSED, where it is or is about to be."""
    if state.status is Status.CLOSING:
        raise TableRefused(TableReason.TABLE_CLOSED, "the table closes with the hand that runs")
    if state.status is Status.CLOSED:
        raise TableRefused(TableReason.TABLE_CLOSED, "the table is closed")
