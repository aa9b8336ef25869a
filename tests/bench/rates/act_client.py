"""Players who act by calls, nobody watching: at most 32 acts in flight, at twice as many tables.

    python -m tests.bench.rates.act_client TARGET STATE_URL beside|asking SECONDS PIDS

A table waits for the dealer now and then; the others keep the calls coming meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Final

import uvloop
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_platform.keys import Keys
from servito_platform.lane import Lane
from servito_platform.seal_keys import parse_seal_keys
from servito_platform.seals import Seals
from servito_table.adapters.sealing import PURPOSE
from tests.bench.rates.acting import action_for
from tests.bench.rates.calls import answered
from tests.bench.rates.ceiling_client import IN_FLIGHT, WARM_UP_SECONDS
from tests.bench.rates.sample import Counter
from tests.bench.rates.seats import full_tables
from tests.bench.rates.turns import Asking, Beside

if TYPE_CHECKING:
    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from tests.bench.rates.seats import Table
    from tests.bench.rates.turns import Turns

TABLES: Final = 2 * IN_FLIGHT
PARTITIONS: Final = 64
STATE_SECONDS: Final = 5.0


class Caller:
    """Acts for everybody at every table, one act after the other at each."""

    def __init__(self, stub: TableServiceAsyncStub, turns: Turns, counter: Counter) -> None:
        self._stub = stub
        self._turns = turns
        self._counter = counter
        self._room = asyncio.Semaphore(IN_FLIGHT)
        self._rng = Random(7)

    async def play(self, table: Table) -> None:
        """Play until cancelled."""
        turn = None
        while True:
            turn = await self._turns.after(table, turn)
            request = pb.ActRequest(
                table_id=table.id,
                request_id=str(turn.offer.turn_id),
                turn_id=turn.offer.turn_id,
                action=action_for(turn.offer, turn.cards, self._rng),
            )
            async with self._room:
                began = time.perf_counter()
                await answered(self._stub.Act, request, table.caller(turn.seat), self._counter)
                self._counter.count(began)


def _seals() -> Seals:
    """What opens the tables: `section.py` gives this client the table service's keys."""
    return Seals(parse_seal_keys(os.environ["SERVITO_TABLE_SEAL_KEYS"]), PURPOSE)


async def main(target: str, state_url: str, way: str, seconds: str, pids: str) -> None:
    """Play for a while and print the sample."""
    counter = Counter(json.loads(pids))
    lane = Lane(state_url, STATE_SECONDS)
    async with aio.insecure_channel(target) as channel:
        stub = TableServiceStub(channel)
        turns = Beside(lane, Keys(PARTITIONS), _seals()) if way == "beside" else Asking(stub)
        caller = Caller(stub, turns, counter)
        async with full_tables(channel, TABLES) as tables:
            work = [asyncio.create_task(caller.play(table)) for table in tables]
            await asyncio.sleep(WARM_UP_SECONDS)
            sample = await counter.over(float(seconds))
            for task in work:
                if task.done():
                    task.result()
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
    await lane.close()
    sys.stdout.write(sample.to_json() + "\n")


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
