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
from servito_table.adapters.sealing import Sealing
from servito_table.app.commits import Place
from servito_wire.offers import offer_to_proto
from tests.bench.policy import PLAYERS
from tests.bench.rates.calls import answered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_platform.seals import Seals
    from tests.bench.rates.seats import Table

PAUSE_SECONDS: Final = 0.005
"""Between two looks at a table that waits for cards."""
LOOK_SECONDS: Final = 0.01
"""Between two looks at all tables: with twice as many as acts in flight there are enough to go on with."""


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


@dataclass
class _Waiting:
    """Somebody who waits for a table's next turn; `seen` is the latest that was looked at."""

    key: str
    seen: int
    found: asyncio.Future[Turn]


class Beside:
    """Out of the state server: every ten milliseconds one look at all tables that wait for a turn, so that
    it has little work with it.
    """

    def __init__(self, lane: Lane, keys: Keys, seals: Seals) -> None:
        self._lane = lane
        self._keys = keys
        self._codec = Codec(sealing=Sealing(seals))
        self._waiting: list[_Waiting] = []
        self._looking: asyncio.Task[None] | None = None

    async def after(self, table: Table, last: Turn | None) -> Turn:
        """See Turns."""
        found: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        seen = 0 if last is None else last.offer.turn_id
        self._waiting.append(_Waiting(self._keys.table(table.id), seen, found))
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await found

    async def _look(self) -> None:
        while self._waiting:
            await asyncio.sleep(LOOK_SECONDS)
            looked = self._waiting
            self._waiting = []
            stored = await asyncio.gather(
                *(self._lane.execute("HMGET", who.key, "turn", "s", "v", "l") for who in looked)
            )
            self._waiting += [
                who
                for who, (turn, state, *at) in zip(looked, stored, strict=True)
                if not self._told(who, int(turn), state, Place(*map(int, at)))
            ]

    def _told(self, who: _Waiting, turn: int, stored: bytes, at: Place) -> bool:
        """Whether `who` waits no more."""
        if turn > who.seen and not who.found.done():
            who.seen = turn
            found = self._read(turn, stored, at)
            if found is not None:
                who.found.set_result(found)
        return who.found.done()

    def _read(self, turn: int, stored: bytes, at: Place) -> Turn | None:
        hand = self._codec.decode(stored, at=at).running
        if hand is None or hand.to_act is None:
            return None
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert offer is not None
        return Turn(player.seat, offer_to_proto(offer, turn, 0), player.cards)
