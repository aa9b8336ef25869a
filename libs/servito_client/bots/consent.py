"""What a bot answers when somebody proposes other rules: what it was told to, once.

Here: which proposal it is asked about, from what its stream tells. Not here: proposing, which no bot does."""

from __future__ import annotations

from typing import Final

from servito_client.client import Servito
from servito_client.errors import Refusal
from servito_client.messages import Event, RulesAccepted, RulesLapsed, RulesProposed, TableView

SETTLED: Final = frozenset(
    {"NO_PROPOSAL", "STALE_PROPOSAL", "ALREADY_ANSWERED", "TOO_LATE", "NOT_SEATED", "TABLE_CLOSED"}
)
"""Refusals that say that no answer is needed any more."""


class Consent:
    """The answers of one bot at one table."""

    def __init__(self, servito: Servito, table_id: str) -> None:
        self._servito, self._table_id = servito, table_id
        self._asked: int | None = None

    def snapshot(self, table: TableView, seat: int | None) -> None:
        """Starts over from the whole table; `seat` is the bot's."""
        open_ = table.HasField("proposal") and not table.proposal.accepted
        asked = open_ and seat is not None and seat not in table.proposal.agreed
        self._asked = table.proposal.proposal_id if asked else None

    def event(self, event: Event, seat: int | None) -> None:
        """Takes in one event."""
        match event:
            case RulesProposed() if event.seat != seat:
                self._asked = event.proposal_id
            case RulesProposed() | RulesAccepted() | RulesLapsed():
                self._asked = None

    async def answer(self, *, agree: bool) -> None:
        """Answers so, if the bot is asked."""
        asked, self._asked = self._asked, None
        if asked is None:
            return
        try:
            await self._servito.answer_proposal(self._table_id, asked, agree=agree)
        except Refusal as refusal:
            if refusal.reason not in SETTLED:
                raise
