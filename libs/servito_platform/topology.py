"""Which server of a Cluster holds which slot, as far as this process knows.

Asked of any server that answers, again whenever somebody has a doubt; in between the servers themselves say
where a slot has moved. Not here: connections for anything else (cluster_lane.py, cluster_ear.py).
"""

from __future__ import annotations

import asyncio
import random
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import hiredis
import structlog
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from servito_platform.lane import Lane, NotSent
from servito_platform.redis import StateUnavailable

if TYPE_CHECKING:
    from servito_platform.place import Node, Place
    from servito_platform.redis import Argument

_PAUSE: Final = 0.1
"""Seconds between two looks, however many have a doubt."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def slot_of(key: Argument) -> int:
    """The slot of a key or shard channel: by what stands in its braces."""
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


class Topology:
    """See the module. `seconds`: how long one server may take to answer."""

    def __init__(self, place: Place, seconds: float) -> None:
        self._place = place
        self._seconds = seconds
        self._slots: list[Node | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._known: set[Node] = set()
        self._looking: asyncio.Task[None] | None = None
        self._looked = -_PAUSE
        self.primaries: frozenset[Node] = frozenset()
        """Those that hold slots."""

    def holder(self, slot: int) -> Node | None:
        """Who holds a slot; None: not known."""
        return self._slots[slot]

    async def found(self, slot: int) -> Node:
        """Who holds a slot, by a look at the Cluster if it is not known; NotSent when nobody says."""
        if self._slots[slot] is None:
            await self.look()
        holder = self._slots[slot]
        if holder is None:
            raise NotSent
        return holder

    def moved(self, slot: int, node: Node) -> None:
        """A server said that this one holds the slot now."""
        self._slots[slot] = node
        self.doubt()

    def doubt(self) -> None:
        """Look soon, in the background: something is not as it was."""
        if self._looking is None and monotonic() - self._looked >= _PAUSE:
            self._start()

    async def look(self) -> None:
        """Ask the Cluster now, with all who want the same; it may be that nobody answers."""
        await asyncio.shield(self._looking or self._start())

    async def followed(self, node: Node) -> bool:
        """Whether another server says that this one holds slots; False if none says anything."""
        for other in self._in_any_order(self._known - {node}):
            ranges = await self._asked(other)
            if ranges is not None:
                return any(_nodes(servers, other)[0] == node for _, _, *servers in ranges)
        return False

    async def close(self) -> None:
        """Stop looking."""
        if self._looking is not None:
            self._looking.cancel()

    def _start(self) -> asyncio.Task[None]:
        self._looking = asyncio.create_task(self._look())
        self._looking.add_done_callback(self._done)
        return self._looking

    def _done(self, task: asyncio.Task[None]) -> None:
        self._looking = None
        self._looked = monotonic()
        if not task.cancelled() and (error := task.exception()):
            _log.error("topology_unreadable", error=type(error).__name__)

    async def _look(self) -> None:
        """Ask one after the other, in any order, until one answers."""
        nodes = self._in_any_order(self._known | set(self._place.nodes))
        for node in nodes:
            ranges = await self._asked(node)
            if ranges is not None:
                self._take(ranges, node)
                return
        _log.warning("cluster_unreachable", asked=len(nodes))

    @staticmethod
    def _in_any_order(nodes: set[Node]) -> list[Node]:
        return random.sample(list(nodes), len(nodes))

    async def _asked(self, node: Node) -> list[Any] | None:
        """What a server says of all slots; None: nothing."""
        lane = Lane(self._place.node_url(node), self._seconds)
        try:
            ranges: list[Any] = await lane.execute("CLUSTER", "SLOTS")
        except (StateUnavailable, hiredis.ReplyError):
            return None
        finally:
            await lane.close()
        return ranges

    def _take(self, ranges: list[Any], asked: Node) -> None:
        slots: list[Node | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        known: set[Node] = set()
        for first, last, *servers in ranges:
            nodes = _nodes(servers, asked)
            known.update(nodes)
            slots[first : last + 1] = [nodes[0]] * (last + 1 - first)
        self._slots, self._known = slots, known
        self.primaries = frozenset(node for node in slots if node is not None)


def _nodes(servers: list[Any], asked: Node) -> list[Node]:
    """The servers of a range, its primary first. One that does not know its own address leaves it out: it is
    the one that was asked.
    """
    return [((host or b"").decode() or asked[0], port) for host, port, *_ in servers]
