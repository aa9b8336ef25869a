"""The shared connection to a primary that Sentinels watch.

It is asked for anew with each connection, and the server for its role. A primary that hangs is given up like
any server; one that is demoted says READONLY, or is no longer the one that the Sentinels name: a process that
did not notice a failover would otherwise go on with the old primary, whose writes are lost.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import hiredis
import structlog

from servito_platform.lane import Lane, NotSent, Wire
from servito_platform.primary import Primary
from servito_platform.redis import StateUnavailable

if TYPE_CHECKING:
    from servito_platform.lane import Make
    from servito_platform.place import Node, Place
    from servito_platform.redis import Argument

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class SentinelLane(Lane):
    """See the module."""

    def __init__(self, place: Place, seconds: float, make: Make | None = None) -> None:
        super().__init__(place.url, seconds, make)
        self._place = place
        self._primary = Primary(place, seconds)
        self._watching: asyncio.Task[None] | None = None

    async def execute(self, *command: Argument) -> Any:
        """See Lane. A server that is no primary any more did nothing: NotSent, and the next one is found."""
        try:
            return await super().execute(*command)
        except hiredis.ReplyError as error:
            if not str(error).startswith("READONLY"):
                raise
            if self._wire is not None:
                self._wire.give_up()
            raise NotSent from error

    async def close(self) -> None:
        """See Lane."""
        await super().close()
        if self._watching is not None:
            self._watching.cancel()
        await self._primary.close()

    async def _reach(self) -> Wire:
        node = await self._primary.find()
        wire = await self._dial(self._place.node_url(node), partial(self._is_named, node))
        role = await Wire.ask(wire, ("ROLE",))  # plainly, of whatever kind the wire is
        if role[0] != b"master":
            wire.give_up()
            raise NotSent
        if self._watching is not None:
            self._watching.cancel()
        self._watching = asyncio.create_task(self._watch(node, wire))
        return wire

    async def _is_named(self, node: Node) -> bool:
        try:
            return await self._primary.find() == node
        except StateUnavailable:
            return False

    async def _watch(self, node: Node, wire: Wire) -> None:
        await self._primary.changed(node)
        _log.warning("primary_changed", left=f"{node[0]}:{node[1]}")
        wire.give_up()
