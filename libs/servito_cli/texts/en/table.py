"""English: `form/table.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.table import TableTexts
from servito_client.messages import Phase, SitOutReason, TableStatus

TABLE: Final = TableTexts(
    columns=("table", "name", "rules", "seats", "buy-in", "clock", "hands", "status"),
    statuses={
        TableStatus.TABLE_STATUS_PAUSED: "paused",
        TableStatus.TABLE_STATUS_CLOSING: "closing",
        TableStatus.TABLE_STATUS_CLOSED: "closed",
    },
    maintenance="maintenance",
    none="There is no table.",
    connecting="Waiting for the table ...",
    heading="{name}   {preset}   hand {number}   {cards} cards {ranks}",
    heading_before="{name}   {preset}   no hand so far",
    free="free",
    bet="bet {amount}",
    button="D",
    you=" (you)",
    pot="pot {amount}",
    carried="{amount} of it carried",
    stock="{count} cards in the stock",
    phases={
        Phase.PHASE_UNSPECIFIED: "waiting for players",
        Phase.PHASE_DEAL: "the deal",
        Phase.PHASE_OPENING: "opening",
        Phase.PHASE_FIRST_ROUND: "first round",
        Phase.PHASE_DRAW: "draw",
        Phase.PHASE_DEFERRED: "owed cards",
        Phase.PHASE_SECOND_ROUND: "second round",
        Phase.PHASE_SHOWDOWN: "showdown",
        Phase.PHASE_OVER: "the hand is over",
        Phase.PHASE_BLINDS: "blinds",
    },
    requirement="opens with {requirement}",
    clock="{seconds} s",
    clock_more="{seconds} s, then +{left}",
    folded="folded",
    all_in="all in",
    pat="stands pat",
    drew="drew {count}",
    owed="{count} owed",
    left="leaving",
    sits_out={
        SitOutReason.SIT_OUT_REASON_ASKED: "sits out",
        SitOutReason.SIT_OUT_REASON_AWAY: "is away",
    },
    waiting="waiting: {names}",
    offered="{name} (seat {seat})",
    not_dealt="not in this hand",
)
