"""The course of a session: stream, keys and clock in one loop, wishes carried out beside it.

Everything that happens comes through one queue, so the desk is only touched by the loop. Who is interrupted
(Ctrl-C, a closed terminal) stands up before he goes. Not here: what is shown (desk.py), the calls behind
wishes (errands.py), the way to a seat (arriving.py)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from rich.live import Live
from rich.text import Text

from servito_cli.play.arriving import Arrival
from servito_cli.play.desk import Desk
from servito_cli.play.errands import Errands
from servito_cli.play.inbox import Inbox
from servito_cli.play.keys import Keys
from servito_cli.play.unseen import wait_unseen
from servito_cli.play.wishes import Leave
from servito_cli.table.running import why
from servito_cli.table.watching import TICK_SECONDS
from servito_cli.texts import TEXTS, Language
from servito_client.client import Servito
from servito_client.errors import TableError
from servito_client.messages import StandReason
from servito_client.seat import Seat
from servito_client.updates import Told

GOODBYE_SECONDS: Final = 3.0
"""How long standing up may take when the command is interrupted."""


class Session:
    """One person's session at one table. `run` returns the sentence that closes it."""

    def __init__(self, servito: Servito, table_id: str, buy_in: int, desk: Desk, language: Language) -> None:
        self._servito, self._table_id = servito, table_id
        self._desk, self._language, self._texts = desk, language, TEXTS[language].play
        self._inbox = Inbox()
        self._arrival = Arrival(servito, table_id, buy_in, self._texts)
        self._errands = Errands(servito, table_id, buy_in, desk, language)
        self._closing: str | None = None
        self._leaving = False
        self.terminal_gone = False
        """Nobody reads any more."""

    async def run(self, live: Live, descriptor: int) -> str:
        """Plays until the person has left. Raises TableError when the table is lost."""
        await self._sit()
        async with self._standing_up():
            if self._arrival.waiting and not await self._arrival.may_look():
                await self._wait_unseen(live, descriptor)
            return self._closing or await self._play(live, descriptor)

    async def _play(self, live: Live, descriptor: int) -> str:
        async with self._servito.play(self._table_id) as stream, self._inbox.ending_work():
            self._inbox.start(self._listen(stream))
            with Keys(descriptor, lambda key: self._inbox.put(partial(self._key, stream, key))):
                while self._closing is None:
                    live.update(self._desk.picture(), refresh=True)
                    await self._inbox.work_off(TICK_SECONDS)
            return self._closing

    async def _sit(self) -> None:
        await self._arrival.sit()
        self._desk.message = self._arrival.message or self._desk.message

    async def _wait_unseen(self, live: Live, descriptor: int) -> None:
        """Until he has a seat, or enough of waiting."""
        leave = self._texts.leave
        told = Text(self._texts.waits_unseen.format(leave=leave))

        async def seated() -> bool:
            live.update(told, refresh=True)  # each time: the terminal may have another size
            await self._sit()
            return not self._arrival.waiting

        ended = await wait_unseen(seated, descriptor, leave)
        if ended is None:
            self.terminal_gone = True
            self._left(None)
        elif ended == leave:
            await self._leave()

    def _told(self, told: Told) -> None:
        waited, had = self._desk.waits, self._desk.seat
        self._desk.told(told)
        if self._arrival.waiting:
            self._told_waiting(waited)
        elif self._desk.seat is not None:
            return
        elif self._leaving:
            self._left(self._desk.stood)
        elif had is not None:
            self._leaving = True
            self._put_out()

    def _told_waiting(self, waited: bool) -> None:
        """Whether his seat has come; `waited`: he was in the list before this was told."""
        if self._desk.is_offered_a_seat and not self._desk.busy:
            self._do(self._sit)
        elif waited and not (self._leaving or self._desk.waits or self._desk.seat is not None):
            self._closing = self._texts.waited_in_vain

    def _key(self, stream: Seat, key: str | None) -> None:
        if key is None:
            self.terminal_gone = True
            self._left(None)
            return
        if self._leaving:
            if key == self._texts.leave:
                self._left(None)
            return
        wish = self._desk.key(key)
        if isinstance(wish, Leave):
            self._do(self._leave)
        elif wish is not None:
            self._do(partial(self._errands.run, stream, wish))

    def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        """Keys have to wait until it is done."""
        self._desk.busy = True
        self._inbox.start(self._done(work))

    async def _done(self, work: Callable[[], Awaitable[None]]) -> None:
        """What keeps him from it is told."""
        try:
            await work()
        except TableError as failure:
            self._desk.message = why(failure, self._language)
        finally:
            self._desk.busy = False

    async def _leave(self) -> None:
        self._desk.stood, self._leaving = None, True
        if self._arrival.waiting:
            await self._servito.leave_waiting_list(self._table_id)
            self._closing = self._texts.stops_waiting
            return
        cashed_out = await self._servito.stand(self._table_id)
        if cashed_out is not None:
            self._left(cashed_out)
        self._desk.message = self._texts.leaving

    def _left(self, amount: int | None) -> None:
        closing = self._texts.left_later if amount is None else self._texts.left
        self._closing = closing.format(amount=amount, bought=self._arrival.bought + self._desk.added)

    def _put_out(self) -> None:
        """His seat is gone though he did not leave it; with how many chips is not known from a snapshot."""
        told = self._texts.put_out
        closing = told.get(self._desk.why_stood) or told[StandReason.STAND_REASON_UNSPECIFIED]
        if self._desk.stood is not None:
            self._left(self._desk.stood)
            closing = f"{closing} {self._closing}"
        self._closing = closing

    async def _listen(self, stream: Seat) -> None:
        async for told in stream:
            self._inbox.put(partial(self._told, told))

    @asynccontextmanager
    async def _standing_up(self) -> AsyncIterator[None]:
        """Gives the seat back, whatever ended the session before the person left by himself."""
        try:
            yield
        finally:
            if not self._leaving:
                with suppress(TableError, TimeoutError):
                    async with asyncio.timeout(GOODBYE_SECONDS):
                        await self._arrival.give_back()
