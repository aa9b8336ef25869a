"""Hears shard channels of a Cluster: each at the primary that holds its slot.

Theory. One ear per primary; every second it is looked where the slots are, and channels whose slot has moved
are moved. What was said meanwhile is missed, and that is told. A server that hands a slot over ends the
subscriptions to its channels, and one that does not hold a slot refuses them: the ear there then tries again
(ear.py) until the channel is taken from it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from servito_platform.ear import Ear
from servito_platform.topology import Topology, slot_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito_platform.place import Node, Place

_LOOK_EVERY: Final = 1.0


class ClusterEar(Ear):
    """See the module."""

    def __init__(self, place: Place, seconds: float) -> None:
        super().__init__(place.url, seconds)
        self._place = place
        self._topology = Topology(place, seconds)
        self._ears: dict[Node, Ear] = {}
        self._listening: dict[Node, asyncio.Task[None]] = {}
        self._where: dict[str, Node] = {}

    def subscribe(self, channel: str) -> None:
        """See Ear."""
        self._channels.add(channel)
        self._settle(channel)

    def unsubscribe(self, channel: str) -> None:
        """See Ear."""
        self._channels.discard(channel)
        self._leave(channel)

    async def listen(self, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        """See Ear."""
        try:
            while True:
                await self._topology.look()
                self._follow(heard, missed)
                moved = [self._settle(channel) for channel in self._channels]
                if any(moved):
                    missed()
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            await self._topology.close()
            for task in self._listening.values():
                task.cancel()
            await asyncio.gather(*self._listening.values(), return_exceptions=True)

    def _follow(self, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        """An ear at each primary, and nowhere else."""
        for node in self._ears.keys() - self._topology.primaries:
            del self._ears[node]
            self._listening.pop(node).cancel()
        for node in self._topology.primaries - self._ears.keys():
            ear = self._ears[node] = Ear(self._place.node_url(node), self._seconds)
            self._listening[node] = asyncio.create_task(ear.listen(heard, missed))

    def _settle(self, channel: str) -> bool:
        """Hear a channel where its slot is; whether that is a change."""
        node = self._topology.holder(slot_of(channel))
        if node is None or node == self._where.get(channel) or node not in self._ears:
            return False
        self._leave(channel)
        self._ears[node].subscribe(channel)
        self._where[channel] = node
        return True

    def _leave(self, channel: str) -> None:
        ear = self._ears.get(self._where.pop(channel, ("", 0)))
        if ear is not None:
            ear.unsubscribe(channel)
