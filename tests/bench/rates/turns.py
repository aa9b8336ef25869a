"""How a client that watches nothing learns whose turn it is and what is offered.

`Asking` is what such a client has: it calls `GetTable` and acts on the view. `Beside` reads the states out of
the state server, so that the table service does nothing but `Act`: no player could do that, it is there to
measure.
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

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
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
    """Out of the state server: one read when a turn may have come, and further ones while cards are waited
    for.
    """

    def __init__(self, lane: Lane, keys: Keys) -> None:
        self._lane = lane
        self._keys = keys
        self._codec = Codec()

    async def after(self, table: Table, last: Turn | None) -> Turn:
        """See Turns."""
        key, over = self._keys.table(table.id), 0 if last is None else last.offer.turn_id
        while True:
            turn, stored = await self._lane.execute("HMGET", key, "turn", "s")
            if int(turn) > over and (found := self._read(int(turn), stored)) is not None:
                return found
            await asyncio.sleep(PAUSE_SECONDS)

    def _read(self, turn: int, stored: bytes) -> Turn | None:
        hand = self._codec.decode(stored).running
        if hand is None or hand.to_act is None:
            return None
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert offer is not None
        return Turn(player.seat, offer_to_proto(offer, turn, 0), player.cards)
