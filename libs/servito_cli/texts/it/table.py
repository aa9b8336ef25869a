"""Italian: `form/table.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.table import TableTexts
from servito_client.messages import Phase, SitOutReason, TableStatus

TABLE: Final = TableTexts(
    columns=("tavolo", "nome", "regole", "posti", "puglia", "tempo", "mani", "stato"),
    statuses={
        TableStatus.TABLE_STATUS_PAUSED: "in pausa",
        TableStatus.TABLE_STATUS_CLOSING: "in chiusura",
        TableStatus.TABLE_STATUS_CLOSED: "chiuso",
    },
    maintenance="manutenzione",
    none="Non c'è nessun tavolo.",
    connecting="In attesa del tavolo ...",
    heading="{name}   {preset}   mano {number}   {cards} carte {ranks}",
    heading_before="{name}   {preset}   ancora nessuna mano",
    free="libero",
    bet="punta {amount}",
    button="M",
    you=" (tu)",
    pot="piatto {amount}",
    carried="{amount} rimaste da prima",
    stock="{count} carte nel tallone",
    phases={
        Phase.PHASE_UNSPECIFIED: "si aspettano giocatori",
        Phase.PHASE_DEAL: "si danno le carte",
        Phase.PHASE_OPENING: "apertura",
        Phase.PHASE_FIRST_ROUND: "primo giro",
        Phase.PHASE_DRAW: "accomodo",
        Phase.PHASE_DEFERRED: "carte dovute",
        Phase.PHASE_SECOND_ROUND: "secondo giro",
        Phase.PHASE_SHOWDOWN: "si scopre",
        Phase.PHASE_OVER: "mano finita",
        Phase.PHASE_BLINDS: "bui",
    },
    requirement="apre {requirement}",
    clock="{seconds} sec",
    clock_more="{seconds} sec, poi +{left}",
    folded="ha lasciato",
    all_in="tutto il resto",
    pat="servito",
    drew="{count} cambiate",
    owed="{count} dovute",
    left="se ne va",
    sits_out={
        SitOutReason.SIT_OUT_REASON_ASKED: "salta le mani",
        SitOutReason.SIT_OUT_REASON_AWAY: "non risponde",
    },
    waiting="in attesa: {names}",
    offered="{name} (posto {seat})",
    not_dealt="fuori da questa mano",
)
