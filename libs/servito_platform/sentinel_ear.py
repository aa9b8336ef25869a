"""Hears the shard channels of a primary that Sentinels watch; after a failover those of the next one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from servito_platform.ear import Ear
from servito_platform.primary import Primary

if TYPE_CHECKING:
    from servito_platform.ear import Wire
    from servito_platform.place import Node, Place


class SentinelEar(Ear):
    """See the module."""

    def __init__(self, place: Place, seconds: float) -> None:
        super().__init__(place.url, seconds)
        self._place = place
        self._primary = Primary(place, seconds)
        self._node: Node = ("", 0)

    async def _find(self) -> str:
        self._node = await self._primary.find()
        return self._place.node_url(self._node)

    async def _until_over(self, wire: Wire) -> None:
        """A primary that hangs, or that is none any more, keeps its connections: then the Sentinels tell."""
        ends = [
            asyncio.ensure_future(end) for end in (wire.until_silent(), self._primary.changed(self._node))
        ]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()

    async def _close(self) -> None:
        await self._primary.close()
