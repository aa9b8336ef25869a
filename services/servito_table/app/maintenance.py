"""Maintenance of the whole system: no hand begins at any table, hands that run are finished.

One mark in the state server says whether it is on, and every process reads it once a second. Three things
follow. A hand that is about to begin while the mark is on does not: its table is held instead, by a commit
like any other (`Gate`). Every other table is held, or released when the mark is off, by whichever process
walks through all of them (`Follower`), so that players are told and dealing goes on by itself. And a process
that has not read the mark for two seconds begins no hand before it has: it does not know.

Held is a field of the table beside its owner's pause, with the same events and the same wait; each of the two
keeps hands from beginning.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from servito_table.app.commands import Hold
from servito_table.app.listing import Wanted
from servito_table.app.refusals import NotDue, TableRefused
from servito_table.app.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servito_table.app.play import Play
    from servito_table.app.ports import Index, Monitor

FRESH_SECONDS: Final = 2.0
"""How long what was read counts; longer than the pause between two readings."""
READ_SECONDS: Final = 1.0
SETTLING_SECONDS: Final = 10.0
"""How long after a change a walk that finds nothing to do still does not end the matter: another process may
act on what it read before for as long as it is fresh, and as a commit takes.
"""
WALK_MS: Final = 2_000
"""Between two walks of all processes together while a change settles."""
ROUTINE_SECONDS: Final = 300.0
"""Between two walks otherwise: a failover may have lost the last commits of some."""
REST: Final = 4
"""Times as long as a walk took until the next one."""
PAGE: Final = 200
AT_ONCE: Final = 16

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Mark:
    """A change of maintenance, and what holds since then. `at`: server ms; `id` is "" for the state of before
    the first change.
    """

    id: str
    on: bool
    by: str
    why: str
    at: int


NEVER: Final = Mark("", on=False, by="", why="", at=0)


class Marks(Protocol):
    """The changes, in the state server."""

    async def latest(self) -> Mark:
        """What holds now; NEVER where nothing was ever changed. Raises Unavailable."""

    async def changes(self, most: int) -> tuple[Sequence[Mark], int]:
        """The latest ones, newest first, and the moment in server ms. Raises Unavailable."""

    async def put(self, *, on: bool, by: str, why: str) -> tuple[Mark, int]:
        """Change it, unless it is so already: what holds now, and the moment in server ms.

        Raises Unavailable, OutcomeUnknown, Unsafe.
        """

    async def mine(self, what: str, ms: int) -> bool:
        """Whether this process is to do it now: of all that ask within `ms` one is told so. Raises
        Unavailable.
        """


class Gate:
    """What this process knows of the mark. `seconds` is a clock that only moves on."""

    def __init__(self, marks: Marks, monitor: Monitor, seconds: Callable[[], float]) -> None:
        self._marks = marks
        self._monitor = monitor
        self._seconds = seconds
        self._mark = NEVER
        self._asked: float | None = None
        self.changed = asyncio.Event()
        """Set when another mark was read than before."""

    async def read(self) -> Mark:
        """What holds now. Raises Unavailable."""
        asked = self._seconds()
        self._learn(await self._marks.latest(), asked)
        return self._mark

    async def put(self, *, on: bool, by: str, why: str) -> tuple[Mark, int]:
        """See `Marks.put`; it is logged by the process that changed it."""
        before, asked = self._mark, self._seconds()
        mark, now = await self._marks.put(on=on, by=by, why=why)
        self._learn(mark, asked)
        if mark.id != before.id:
            _log.warning("maintenance", on=mark.on, by=mark.by, why=mark.why)
        return mark, now

    async def changes(self, most: int) -> tuple[Sequence[Mark], int]:
        """See `Marks.changes`."""
        return await self._marks.changes(most)

    async def holds(self) -> bool:
        """Whether no hand may begin now. Raises Unavailable where that is not known."""
        if self._asked is None or self._seconds() - self._asked > FRESH_SECONDS:
            await self.read()
        return self._mark.on

    def _learn(self, mark: Mark, asked: float) -> None:
        if self._asked is not None and asked < self._asked:
            return  # an answer that was overtaken
        if self._asked is None or mark.id != self._mark.id:
            self.changed.set()
        self._mark, self._asked = mark, asked
        self._monitor.maintenance(on=mark.on)


class Follower:
    """Brings every table in line with the mark; see the module. Any number of processes may do it."""

    def __init__(
        self, gate: Gate, marks: Marks, index: Index, play: Play, seconds: Callable[[], float]
    ) -> None:
        self._gate = gate
        self._marks = marks
        self._index = index
        self._play = play
        self._seconds = seconds
        self._since = 0.0
        self._settled = False
        self._next = 0.0

    async def keep(self) -> None:
        """Read the mark, and walk when it is time, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(READ_SECONDS):
                    await self._gate.changed.wait()
            try:
                await self.look()
            except TableRefused as refused:
                _log.warning("maintenance_not_followed", why=refused.message)
                await asyncio.sleep(READ_SECONDS)
            except Exception:  # noqa: BLE001 - the next look must take place
                _log.exception("maintenance_not_followed")
                await asyncio.sleep(READ_SECONDS)

    async def look(self) -> None:
        """Read the mark, and walk if it is time. Raises TableRefused."""
        mark = await self._gate.read()
        if self._gate.changed.is_set():
            self._gate.changed.clear()
            self._settled, self._since, self._next = False, self._seconds(), 0.0
        began = self._seconds()
        if began < self._next or not await self._marks.mine(*self._turn()):
            return
        done = await self.walk(mark)
        spent = self._seconds() - began
        self._settled = self._settled or (done and began - self._since >= SETTLING_SECONDS)
        self._next = self._seconds() + max(spent * REST, ROUTINE_SECONDS if self._settled else 0.0)

    async def walk(self, mark: Mark) -> bool:
        """Hold or release every table that is not as `mark` says; whether there was none. Raises
        TableRefused.
        """
        after, done = "", True
        while True:
            tables, after = await self._index.page(after, PAGE, Wanted())
            other = [
                table.id
                for table in tables
                if table.held is not mark.on and table.status in (Status.OPEN, Status.PAUSED)
            ]
            if other:
                done = False
                await self._all_of(other, Hold(mark.on))
            if not after:
                return done
            if (await self._gate.read()).id != mark.id:
                return False

    def _turn(self) -> tuple[str, int]:
        """What to ask for before a walk, and for how long it is then taken."""
        if self._settled:
            return "routine", round(ROUTINE_SECONDS * 1000) // 2
        return "change", WALK_MS

    async def _all_of(self, ids: Sequence[str], hold: Hold) -> None:
        room = asyncio.Semaphore(AT_ONCE)

        async def one(table_id: str) -> None:
            async with room:
                try:
                    await self._play.see(table_id)  # what this process remembers of it may be old
                    await self._play.run(table_id, hold)
                except NotDue:
                    pass  # another process was first
                except TableRefused as refused:
                    _log.warning("table_not_held", table=table_id, on=hold.on, why=refused.message)

        await asyncio.gather(*(one(table_id) for table_id in ids))
