"""Which server of a group is the primary: asked of its Sentinels, with redis-py's own class.

Here: finding it, and noticing that it is another one. Not here: connections to it (sentinel_lane.py, ear.py).
A Sentinel may be behind the others, so whoever connects asks the server for its role.
"""

from __future__ import annotations

import asyncio
from typing import Final

import redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

from servito_platform.clients import to_sentinels
from servito_platform.place import Node, Place
from servito_platform.redis import StateUnavailable

_LOOK_EVERY: Final = 1.0
_NOT_SAID: Final = (redis.RedisError, OSError)


class Primary:
    """See the module. `seconds`: how long the Sentinels may take, divided among them."""

    def __init__(self, place: Place, seconds: float) -> None:
        self._place = place
        each = seconds / len(place.nodes)
        self._options = to_sentinels(place, each) | {"retry": Retry(NoBackoff(), 0)}
        self._sentinels: Sentinel | None = None

    async def find(self) -> Node:
        """Host and port of the primary; StateUnavailable when no Sentinel knows one that is well."""
        if self._sentinels is None:
            self._sentinels = Sentinel(self._place.nodes, sentinel_kwargs=self._options)
        try:
            host, port = await self._sentinels.discover_master(self._place.master)
        except _NOT_SAID as error:
            raise StateUnavailable from error
        return str(host), int(port)

    async def changed(self, known: Node) -> None:
        """Return once the Sentinels name another primary than `known`."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                if await self.find() != known:
                    return
            except StateUnavailable:
                continue  # nobody says anything else

    async def close(self) -> None:
        """Give the connections back."""
        if self._sentinels is not None:
            await self._sentinels.aclose()
            self._sentinels = None
