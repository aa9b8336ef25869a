"""How a client that watches nothing learns whose turn it is, and what he does then.

`Asking` is what such a client has: it calls `GetTable` and acts on the view. `Beside` (beside.py) reads the
tables out of the state server, so that the table service does nothing but `Act`: no player could do that, it
is there to measure.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from servito.table.v1 import table_pb2 as pb
from tests.bench.policy import PLAYERS
from tests.bench.rates.acting import Offered, action_for
from tests.bench.rates.calls import answered

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from tests.bench.rates.seats import Table

PAUSE_SECONDS: Final = 0.005
"""Between two looks at a table that waits for cards."""


class Turn(NamedTuple):
    """A turn at a table, and what its seat does."""

    table: Table
    seat: int
    number: int
    action: pb.Action


class Turns(Protocol):
    """Where turns are learnt, one after the other at each table."""

    async def next(self) -> Turn:
        """One that has come at any of the tables."""

    def over(self, turn: Turn) -> None:
        """It was acted on: the table's next one may come."""


class Asking:
    """By `GetTable`, as the player who is probably next."""

    def __init__(self, stub: TableServiceAsyncStub, tables: Sequence[Table], rng: Random) -> None:
        self._stub = stub
        self._rng = rng
        self._waiting: asyncio.Queue[tuple[Table, int]] = asyncio.Queue()
        for table in tables:
            self._waiting.put_nowait((table, 0))

    async def next(self) -> Turn:
        """See Turns."""
        table, seat = await self._waiting.get()
        request = pb.GetTableRequest(table_id=table.id)
        while True:
            view = (await answered(self._stub.GetTable, request, table.callers[seat])).table
            if view.hand.HasField("offer"):
                cards = next(own.cards for own in view.hand.seats if own.seat == seat)
                offer = view.hand.offer
                return Turn(table, seat, offer.turn_id, action_for(Offered(offer, cards), self._rng))
            if view.hand.HasField("to_act"):
                seat = view.hand.to_act
            else:
                self._waiting.put_nowait((table, seat))
                await asyncio.sleep(PAUSE_SECONDS)
                table, seat = await self._waiting.get()
                request.table_id = table.id

    def over(self, turn: Turn) -> None:
        """See Turns."""
        self._waiting.put_nowait((turn.table, (turn.seat + 1) % PLAYERS))
