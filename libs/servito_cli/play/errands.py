"""The calls behind the wishes of a person at a table, and what he is told of them.

Not here: leaving, which ends the session (session.py)."""

from __future__ import annotations

import asyncio
from typing import Final

from servito_cli.play.desk import Desk
from servito_cli.play.wishes import Act, Answer, Beforehand, BuyIn, Propose, SitIn, SitOut, TopUp
from servito_cli.table.running import why
from servito_cli.table.watching import TICK_SECONDS
from servito_cli.texts import TEXTS, Language
from servito_client.client import Servito
from servito_client.errors import Refusal, TableError
from servito_client.seat import Seat

BEFOREHAND_TRIES: Final = 4

Errand = Act | Beforehand | Propose | Answer | BuyIn | TopUp | SitOut | SitIn


class Errands:
    """Those of one person at one table."""

    def __init__(self, servito: Servito, table_id: str, buy_in: int, desk: Desk, language: Language) -> None:
        self._servito, self._table_id, self._buy_in = servito, table_id, buy_in
        self._desk, self._language, self._texts = desk, language, TEXTS[language].play

    async def run(self, stream: Seat, wish: Errand) -> None:
        """Carries out a wish. Raises TableError when it cannot be."""
        match wish:
            case Act():
                await stream.act(wish.offer, wish.action)
            case Beforehand():
                await self._decide_beforehand(wish)
            case Propose():
                await self._propose(wish)
            case Answer():
                await self._servito.answer_proposal(self._table_id, wish.proposal_id, agree=wish.agree)
            case BuyIn():
                await self._servito.top_up(self._table_id, self._buy_in)
            case TopUp():
                if await self._servito.top_up(self._table_id, wish.amount) is None:
                    self._desk.message = self._texts.added_later
            case SitOut():
                await self._servito.sit_out(self._table_id)
            case SitIn():
                await self._servito.sit_in(self._table_id)

    async def _decide_beforehand(self, wish: Beforehand) -> None:
        """Others may have acted since the key was pressed: as long as it means the same it is said again."""
        for _ in range(BEFOREHAND_TRIES):
            try:
                await self._servito.set_pre_action(wish.moment, wish.wanted)
            except Refusal as refusal:
                if refusal.reason != "STALE_TURN":
                    raise
                await asyncio.sleep(TICK_SECONDS / 2)  # the stream tells of it in a moment
                again = self._desk.still(wish)
                if again is None:
                    raise
                wish = again
            else:
                return

    async def _propose(self, wish: Propose) -> None:
        """Which defects the rules would have is told in the table's own words."""
        try:
            await self._servito.propose_rules(self._table_id, wish.changes)
        except TableError as failure:
            self._desk.message = f"{why(failure, self._language)} ({failure.message})"
        else:
            self._desk.message = self._texts.proposed
