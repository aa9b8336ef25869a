"""Players who act over streams: all five seats of every table hold one and are told everything.

    python -m tests.bench.rates.play_client TARGET SECONDS PIDS [TABLES]

Every message is read and understood. An act counts when its answer has come.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Any

from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from tests.bench.policy import PLAYERS
from tests.bench.rates.acting import Offered, action_for
from tests.bench.rates.sample import Counter
from tests.bench.rates.seats import TABLES, full_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from tests.bench.rates.seats import Table


class Seat:
    """One player on his stream."""

    def __init__(self, table: Table, seat: int, counter: Counter) -> None:
        self._table = table
        self._seat = seat
        self._counter = counter
        self._rng = Random(seat)
        self._cards: Sequence[int] = ()
        self._request = pb.PlayRequest(act=pb.ActRequest())
        self._acted = 0.0

    async def play(self, stub: TableServiceAsyncStub) -> None:
        """Play until cancelled; a stream that ends is an error here."""
        stream: Any = stub.Play(metadata=self._table.callers[self._seat])
        await stream.write(pb.PlayRequest(join=pb.WatchRequest(table_id=self._table.id)))
        while (told := await stream.read()) is not aio.EOF:
            if self._read(told):
                await stream.write(self._request)
        raise RuntimeError(f"the stream of a player ended: {stream}")

    def _read(self, told: pb.PlayResponse) -> bool:
        """Learn from a message; whether `_request` is to be sent now."""
        again = False
        for answer in told.answers:
            again = self._read_answer(answer)
        for update in told.updates:
            for event in update.events:
                if event.HasField("cards_dealt"):
                    self._cards = event.cards_dealt.cards
            if update.HasField("offer"):
                return self._decide(update.offer)
        if told.HasField("snapshot"):
            hand = told.snapshot.hand
            self._cards = next((own.cards for own in hand.seats if own.seat == self._seat), ())
            return hand.HasField("offer") and self._decide(hand.offer)
        return again

    def _read_answer(self, answer: pb.ActAnswer) -> bool:
        """Whether to act again. As clients are told to: what could not be answered now is sent once more,
        under the same id.
        """
        if not answer.HasField("refused"):
            self._counter.count(self._acted)
            return False
        if not answer.refused.retryable:
            raise RuntimeError(f"an offered action was refused: {answer.refused}")
        self._counter.repeated += 1
        return True

    def _decide(self, offer: pb.Offer) -> bool:
        act = self._request.act
        turn = offer.turn_id
        act.request_id, act.turn_id = str(turn), turn
        act.action.CopyFrom(action_for(Offered(offer, self._cards), self._rng))
        self._acted = time.perf_counter()
        return True


async def main(target: str, seconds: str, pids: str, opened: str = str(TABLES)) -> None:
    """Play for a while and print the sample."""
    counter = Counter(json.loads(pids))
    async with aio.insecure_channel(target) as channel, full_tables(channel, int(opened)) as tables:
        stub = TableServiceStub(channel)
        seats = [Seat(table, seat, counter) for table in tables for seat in range(PLAYERS)]
        sample = await counter.beside([seat.play(stub) for seat in seats], float(seconds))
    sys.stdout.write(sample.to_json() + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
