"""How a client that watches nothing learns whose turn it is and what is offered.

`Asking` is what such a client has: it calls `GetTable` and acts on the view. `Beside` reads the states out of
the state server, in one round trip for all tables that wait, so that the table service does nothing but
`Act`: no player could do that, it is there to measure.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from servito.table.v1 import table_pb2 as pb
from servito_core.hand import legal_actions
from servito_table.adapters.codec import Codec
from servito_wire.offers import offer_to_proto
from tests.bench.policy import PLAYERS
from tests.bench.rates.calls import answered

if TYPE_CHECKING:
    from collections.abc import Sequence

    import redis.asyncio

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from servito_platform.keys import Keys
    from tests.bench.rates.seats import Table

PAUSE_SECONDS: Final = 0.005
"""Between two looks at tables that wait for cards."""


@dataclass(frozen=True)
class Turn:
    """A seat's turn: what it may do, and the cards that it holds."""

    seat: int
    offer: pb.Offer
    cards: Sequence[int]


class Turns(Protocol):
    """Where turns are learnt."""

    async def after(self, table: Table, last: Turn | None) -> Turn:
        """The next turn at the table, when it has come."""


class Asking:
    """By `GetTable`, as the player who is probably next."""

    def __init__(self, stub: TableServiceAsyncStub) -> None:
        self._stub = stub

    async def after(self, table: Table, last: Turn | None) -> Turn:
        """See Turns."""
        request = pb.GetTableRequest(table_id=table.id)
        seat = 0 if last is None else (last.seat + 1) % PLAYERS
        while True:
            view = (await answered(self._stub.GetTable, request, table.caller(seat))).table
            if view.hand.HasField("offer"):
                cards = next(own.cards for own in view.hand.seats if own.seat == seat)
                return Turn(seat, view.hand.offer, cards)
            if view.hand.HasField("to_act"):
                seat = view.hand.to_act
            else:
                await asyncio.sleep(PAUSE_SECONDS)


class Beside:
    """Out of the state server; `look` runs as long as turns are wanted."""

    def __init__(self, client: redis.asyncio.Redis, keys: Keys) -> None:
        self._client = client
        self._keys = keys
        self._codec = Codec()
        self._waiting: dict[str, tuple[int, asyncio.Future[Turn]]] = {}

    async def after(self, table: Table, last: Turn | None) -> Turn:
        """See Turns."""
        coming: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._waiting[table.id] = (0 if last is None else last.offer.turn_id, coming)
        return await coming

    async def look(self) -> None:
        """Read the tables that wait, again and again."""
        while True:
            waiting = list(self._waiting)
            pipeline = self._client.pipeline(transaction=False)
            for table_id in waiting:
                pipeline.hmget(self._keys.table(table_id), "turn", "s")
            for table_id, (turn, state) in zip(waiting, await pipeline.execute(), strict=True):
                self._tell(table_id, int(turn), state)
            await asyncio.sleep(PAUSE_SECONDS)

    def _tell(self, table_id: str, turn: int, stored: bytes) -> None:
        last, coming = self._waiting[table_id]
        if turn <= last or coming.done():
            return
        hand = self._codec.decode(stored).running
        if hand is None or hand.to_act is None:
            return
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert offer is not None
        del self._waiting[table_id]
        coming.set_result(Turn(player.seat, offer_to_proto(offer, turn, 0), player.cards))
