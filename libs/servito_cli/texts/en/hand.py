"""English: `form/hand.py`."""

from __future__ import annotations

from typing import Final

from servito_cli.texts.form.hand import HandTexts
from servito_client.messages import Outcome

HAND: Final = HandTexts(
    columns=("hand", "began", "players", "end"),
    none="No hand of this table is kept.",
    heading="Hand {hand_id}, begun {ago}",
    ago="{time} ago",
    cut="  Its beginning is no longer kept: only the end can be told.",
    runs="is being played",
    runs_still="  ... and the hand goes on.",
    ends={
        Outcome.OUTCOME_SHOWDOWN: "showdown",
        Outcome.OUTCOME_UNCONTESTED: "won without showdown",
        Outcome.OUTCOME_PASSED_OUT: "nobody opened",
        Outcome.OUTCOME_CARRIED_OVER: "carried over",
        Outcome.OUTCOME_VOID: "void",
    },
)
