"""One stream that follows a table: what still has to be sent to it, bounded.

A watcher that does not keep up loses nothing that matters and holds nobody up: when its queue is full, the
queue is dropped and the whole table takes its place. The same happens on any gap: updates leave without a
hole in their versions, or not at all. Answers to a player's own acts are never dropped; who produces them
waits for room.

Sending costs more than anything else that a watcher needs, so what comes in short succession is sent
together (`pace.py`). The one whose turn it is never waits for that, nor who has drawn for his cards.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final

from servito_table.app.commits import Place
from servito_table.messages.update import goodbye, heartbeat, snapshot, warning
from servito_table.messages.views import remaining

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_platform.clock import Clock
    from servito_table.adapters.pace import Pace
    from servito_table.app.commits import Known
    from servito_table.app.state import Seated
    from servito_table.messages.update import Update

QUEUE: Final = 32
"""Updates, and answers, that may wait for a slow reader."""
CROWD: Final = QUEUE // 2
"""Updates that are sent even if it is not time yet."""


@dataclass(slots=True)
class Sent:
    """What was sent to a stream and what was not, since somebody counted."""

    messages: int = 0
    updates: int = 0
    dropped: int = 0
    collapses: int = 0


class Watcher:
    """The queue of one stream; `player` is who looks, None for nobody in particular."""

    def __init__(self, table_id: str, player: str | None, clock: Clock, pace: Pace) -> None:
        self.table_id = table_id
        self.player = player
        self.sent_at = monotonic()
        self.ended = False
        self.sent = Sent()
        self._clock = clock
        self._pace = pace
        self._acting = False
        self._known: Known | None = None
        self._seats: tuple[Seated, ...] | None = None
        self._own: Seated | None = None
        self._seen: int | None = None
        self._lineage = 0
        """Of the version that was seen last."""
        self._collapsed = False
        self._rewound = False
        """The viewer had versions that the table has lost."""
        self._heartbeat = False
        self._warning = 0
        self._goodbye = False
        self._updates: deque[Update] = deque()
        self._answers: deque[bytes] = deque()
        self._loop = asyncio.get_running_loop()
        self._idle: asyncio.Future[None] | None = None
        self._something = False
        self._room = asyncio.Event()
        self._room.set()

    def begin(
        self, known: Known, after: Place | None, past: Iterable[Update] | None, *, lost: bool = False
    ) -> None:
        """Start with the updates of the `past`, which follow `after`, what the viewer has; None: with the
        whole table, because `after` is not known, or was `lost`.
        """
        if self._known is None or self._known.version < known.version:
            self._known = known
        self._rewound = lost
        self._updates.extendleft(reversed(list(past or ())))
        if after is not None:
            self._seen, self._lineage = after.version, after.lineage
        self._collapsed = past is None
        self.rouse()

    def push(self, update: Update, known: Known) -> None:
        """Another commit; `known` is the table as it is now."""
        if self._goodbye:
            return
        self._known = known
        if len(self._updates) >= QUEUE:
            self.collapse(known)
        elif not self._collapsed:
            self._updates.append(update)
        if self._something:
            return
        if (
            (self._acting or monotonic() - self.sent_at < self._pace.seconds)
            and len(self._updates) < CROWD
            and self._seat(known, update) not in update.pressing
        ):
            self._pace.later(self)
        else:
            self.rouse()

    def collapse(self, known: Known, *, lost: bool = False) -> None:
        """Give the whole table instead of what is waiting, some of which, or of what was sent, it may have
        `lost`.
        """
        if self._goodbye:
            return
        self._known = known
        self.sent.dropped += len(self._updates)
        self._updates.clear()
        self._collapsed = True
        self._rewound = self._rewound or (lost and self._seen is not None)
        self.sent.collapses += 1
        self.rouse()

    def expect_answer(self) -> None:
        """An act of this stream is being carried out: its update is to come with its answer."""
        self._acting = True

    async def answer(self, message: bytes) -> None:
        """An answer to an act of this stream; waits while too many are not sent."""
        self._acting = False
        if not self._room.is_set():
            await self._room.wait()
        self._answers.append(message)
        if len(self._answers) >= QUEUE:
            self._room.clear()
        self.rouse()

    def beat(self) -> None:
        """Say that the stream lives, if nothing else is to be said."""
        self._heartbeat = True
        self.rouse()

    def warn(self) -> None:
        """The turn of now is the player's own, and its clock runs out soon."""
        if self._known is not None:
            self._warning = self._known.state.turn
            self.rouse()

    @property
    def ending(self) -> bool:
        """Whether goodbye is to be said: no further act of this stream should be begun."""
        return self._goodbye

    def end(self) -> None:
        """Say goodbye after what is waiting, and after the answer to an act that is being carried out; what
        comes from now on is for another stream.
        """
        self._goodbye = True
        if not self._acting:
            self.rouse()

    async def next(self) -> list[bytes]:
        """Wait for something to send, and take all of it: parts of one message. After a goodbye `ended` is
        true.
        """
        if not self._something:
            self._idle = self._loop.create_future()
            await self._idle
        self._something = False
        self._pace.forget(self)
        messages = self._taken()
        self.sent.messages += 1
        messages += self._answers
        self._answers.clear()
        self._room.set()
        if self._warning:
            messages += self._warned()
        if self._heartbeat and not messages and self._seen is not None:
            messages.append(heartbeat(self._seen))
        self._heartbeat = False
        if self._goodbye and not self._acting and self._known is not None:
            seen = self._known.place if self._seen is None else Place(self._seen, self._lineage)
            messages.append(goodbye(seen))
            self.ended = True
        self.sent_at = monotonic()
        return messages

    def _warned(self) -> list[bytes]:
        """The warning, unless the turn is over meanwhile."""
        known, turn, self._warning = self._known, self._warning, 0
        if known is None or known.state.turn != turn:
            return []
        return [warning(turn, remaining(known.deadline, self._clock.now_ms()))]

    def rouse(self) -> None:
        """There is something to send. A future by hand: an Event costs a system call each time it is
        awaited.
        """
        self._something = True
        if self._idle is not None:
            if not self._idle.done():
                self._idle.set_result(None)
            self._idle = None

    def _taken(self) -> list[bytes]:
        known = self._known
        parts: list[bytes] = []
        if known is None:
            return parts
        while self._updates or self._collapsed:
            if self._collapsed:
                self._collapsed = False
                self._seen, self._lineage = known.version, known.lineage
                parts = [snapshot(known, self.player, self._clock.now_ms(), rewound=self._rewound)]
                self._rewound = False
                continue
            update = self._updates.popleft()
            if self._seen is None or update.version > self._seen + 1:
                self._updates.clear()
                self._collapsed = True
            elif update.version == self._seen + 1:
                self._seen, self._lineage = update.version, update.told.lineage
                self.sent.updates += 1
                parts.append(update.message(self._seat(known, update), self.table_id, self._clock.now_ms()))
        return parts

    def _seat(self, known: Known, update: Update) -> int | None:
        """The seat on which the player was dealt into the hand of the update, or is told what is his
        alone.
        """
        if known.state.seats is not self._seats:
            self._seats = known.state.seats
            self._own = None if self.player is None else known.state.seat_of(self.player)
        own = self._own
        if own is None:
            return None
        return own.seat if update.told.hand > own.since or update.tells(own) else None
