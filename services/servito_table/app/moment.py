"""Whether a wish is about the moment that the table is in: its hand and its turn (PITFALLS of stale intents).

A wish that was made on another moment is refused as STALE_TURN and never carried out on this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import deals_of, hand_id

if TYPE_CHECKING:
    from servito_table.app.commands import Act
    from servito_table.app.commits import Known
    from servito_table.app.state import TableState


def check_turn(state: TableState, turn: int) -> None:
    """Refused: STALE_TURN for any other turn than the one of now."""
    if turn != state.turn:
        why = "is over" if turn < state.turn else "has not come yet"
        raise TableRefused(TableReason.STALE_TURN, f"turn {turn} {why}; the turn is {state.turn}")


def check_lineage(known: Known, act: Act) -> None:
    """Refused: STALE_TURN for a turn that the table has lost, if another one has its number now."""
    if act.turn == known.state.turn and 0 not in (act.lineage, known.begun) and act.lineage != known.begun:
        why = f"turn {act.turn} is another one now: the table lost the one that you were offered"
        raise TableRefused(TableReason.STALE_TURN, why)


def check_hand(state: TableState, wanted: str) -> None:
    """Refused: STALE_TURN for any other hand than the running one."""
    running, number = state.running, deals_of(state)
    if running is not None and wanted == hand_id(state.id, number):
        return
    table_id, _, named = wanted.rpartition("-")
    if table_id != state.id or not named.isdecimal():
        why = f"hand {wanted} is not of this table"
    elif int(named) > number:
        why = f"hand {wanted} has not come yet"
    else:
        why = f"hand {wanted} is over"
    now = "no hand is running" if running is None else f"the hand is {hand_id(state.id, number)}"
    raise TableRefused(TableReason.STALE_TURN, f"{why}; {now}")
