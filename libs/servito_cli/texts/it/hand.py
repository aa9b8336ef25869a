"""Italian: `form/hand.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.hand import HandTexts
from servito_client.messages import Outcome

HAND: Final = HandTexts(
    columns=("mano", "iniziata", "giocatori", "fine"),
    none="Di questo tavolo non è conservata nessuna mano.",
    heading="Mano {hand_id}, iniziata {ago}",
    ago="{time} fa",
    cut="  L'inizio non è più conservato: si può raccontare solo la fine.",
    runs="in corso",
    runs_still="  ... e la mano continua.",
    ends={
        Outcome.OUTCOME_SHOWDOWN: "carte scoperte",
        Outcome.OUTCOME_UNCONTESTED: "vinta senza scoprire",
        Outcome.OUTCOME_PASSED_OUT: "nessuno ha aperto",
        Outcome.OUTCOME_CARRIED_OVER: "piatto riportato",
        Outcome.OUTCOME_VOID: "annullata",
    },
)
