"""Who watches what: one hub per process hands every commit of a watched table to all its streams, in order.

Commits of this process are handed over directly. Those of others are read from the table's event stream when
a wake-up says that there are some, or the look around of every second finds them: the stream is the truth, a
wake-up is a hint. Where the stream no longer has what is missing, everybody gets the whole table. The hub
waits for no watcher.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final, cast

import structlog

from servito_table.adapters.followed import Followed, Past, past_of, updates_of
from servito_table.adapters.pace import Pace
from servito_table.adapters.schema import UnreadableState
from servito_table.adapters.warner import Warner
from servito_table.adapters.watcher import Sent, Watcher
from servito_table.app.commits import Known, Place
from servito_table.app.looking import check_may_look, may_look
from servito_table.app.refusals import Stopping, TableReason, TableRefused
from servito_table.app.state import actor_of
from servito_table.messages.update import Update

if TYPE_CHECKING:
    from servito_platform.clock import Clock
    from servito_table.adapters.meters import Meters
    from servito_table.app.events import TableEvent
    from servito_table.app.ports import Feed, Store, Stream

LOOK_AROUND_SECONDS: Final = 1.0
SILENCE_SECONDS: Final = 10.0
"""After so long without anything else a stream is sent a heartbeat."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Hub:
    """See the module."""

    def __init__(
        self, store: Store, feed: Feed, clock: Clock, meters: Meters, origin: str, pace_seconds: float = 0.0
    ) -> None:
        self._store = store
        self._origin = origin.encode()
        self._feed = feed
        self._clock = clock
        self._meters = meters.watching
        self._pace = Pace(pace_seconds)
        self._warner = Warner(clock, self._known, self._warn)
        self._followed: dict[str, Followed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._missed = asyncio.Event()
        self._stopping = False

    def committed(self, known: Known, events: tuple[TableEvent, ...]) -> None:
        """See `app.ports.Announcer`."""
        followed = self._followed.get(known.state.id)
        if followed is None:
            return
        if followed.known is None or known.version == followed.told.version + 1:
            if followed.told.differs(known.parent):
                self._rewind(followed, known)
            else:
                self._tell(followed, Update.of(known, events), known)
        elif known.version > followed.told.version:
            self.stir(known.state.id, known.version)

    def stir(self, table_id: str, version: int) -> None:
        """Somebody made `version` of a table; if it is watched and not told yet, its stream is read."""
        followed = self._followed.get(table_id)
        if followed is None or followed.known is None or version <= followed.told.version:
            return
        followed.stirred = True
        if not followed.catching_up:
            followed.catching_up = True
            task = asyncio.create_task(self._catch_up(followed))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def join(self, table_id: str, player: str | None, after: Place | None) -> Watcher:
        """A new watcher, which has to `leave`. Raises TableRefused: UNKNOWN_TABLE, UNAVAILABLE,
        NOT_PERMITTED.
        """
        if self._stopping:
            raise Stopping
        followed = self._followed.get(table_id)
        if followed is None:
            followed = self._followed[table_id] = Followed(table_id)
            self._meters.tables.inc()
        watcher = Watcher(table_id, player, self._clock, self._pace)
        followed.watchers.add(watcher)
        self._meters.watchers.inc()
        try:
            self._feed.follow(table_id)
            await self._begin(followed, watcher, after)
        except BaseException:
            self.leave(watcher)
            raise
        return watcher

    def leave(self, stream: Stream) -> None:
        """The stream of a watcher has ended."""
        watcher = cast("Watcher", stream)  # join made it
        followed = self._followed.get(watcher.table_id)
        if followed is None or watcher not in followed.watchers:
            return
        followed.watchers.discard(watcher)
        self._meters.watchers.dec()
        self._count(watcher)
        self._feed.unfollow(watcher.table_id)
        if not followed.watchers:
            del self._followed[watcher.table_id]
            self._meters.tables.dec()
            self._warner.forget(watcher.table_id)

    def hear(self, wake_up: bytes) -> None:
        """A wake-up, as commit.lua writes it: table, version, and who made it; we know our own."""
        table_id, version, origin = wake_up.split(b" ")
        if origin != self._origin:
            self.stir(table_id.decode(), int(version))

    def look_now(self) -> None:
        """Wake-ups were missed: do not wait for the next look around."""
        self._missed.set()

    async def look_around(self) -> None:
        """Find what no wake-up told, and keep silent streams alive, until cancelled."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AROUND_SECONDS):
                    await self._missed.wait()
            self._missed.clear()
            try:
                await self._compare_versions()
            except TableRefused as refused:
                _log.warning("look_around_failed", why=refused.message)
            except Exception:  # noqa: BLE001 - whatever it was, the next look around must take place
                _log.exception("look_around_failed")
            self._beat()

    async def farewell(self) -> None:
        """Tell every watcher where to go on, and end its stream; take no new one."""
        self._stopping = True
        for followed in self._followed.values():
            self._part_with_all(followed)

    def _tell(self, followed: Followed, update: Update, known: Known) -> None:
        followed.known = known
        followed.told = Place(update.version, update.told.lineage)
        for watcher in followed.watchers:
            watcher.push(update, known)
        self._part_with_strangers(followed, known)
        self._warner.look(known)

    def _known(self, table_id: str) -> Known | None:
        followed = self._followed.get(table_id)
        return None if followed is None else followed.known

    def _warn(self, table_id: str) -> None:
        """The clock of the seat to act runs out soon: its player learns of it wherever he watches."""
        followed = self._followed[table_id]
        player = None if followed.known is None else actor_of(followed.known.state)
        for watcher in followed.watchers:
            if player is not None and watcher.player == player:
                watcher.warn()
                self._meters.warnings.inc()

    async def _begin(self, followed: Followed, watcher: Watcher, after: Place | None) -> None:
        told, known = followed.told, await self._looked(followed)
        if known is None:
            raise TableRefused(TableReason.UNKNOWN_TABLE, "there is no table of this id")
        check_may_look(known.state, watcher.player)
        if followed.known is None:
            followed.known, followed.told = known, known.place
            self._warner.look(known)
        elif told is followed.told and told.lost_by(known.place):
            self._rewind(followed, known)
        self.stir(followed.table_id, known.version)
        past = Past(None) if after is None else await past_of(self._feed, known, after)
        watcher.begin(known, after, updates_of(past, known), lost=past.lost)

    async def _catch_up(self, followed: Followed) -> None:
        try:
            while followed.stirred:
                followed.stirred = False
                await self._read(followed)
        except UnreadableState as unreadable:
            _log.warning("catch_up_failed", table_id=followed.table_id, why=unreadable.message)
            for watcher in followed.watchers:
                watcher.end()  # who wrote it can tell them more
        except TableRefused as refused:
            _log.warning("catch_up_failed", table_id=followed.table_id, why=refused.message)
        except Exception:  # noqa: BLE001 - nobody awaits this task; the next look around tries again
            _log.exception("catch_up_failed", table_id=followed.table_id)
        finally:
            followed.catching_up = False

    async def _read(self, followed: Followed) -> None:
        """Tell what the stream has behind what was told; the whole table where it has a gap there.

        Nothing is told beyond the state that we have: offers need it.
        """
        self._meters.catch_ups.inc()
        told, known = followed.told, await self._looked(followed)
        if known is None or known.place == told:
            return
        past = await past_of(self._feed, known, told)
        if told is not followed.told:
            followed.stirred = True  # others told of commits meanwhile
        elif (updates := updates_of(past, known)) is not None:
            for update in updates:
                if update.version == followed.told.version + 1:
                    self._tell(followed, update, known)
        elif past.lost:
            self._rewind(followed, known)
        else:
            self._start_over(followed, known)

    def _rewind(self, followed: Followed, known: Known) -> None:
        """The table has lost what was told (a failover of the state server), and is `known` now."""
        self._meters.rewinds.inc()
        self._start_over(followed, known, lost=True)

    def _start_over(self, followed: Followed, known: Known, *, lost: bool = False) -> None:
        followed.known, followed.told = known, known.place
        self._part_with_strangers(followed, known)
        for watcher in followed.watchers:
            watcher.collapse(known, lost=lost)
        self._warner.look(known)

    def _part_with_strangers(self, followed: Followed, known: Known) -> None:
        """Say goodbye to those who may not look any more; they are told nothing that comes after."""
        if known.state.config.no_spectators:
            for watcher in followed.watchers:
                if not may_look(known.state, watcher.player):
                    watcher.end()

    async def _compare_versions(self) -> None:
        told = {table_id: followed.told for table_id, followed in self._followed.items() if followed.known}
        places = await self._feed.versions(list(told))
        for (table_id, before), now in zip(told.items(), places, strict=True):
            followed = self._followed.get(table_id)
            if followed is None:
                continue
            if not now.version:  # as in a state that was put back from before: they would wait for ever
                self._part_with_all(followed)
                continue
            if before.lost_by(now):
                await self._lost(followed)
            self.stir(table_id, now.version)

    def _part_with_all(self, followed: Followed) -> None:
        """Say goodbye to everybody; who comes back is told what is the case."""
        for watcher in followed.watchers:
            watcher.end()

    async def _lost(self, followed: Followed) -> None:
        """The table seems to have lost what was told: if it still does, everybody starts over."""
        told, known = followed.told, await self._looked(followed)
        if known is not None and told is followed.told and told.lost_by(known.place):
            self._rewind(followed, known)

    def _count(self, watcher: Watcher) -> None:
        """Add up what was sent to a stream: now and then, because it is done for every message."""
        sent, watcher.sent = watcher.sent, Sent()
        self._meters.messages.inc(sent.messages)
        self._meters.updates.inc(sent.updates)
        self._meters.dropped.inc(sent.dropped)
        self._meters.collapses.inc(sent.collapses)

    async def _looked(self, followed: Followed) -> Known | None:
        looked = await self._store.look(followed.table_id, followed.known, None)
        return looked if isinstance(looked, Known) else None

    def _beat(self) -> None:
        silent_since = monotonic() - SILENCE_SECONDS
        for followed in self._followed.values():
            for watcher in followed.watchers:
                self._count(watcher)
                if watcher.sent_at <= silent_since:
                    watcher.beat()
