"""One shared connection to each primary of a Cluster: what is asked goes to the one that holds the key.

For commands whose first argument is the key, scripts, and commands without a key, which any primary answers.
Where a slot moves, its old holder did nothing and says where to ask; that is followed at once. While its keys
are being moved nobody can carry out a script of several keys (TRYAGAIN: nothing was done): it is tried for a
while, since a caller would do the same, with more to say. Anything else that fails is told to the asker, and
leads to a look at the Cluster.
"""

from __future__ import annotations

import asyncio
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import hiredis

from servito_platform.lane import Lane, NotSent
from servito_platform.redis import StateUnavailable
from servito_platform.topology import Topology, slot_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.lane import Leads, Make, Wire
    from servito_platform.place import Node, Place
    from servito_platform.redis import Argument

_HOPS: Final = 6
"""How often a request is sent on before it is given up."""
_BETWEEN: Final = 0.02
_PATIENCE: Final = 1.0
"""Seconds between two tries, and for all, of a request whose keys are just being moved."""
_SCRIPTS: Final = frozenset({"EVAL", "EVALSHA"})
_UNWELL: Final = ("CLUSTERDOWN", "MASTERDOWN", "READONLY", "LOADING")


class ClusterLane(Lane):
    """See the module."""

    def __init__(self, place: Place, seconds: float, make: Make | None = None) -> None:
        super().__init__(place.url, seconds, make)
        self._place = place
        self._topology = Topology(place, seconds)
        self._lanes: dict[Node, Lane] = {}

    async def execute(self, *command: Argument) -> Any:
        """See Lane."""
        slot = _slot(command)
        node = self._topology.holder(slot) or await self._topology.found(slot)
        asking, hops, until = False, 0, monotonic() + _PATIENCE
        while hops < _HOPS and monotonic() < until:
            lane = self._to(node)
            try:
                return await (lane.execute_asking(*command) if asking else lane.execute(*command))
            except StateUnavailable:
                self._topology.doubt()
                raise
            except hiredis.ReplyError as error:
                what, _, where = str(error).partition(" ")
                if what in ("MOVED", "ASK"):
                    hops += 1
                    node, asking = _named(where, node), what == "ASK"
                    if not asking:
                        self._topology.moved(slot, node)
                elif what == "TRYAGAIN":
                    await asyncio.sleep(_BETWEEN)
                else:
                    if what in _UNWELL:
                        self._topology.doubt()
                    raise
        raise NotSent

    async def check(self) -> None:
        """Return when most primaries answer; otherwise a part of the Cluster cannot heal by itself."""
        await self._topology.found(0)
        asked = (self._to(node).execute("PING") for node in self._topology.primaries)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        silent = [answer for answer in answers if isinstance(answer, BaseException)]
        if silent:
            self._topology.doubt()
        if 2 * len(silent) >= len(answers):
            raise silent[0]

    async def close(self) -> None:
        """See Lane."""
        await self._topology.close()
        for lane in self._lanes.values():
            await lane.close()

    def _to(self, node: Node) -> Lane:
        lane = self._lanes.get(node)
        if lane is None:

            def make(seconds: float, _: Leads | None) -> Wire:
                return self._make(seconds, partial(self._topology.followed, node))

            lane = self._lanes[node] = Lane(self._place.node_url(node), self._seconds, make)
        return lane


def _slot(command: Sequence[Argument]) -> int:
    if command[0] in _SCRIPTS:
        return slot_of(command[3]) if command[2] else 0
    return slot_of(command[1]) if len(command) > 1 else 0


def _named(where: str, asked: Node) -> Node:
    """The server that MOVED or ASK names: `<slot> <host>:<port>`, without a host if it is the same."""
    host, _, port = where.partition(" ")[2].rpartition(":")
    return host or asked[0], int(port)
