"""How a person gets a seat: at once, from the waiting list, or by asking where he may not watch the table.

Here: the calls, what he bought in with, and whether he still waits. Not here: the course of the session
(session.py), keys and screen while he waits unseen (unseen.py)."""

from __future__ import annotations

from servito_cli.texts.form.play import PlayTexts
from servito_client.client import Servito
from servito_client.errors import Refusal


class Arrival:
    """One person's way to a seat of one table."""

    def __init__(self, servito: Servito, table_id: str, buy_in: int, texts: PlayTexts) -> None:
        self._servito, self._table_id, self._buy_in, self._texts = servito, table_id, buy_in, texts
        self.bought = 0
        """The chips that he sat down with."""
        self.waiting = False
        """He has no seat yet, and waits for one."""
        self.message = ""
        """What to tell him when he has sat down."""

    async def sit(self) -> None:
        """Who sits there already, from a session that was lost, goes on; who finds no seat waits for one."""
        try:
            seated = await self._servito.sit(self._table_id, buy_in=self._buy_in)
        except Refusal as refusal:
            if refusal.reason == "TABLE_FULL":
                await self._wait()
            elif refusal.reason == "ALREADY_SEATED":
                self.waiting = False
            else:
                raise
        else:
            self.waiting = False
            self.bought += self._buy_in
            self.message = self._texts.sat.format(seat=seated.seat, amount=self._buy_in)

    async def give_back(self) -> None:
        """His seat, or his place in the list."""
        if self.waiting:
            await self._servito.leave_waiting_list(self._table_id)
        else:
            await self._servito.stand(self._table_id)

    async def may_look(self) -> bool:
        """Whether he is shown the table while he waits: it may have no spectators."""
        try:
            await self._servito.table(self._table_id)
        except Refusal as refusal:
            if refusal.reason != "NOT_PERMITTED":
                raise
            return False
        return True

    async def _wait(self) -> None:
        """Gets into the waiting list, unless he is there already; where a seat got free meanwhile, sits."""
        self.waiting = True
        try:
            await self._servito.join_waiting_list(self._table_id)
        except Refusal as refusal:
            if refusal.reason == "SEAT_FREE":
                await self.sit()
            elif refusal.reason != "ALREADY_WAITING":
                raise
