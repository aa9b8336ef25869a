"""Who may look at a table, and at the hands that were played there.

Everybody, also who is nobody in particular, unless the table was created without spectators: then who has a
seat there or for whom one is held, and its owner. What of it they are shown is another question
(`messages.views`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.refusals import TableReason, TableRefused

if TYPE_CHECKING:
    from servito_table.app.state import TableState


def may_look(state: TableState, player: str | None) -> bool:
    """Whether `player` may; None: somebody who does not say who he is."""
    if not state.config.no_spectators:
        return True
    if player is None:
        return False
    if player == state.owner or state.seat_of(player) is not None:
        return True
    return any(waiter.player == player and waiter.seat is not None for waiter in state.waiting)


def check_may_look(state: TableState, player: str | None) -> None:
    """Refused: NOT_PERMITTED."""
    if not may_look(state, player):
        raise TableRefused(TableReason.NOT_PERMITTED, "this table is shown to those who have a seat there")
